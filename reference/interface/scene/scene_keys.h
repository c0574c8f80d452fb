#pragma once

#include "reference/interface/scene/key.h"

namespace repose {

/// The keys of a scene in front of all tables, and [domain]; but for its method and its tables.
const Keys<Scene>& scene_keys();

/// That no stencil of the scene's method meets itself along a periodic axis. @throws BadInput
void check_periods(const Scene& scene, const ScenePart& part);

}  // namespace repose
