#pragma once

#include "experiments/figures/scene_run.h"

#include <array>
#include <cstdint>
#include <vector>

namespace repose::experiments::klar2016 {

struct CasesSetup {
  double spacing = 0.01;            ///< h [m]
  double reference_spacing = 0.01;  ///< of the run with the readable solver [m]
  double duration = 1.0;            ///< [s]
};
CasesSetup cases_setup(Preset preset);

Scene cases_scene(double spacing, double duration);

/// How far returned states miss what their case promises, over what rounding leaves open; ≤ 1 each if the return is
/// right.
struct CaseErrors {
  double outside = 0.0;         ///< largest yield residual of all particles
  double surface_inside = 0.0;  ///< largest lack of it in case III: a state that slips lies on the cone
  double tip_strain = 0.0;      ///< largest strain in case II: a state at the tip has none
  std::array<std::uint64_t, 3> judged{};  ///< states in cases I, II, III
  std::uint64_t unknown = 0;              ///< states of no case
};

/// Adds the states of a snapshot at plasticity. @param rounding of the solver
void add_errors(CaseErrors& errors, const Snapshot& state, const Scene& scene, const Rounding& rounding);

/// Shares of the cases among all particle-steps since the frame before.
struct CaseShares {
  double time = 0.0;              ///< [s]
  std::array<double, 3> share{};  ///< cases I, II, III [-]
};

/// A particle of the picture.
struct CasedGrain {
  Point at = Point::Zero();  ///< [m]
  int part = 0;              ///< 1, 2, 3
  double tau_1 = 0.0;        ///< principal Kirchhoff stresses [Pa], the larger first
  double tau_2 = 0.0;
};

struct CasesPicture {
  double time = 0.0;  ///< [s]
  std::vector<CasedGrain> grains;
};

struct CasesRun : SceneRun {
  Rounding rounding;
  CaseErrors errors;
  std::vector<CaseShares> shares;  ///< one per frame
  std::vector<CasesPicture> pictures;
};

CasesRun collapse_cases(const Scene& scene, const FigureRequest& request);

/// The numbers that decide whether the figure's claim holds.
std::vector<Number> judge(const std::vector<CasesRun>& runs);

}  // namespace repose::experiments::klar2016
