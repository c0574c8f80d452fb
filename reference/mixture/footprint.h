#pragma once

#include "reference/interface/particles/scene_size.h"

namespace repose {

/// Memory of the readable solver of the mixture: a table of all nodes for either phase.
Footprint mixture_footprint(const Scene& scene);

}  // namespace repose
