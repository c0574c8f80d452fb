#pragma once

#include "reference/interface/base/grid.h"
#include "validation/invariants/plain.h"

namespace repose::invariants {

/// A grid of which each axis is periodic by the bits of `axes`.
inline Grid periodic_grid(Dice& dice, int dim, int axes, int least_cells) {
  Grid grid{.dim = dim, .h = dice.between(0.05, 0.2)};
  for (int axis = 0; axis < dim; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    grid.domain_min[axis] = dice.between(-3.0, 3.0);
    grid.cells[a] = dice.whole(least_cells, least_cells + 6);
    grid.periodic[a] = (axes >> axis & 1) != 0;
  }
  return grid;
}

inline double length_of(const Grid& grid, int axis) {
  return static_cast<double>(grid.cells[static_cast<std::size_t>(axis)]) * grid.h;
}

}  // namespace repose::invariants
