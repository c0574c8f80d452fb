#pragma once

#include "optimized/layout/block.h"

#include <cstddef>

namespace repose::optimized {

/// Nodes that a tile and the o-th node block it reaches have in common (BlockGrid::Links), row by row along the last
/// axis: calls visit(first node in the tile, first node in the node block, number of nodes). Rows of a tile are
/// Block::tile_row nodes apart.
template <int dim, class Visit>
void visit_shared_rows(std::size_t o, Visit&& visit) {
  using B = Block<dim>;
  int first[3] = {0, 0, 0};
  int extent[3] = {1, 1, 1};
  for (int a = 0; a < dim; ++a) {
    const bool beyond = ((o >> (dim - 1 - a)) & 1) != 0;
    first[a] = beyond ? B::edge : 0;
    extent[a] = beyond ? B::reach : B::edge;
  }
  const int rows_y = dim == 3 ? extent[1] : 1;
  for (int i = 0; i < extent[0]; ++i) {
    for (int j = 0; j < rows_y; ++j) {
      const int row = dim == 3 ? (first[0] + i) * B::tile_edge + first[1] + j : first[0] + i;
      const int to = (dim == 3 ? i * B::edge + j : i) * B::edge;
      visit(static_cast<std::size_t>(row * B::tile_row + first[dim - 1]), static_cast<std::size_t>(to),
            static_cast<std::size_t>(extent[dim - 1]));
    }
  }
}

/// Nodes of a tile, padding included.
template <int dim>
inline constexpr std::size_t tile_nodes =
    Block<dim>::tile_rows* static_cast<std::size_t>(Block<dim>::tile_row);

}  // namespace repose::optimized
