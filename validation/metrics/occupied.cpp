#include "validation/metrics/occupied.h"

#include "reference/interface/methods/mpm.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace repose::metrics {

Occupied occupied(const Snapshot& state, const Scene& scene) {
  const Grid& grid = scene.grid;
  const double cell_volume = std::pow(grid.h, grid.dim);
  const Field& x = state.get(field::x);
  const auto& volume = state.get(field::volume).value;
  std::unordered_set<std::int64_t> cells;
  std::unordered_map<std::int64_t, double> fill;
  for (std::size_t p = 0; p < volume.size(); ++p) {
    const Point at = crosscheck::point(x, p);
    std::array<std::int64_t, 3> corner{0, 0, 0};
    for (int axis = 0; axis < grid.dim; ++axis)
      corner[static_cast<std::size_t>(axis)] =
          static_cast<std::int64_t>(std::floor((at[axis] - grid.domain_min[axis]) / grid.h));
    cells.insert(grid.node_id(corner[0], corner[1], corner[2]));
    const crosscheck::Stencil near = crosscheck::stencil(scene, at);
    for (std::size_t i = 0; i < static_cast<std::size_t>(near.size); ++i)
      fill[near.node[i]] += near.w[i] * volume[p] / cell_volume;
  }
  double sum = 0.0;
  double squares = 0.0;
  for (const auto& [node, share] : fill) {
    sum += share;
    squares += share * share;
  }
  const double half = sum > 0.0 ? 0.5 * squares / sum : 0.0;
  std::size_t dense = 0;
  for (const auto& [node, share] : fill) dense += share > half ? 1U : 0U;
  return {.by_cells = cell_volume * static_cast<double>(cells.size()),
          .by_density = cell_volume * static_cast<double>(dense)};
}

}  // namespace repose::metrics
