#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/particles/random.h"

namespace repose::test {

/// A point evenly distributed over a cube around the origin; z = 0 in 2D.
inline Point random_point(Random& random, double half_width, int dim) {
  Point x = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) x[axis] = random.between(-half_width, half_width);
  return x;
}

/// A unit vector; in 2D in the plane.
inline Point random_direction(Random& random, int dim) {
  for (;;) {
    const Point x = random_point(random, 1.0, dim);
    if (x.norm() > 0.1 && x.norm() < 1.0) return x.normalized();
  }
}

}  // namespace repose::test
