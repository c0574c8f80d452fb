#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

namespace repose::optimized {

/// Memory of the fast solver: it follows the blocks in use, whatever the domain.
Footprint optimized_footprint(const Scene& scene, const SolverOptions& options);

}  // namespace repose::optimized
