#pragma once

#include "reference/interface/scene/scene.h"

#include <optional>
#include <string>
#include <vector>

namespace repose {

/// Least extent of a solid [m]: the shortest edge of a box, the diameter of a sphere, the shorter of diameter and length
/// of a cylinder. None for a half-space and for what is outside a hollow shape, which have no other side.
std::optional<double> thickness(const Collider& collider, int dim);

/// What is allowed in a scene and seldom meant, one line each without a line end, for people who start a run:
///   * solids thinner than 2 h, through which particles pass;
///   * emitters that end before their first particle comes.
std::vector<std::string> warnings(const Scene& scene);

}  // namespace repose
