#pragma once

#include "experiments/picture/picture.h"

#include <optional>

namespace repose::experiments {

/// Where a ray meets what is drawn of a body.
struct BodyHit {
  double distance = 0.0;         ///< along the ray [m], > 0
  Point normal = Point::Zero();  ///< unit vector, against the ray
};

/// The drawn surface of a body on a ray from the eye: of a solid where the ray enters it, of a hollow body where the ray
/// leaves its room. Nothing if the eye is within the solid, so that one looks through the near walls of a room.
std::optional<BodyHit> first_hit(const Body& body, const Point& eye, const Point& direction);

/// Whether a point lies in the solid behind a half-space, where the surfaces of others are hidden.
bool buried(const Body& half_space, const Point& x);

}  // namespace repose::experiments
