#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

namespace repose::method {

/// Method::check of mixture: what mpm asks of its particles and nodes, of each phase; c_C ≥ 0, φ_p in [0, 1], φ_i 0 or 1.
void check_mixture_state(const Snapshot& snapshot, const Scene& scene, std::int64_t first);

}  // namespace repose::method
