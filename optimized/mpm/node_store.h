#pragma once

#include "optimized/layout/block.h"
#include "optimized/layout/buffer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repose::optimized {

/// What a step holds of the grid: tiles of particle blocks, and records of four numbers (·, x, y, z) for every node of the
/// blocks of nodes that particles reach.
template <class T, int dim>
struct NodeStore {
  Buffer<T> tiles;                  ///< sums of one block of particles over the nodes it reaches
  Buffer<T> star;                   ///< m, p*: where a step stops before g2p
  Buffer<T> before;                 ///< m, pⁿ: where FLIP or a snapshot needs it
  Buffer<T> bar;                    ///< ·, v̄
  Buffer<T> tilde;                  ///< ·, ṽ; of split node blocks
  std::vector<std::uint8_t> split;  ///< per node block: some ṽ ≠ v̄
  bool momentum_loaded = false;     ///< p_i came from outside: forces are added to it

  /// @param momentum whether p* of all nodes is kept  @param friction whether ṽ can differ from v̄
  void make_room(std::size_t node_blocks, bool momentum, bool friction) {
    const std::size_t values = node_blocks * Block<dim>::node_values;
    if (momentum) star.resize(values);
    bar.resize(values);
    split.assign(node_blocks, 0);
    if (friction) tilde.resize(values);
  }

  std::size_t bytes() const {
    return tiles.bytes() + star.bytes() + before.bytes() + bar.bytes() + tilde.bytes() + split.capacity();
  }
};

}  // namespace repose::optimized
