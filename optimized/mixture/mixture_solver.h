#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

#include <memory>

namespace repose::optimized {

/// The fast solver of the mixture of [Tam17]: several threads, float or double, 2D and 3D, explicit and
/// semi-implicit steps.
/// @throws BadInput as make_optimized_solver()
std::unique_ptr<Solver> make_mixture_solver(const Scene& scene, const SolverOptions& options);

/// Memory of it: that of the fast solver of mpm for each phase, which follows the blocks in use.
Footprint mixture_footprint(const Scene& scene, const SolverOptions& options);

}  // namespace repose::optimized
