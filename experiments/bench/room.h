#pragma once

#include "reference/interface/scene/scene.h"

namespace repose::experiments {

/// A floor and walls around a scene's sand, with a friction of 0.5: at low.y, and from low to high along x and in 3D along z [m].
void add_room(Scene& scene, const Point& low, const Point& high);

}  // namespace repose::experiments
