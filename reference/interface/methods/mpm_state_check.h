#pragma once

#include "reference/interface/method.h"

namespace repose::method {

/// Method::check of mpm: volume and det F > 0; material an index of the scene; case 0 to 3; m_i ≥ 0.
void check_mpm_state(const Snapshot& snapshot, const Scene& scene, std::int64_t first);

/// The same of a method whose fields of particles, and of nodes' masses, have the names of mpm.
void check_material_points(const Method& method, const Snapshot& snapshot, const Scene& scene,
                           std::int64_t first);

}  // namespace repose::method
