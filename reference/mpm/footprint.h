#pragma once

#include "reference/interface/particles/scene_size.h"

namespace repose {

/// Memory of the readable solver: its table of nodes covers the whole domain.
Footprint reference_footprint(const Scene& scene);

}  // namespace repose
