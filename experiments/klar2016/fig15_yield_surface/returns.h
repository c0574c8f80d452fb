#pragma once

#include "experiments/figures/all_solvers.h"
#include "experiments/figures/figure.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// The scene file in d dimensions.
Scene return_scene(int dim);

/// Trial states at boundary update: F̂ = R₁ exp(diag ε) R₂ with random rotations and strains up to some per cent, half of
/// them compressed with shear on both sides of the cone, the rest expanded or anything.
Snapshot trial_states(const Scene& scene, std::size_t count, std::uint64_t seed);

/// A state before and after the return, for the plots.
struct ReturnedState {
  int part = 0;                    ///< 1 inside, 2 tip, 3 surface
  std::array<double, 3> trial{};   ///< principal strains [-], falling
  std::array<double, 3> result{};  ///< [-]
};

/// Largest errors of one solver's return mapping, over the bound of rounding; ≤ 1 each if it is right.
struct ReturnErrors {
  SolverChoice solver;
  int dim = 0;
  std::array<std::size_t, 3> states{};  ///< judged in cases I, II, III; ties within rounding are left out
  std::size_t wrong_case = 0;
  double unchanged = 0.0;    ///< case I: strain before = after
  double tip = 0.0;          ///< case II: no strain
  double trace = 0.0;        ///< case III: tr ε kept
  double on_cone = 0.0;      ///< case III: on the yield surface, from both sides
  double direction = 0.0;    ///< case III: ε̂ only shortened, principal directions included
  double idempotence = 0.0;  ///< all: a second return changes nothing
  double hardening = 0.0;    ///< all: δq = 0, ‖ε‖, δγ  [Klar16 §7.3]
  std::vector<ReturnedState> sample;
};

ReturnErrors measure_returns(int dim, const SolverChoice& solver, std::size_t count);

std::vector<Number> judge(const std::vector<ReturnErrors>& all);

}  // namespace repose::experiments::klar2016
