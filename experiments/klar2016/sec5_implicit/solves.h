#pragma once

#include "experiments/figures/scene_run.h"
#include "reference/interface/scene/integrator.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace repose::experiments::klar2016 {

/// Young's moduli [Pa]: the four of figure 10, and what the paper calls that of real sand.
inline constexpr std::array<double, 5> solved_moduli{1e3, 1e4, 1e5, 1e6, 3.537e7};

struct SolvesSetup {
  double spacing = 0.016;  ///< h [m]
  double duration = 1.0;   ///< [s]
};
SolvesSetup solves_setup(Preset preset);

Scene solves_scene(const SolvesSetup& setup, double youngs_modulus, Integrator integrator);

/// Iterations of implicit steps.
struct Iterations {
  std::map<std::uint64_t, std::uint64_t> newton;  ///< number of steps by their Newton iterations
  /// Number of linear systems by their GMRES iterations. A step reports the sum of its systems alone: all of a step are
  /// counted with their mean, rounded up.
  std::map<std::uint64_t, std::uint64_t> gmres;

  void add(const StepReport& report);
  std::uint64_t systems() const;
  /// Share of the systems with more GMRES iterations than some number; nan without systems.
  double share_above(std::uint64_t iterations) const;
  double mean_newton() const;  ///< per step; nan without steps
};

/// One modulus with both kinds of steps, by the same solver.
struct SolvesPair {
  double youngs_modulus = 0.0;  ///< [Pa]
  SceneRun implicit_run;
  SceneRun explicit_run;
  Iterations iterations;
  double implicit_seconds = 0.0;  ///< processor time
  double explicit_seconds = 0.0;

  double ratio() const { return implicit_seconds / explicit_seconds; }
};

SolvesPair solve_both(const SolvesSetup& setup, double youngs_modulus, const FigureRequest& request);

/// The numbers that decide what the paper says of its implicit steps.
std::vector<Number> judge(const std::vector<SolvesPair>& pairs);

}  // namespace repose::experiments::klar2016
