#pragma once

#include "experiments/figures/all_solvers.h"
#include "experiments/tampubolon2017/fig05_multiplier/regions.h"

#include <array>
#include <cstddef>

namespace repose::experiments::tampubolon2017 {

/// Stresses that a solver gives to lone particles, against unilateral_stress(), over the bound of rounding.
struct StressErrors {
  SolverChoice solver;
  int dim = 0;
  /// In regions A, B and C: largest error over its bound, and of how many states.
  std::array<double, 3> worst{};
  std::array<std::size_t, 3> states{};
};

/// Reads τ from the impulses of the stage of forces,
///     τ = −1/(Δt V⁰) Σ_i p*_i (x_i − x_p)ᵀ,   since Σ_i ∇w_i (x_i − x_p)ᵀ = 1
/// of particles at rest without gravity.
StressErrors measure_stress(int dim, const SolverChoice& solver, const MultiplierSet& set, std::size_t count);

}  // namespace repose::experiments::tampubolon2017
