#pragma once

#include "optimized/layout/block.h"
#include "optimized/layout/block_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace repose::optimized {

/// Nodes that a tile and the o-th node block it reaches have in common (BlockGrid::Links), row by row along the last
/// axis: calls visit(first node in the tile, first node in the node block, number of nodes). Rows of a tile are
/// Block::tile_row nodes apart.
/// @param reach nodes that stencils reach beyond their block: 3 cubic, 2 quadratic; what lies further holds nothing
template <int dim, class Visit>
void visit_shared_rows(std::size_t o, int reach, Visit&& visit) {
  using B = Block<dim>;
  int first[3] = {0, 0, 0};
  int extent[3] = {1, 1, 1};
  for (int a = 0; a < dim; ++a) {
    const bool beyond = ((o >> (dim - 1 - a)) & 1) != 0;
    first[a] = beyond ? B::edge : 0;
    extent[a] = beyond ? reach : B::edge;
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

/// Calls act(length of a shared row as a compile-time constant): loops of such lengths are unrolled, copies no calls.
template <int dim, class Act>
void with_row_length(std::size_t nodes, Act&& act) {
  if (nodes == Block<dim>::edge)
    act(std::integral_constant<std::size_t, Block<dim>::edge>());
  else if (nodes == Block<dim>::reach)
    act(std::integral_constant<std::size_t, Block<dim>::reach>());
  else
    act(std::integral_constant<std::size_t, Block<dim>::reach - 1>());
}

/// Copies a shared row of node records.
template <int dim, class T>
void copy_row(const T* from, std::size_t nodes, T* to) {
  with_row_length<dim>(nodes, [&](auto count) { std::memcpy(to, from, 4 * sizeof(T) * count()); });
}

/// What tiles hold of one block of nodes and of no image of them.
/// @param links blocks of particles that reach the nodes
template <int dim, int values, class T>
void sum_links(const typename BlockGrid<dim>::Links& links, const T* tiles, std::size_t stride, int reach,
               T* sum) {
  using B = Block<dim>;
  std::fill_n(sum, values * B::nodes, T{0});
  for (std::size_t o = 0; o < links.size(); ++o) {
    if (links[o] == no_block) continue;
    const T* tile = tiles + links[o] * stride;
    visit_shared_rows<dim>(o, reach, [&](std::size_t in_tile, std::size_t in_nodes, std::size_t nodes) {
      const T* from = tile + values * in_tile;
      T* to = sum + values * in_nodes;
      with_row_length<dim>(nodes, [&](auto count) {
        for (std::size_t v = 0; v < values * count(); ++v) to[v] += from[v];
      });
    });
  }
}

/// What tiles hold of one block of nodes, `values` numbers per node, always summed in the order of the links, then of the
/// images. Images themselves get nothing.
/// @param stride numbers from one block's tile to the next's
template <int dim, int values, class T>
void sum_tiles(const BlockGrid<dim>& grid, std::size_t node_block, const T* tiles, std::size_t stride,
               int reach, T* sum) {
  constexpr std::size_t nodes = Block<dim>::nodes;
  sum_links<dim, values>(grid.particles_of(node_block), tiles, stride, reach, sum);
  if (!grid.has_images()) return;
  for (const Image& one : grid.images_in(node_block))
    std::fill_n(sum + values * (one.image % nodes), values, T{0});
  T beyond[values * nodes];
  std::size_t held = no_block;  // the block that `beyond` is of
  for (const Image& one : grid.images_of(node_block)) {
    if (one.image / nodes != held) {
      held = one.image / nodes;
      sum_links<dim, values>(grid.particles_of(held), tiles, stride, reach, beyond);
    }
    for (std::size_t v = 0; v < values; ++v)
      sum[values * (one.node % nodes) + v] += beyond[values * (one.image % nodes) + v];
  }
}

/// The nodes of a block's tile that are images: calls visit(node in the tile, place of the node itself among all records).
template <int dim, class Visit>
void visit_images(const BlockGrid<dim>& grid, std::size_t block, int reach, Visit&& visit) {
  using B = Block<dim>;
  if (!grid.has_images()) return;
  const auto& links = grid.nodes_of(block);
  for (std::size_t o = 0; o < links.size(); ++o) {
    for (const Image& one : grid.images_in(links[o])) {
      int at[3] = {0, 0, 0};
      bool reached = true;
      for (int a = 0; a < dim; ++a) {
        const bool beyond = ((o >> (dim - 1 - a)) & 1) != 0;
        at[a] = B::local(one.image % B::nodes, a) + (beyond ? B::edge : 0);
        reached = reached && at[a] < B::edge + reach;
      }
      if (!reached) continue;
      const int row = dim == 3 ? at[0] * B::tile_edge + at[1] : at[0];
      visit(static_cast<std::size_t>(row * B::tile_row + at[dim - 1]), std::size_t{one.node});
    }
  }
}

/// Nodes of a tile, padding included.
template <int dim>
inline constexpr std::size_t tile_nodes =
    Block<dim>::tile_rows* static_cast<std::size_t>(Block<dim>::tile_row);

}  // namespace repose::optimized
