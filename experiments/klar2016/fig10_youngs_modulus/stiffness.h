#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/scene_run.h"
#include "validation/metrics/oscillation.h"

#include <array>
#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// Young's moduli of the figure [Pa], rising.
inline constexpr std::array<double, 4> youngs_moduli{1e3, 1e4, 1e5, 1e6};

struct StiffnessSetup {
  double spacing = 0.016;              ///< h [m]
  double duration = 3.0;               ///< [s]
  std::vector<std::uint64_t> repeats;  ///< seeds with which the stiffest sand is poured again
};
StiffnessSetup stiffness_setup(Preset preset);

/// The scene file with spacing, Δt in proportion, duration, modulus and seed replaced.
Scene stiffness_scene(const StiffnessSetup& setup, double youngs_modulus, std::uint64_t seed);

/// After a step.
struct StiffnessSample {
  double time = 0.0;     ///< [s]
  double centre = 0.0;   ///< height of the centre of mass [m]
  double stored = 0.0;   ///< elastic energy [J per metre of depth]
  double kinetic = 0.0;  ///< ½ Σ m ‖v‖² [J per metre]
  double total = 0.0;    ///< stored, kinetic and that of height [J per metre]
};

/// Where the particles are.
struct StiffnessPicture {
  double time = 0.0;  ///< [s]
  std::vector<Point> at;
};

struct StiffnessRun : SceneRun {
  double youngs_modulus = 0.0;  ///< [Pa]
  std::uint64_t seed = 1;
  InflowPile pile;
  std::vector<StiffnessSample> samples;  ///< every step
  /// When the last sand lands, a quarter of a second later, at the end
  std::vector<StiffnessPicture> pictures;
  double height = 0.0;      ///< at the end, of 98 % of the particles near the middle [m]
  double runout = 0.0;      ///< at the end, half width that holds 98 % of the particles [m]
  double rest_time = -1.0;  ///< since when the sand is at rest [s]; −1: it never was
  double mass = 0.0;        ///< at the end [kg per metre]

  double fall_energy() const;  ///< m g times the drop [J per metre]
};

StiffnessRun pour(const StiffnessSetup& setup, double youngs_modulus, std::uint64_t seed,
                  const FigureRequest& request);

/// Swings after the last sand has landed: of the centre of mass [m], of the stored energy [as a share of fall_energy()].
Oscillation bounce(const StiffnessRun& run);
Oscillation energy_swing(const StiffnessRun& run);

/// Whether more bounces may follow the end of the run: none has begun for no longer than the longest pause before one.
bool still_bounces(const StiffnessRun& run);

/// Smallest bounce that can be seen: a tenth of a cell, one per cent of the pile's height [m].
double visible(const StiffnessRun& run);

}  // namespace repose::experiments::klar2016
