#pragma once

#include "reference/interface/scene/shapes.h"

#include <vector>

namespace repose::test {

/// A box, a ball and a tilted cylinder, about two units wide.
inline std::vector<Shape> bodies(int dim) {
  const Point tilted = dim == 2 ? Point::UnitZ() : Point(2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0);
  return {Box{.min = {-1, -0.5, dim == 2 ? 0.0 : -0.75}, .max = {1, 0.5, dim == 2 ? 0.0 : 0.75}},
          Sphere{.centre = {0.1, 0.2, 0}, .radius = 0.8},
          Cylinder{.centre = {0, 0.1, 0}, .axis = tilted, .radius = 0.6, .half_length = 0.7}};
}

}  // namespace repose::test
