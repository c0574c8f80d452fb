#pragma once

#include "reference/interface/solver.h"

#include <memory>
#include <string>

namespace repose::optimized {

/// The fast solver of [Klar16]: several threads, float or double, 2D and 3D, with explicit or implicit steps as the scene
/// says. Its numerics are its own; README.md explains its layout.
/// @throws BadInput for a scene that steps_lacking() names, if the instruction set that options.simd names is not there, threads < 1, or the grid is too large
std::unique_ptr<Solver> make_optimized_solver(const Scene& scene, const SolverOptions& options);

/// The options of a scene of which the fast solver has no steps yet, as scene files say them: semi-implicit ones, and the
/// unilateral energy in implicit ones. Empty where it has all.
std::string steps_lacking(const Scene& scene);

}  // namespace repose::optimized

namespace repose {
using optimized::make_optimized_solver;
}
