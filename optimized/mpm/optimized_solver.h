#pragma once

#include "reference/interface/solver.h"

#include <memory>

namespace repose::optimized {

/// The fast solver of [Klar16]: several threads, float or double, 2D and 3D, with explicit, semi-implicit or implicit steps as
/// the scene says. Its numerics are its own; README.md explains its layout.
/// @throws BadInput if the instruction set that options.simd names is not there, threads < 1, or the grid is too large
std::unique_ptr<Solver> make_optimized_solver(const Scene& scene, const SolverOptions& options);

/// That a fast solver can be made of a scene of mpm. @throws BadInput if threads < 1, or the grid is too large
void require_possible(const Scene& scene, const SolverOptions& options);

}  // namespace repose::optimized

namespace repose {
using optimized::make_optimized_solver;
}
