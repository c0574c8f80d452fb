#pragma once

#include "optimized/layout/block.h"
#include "optimized/layout/key_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace repose::optimized {

/// Coordinates of a block.
using BlockPlace = std::array<std::int32_t, 3>;

/// A block's coordinates as one number, in lexicographic order; 21 bits per axis.
constexpr std::uint64_t block_key(const BlockPlace& p) {
  return (static_cast<std::uint64_t>(p[0]) << 42) | (static_cast<std::uint64_t>(p[1]) << 21) |
         static_cast<std::uint64_t>(p[2]);
}
constexpr BlockPlace block_place(std::uint64_t key) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 21) - 1;
  return {static_cast<std::int32_t>(key >> 42), static_cast<std::int32_t>((key >> 21) & mask),
          static_cast<std::int32_t>(key & mask)};
}

/// The occupied part of the grid: blocks that hold particles, and the blocks of nodes that their stencils reach. Costs
/// follow the number of occupied blocks, whatever the size of the domain.
template <int dim>
class BlockGrid {
 public:
  static constexpr std::size_t neighbours = Block<dim>::neighbours;
  /// Node blocks of a particle block, or particle blocks of a node block: entry o differs by the bits of o per axis
  /// (first axis highest), upward for node blocks and downward for particle blocks.
  using Links = std::array<std::uint32_t, neighbours>;

  /// @param keys of the particle blocks, ascending
  void build(std::vector<std::uint64_t> keys);

  std::size_t blocks() const { return keys_.size(); }
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::size_t node_blocks() const { return node_keys_.size(); }
  std::uint64_t node_key(std::size_t n) const { return node_keys_[n]; }
  const Links& nodes_of(std::size_t block) const { return nodes_of_[block]; }
  const Links& particles_of(std::size_t node_block) const { return particles_of_[node_block]; }

  /// Index of a particle block, or no_block.
  std::uint32_t find(std::uint64_t key) const { return index_.find(key); }
  std::uint32_t find_nodes(std::uint64_t key) const { return node_index_.find(key); }

  std::size_t bytes() const;

 private:
  void grow_node_index();

  std::size_t node_blocks_before_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> node_keys_;
  std::vector<Links> nodes_of_;
  std::vector<Links> particles_of_;
  KeyIndex index_;
  KeyIndex node_index_;
};

}  // namespace repose::optimized
