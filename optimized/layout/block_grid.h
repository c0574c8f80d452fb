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

/// A node of a periodic axis seen across its seam: places among all node records, block · Block::nodes + local.
struct Image {
  std::uint32_t image;  ///< beyond the axis' last node; its record stays empty
  std::uint32_t node;   ///< the node that it is
};

/// Nodes along each periodic axis; 0 along the others.
using Periods = std::array<std::int32_t, 3>;

/// The occupied part of the grid: blocks that hold particles, and the blocks of nodes that their stencils reach. Costs
/// follow the number of occupied blocks, whatever the size of the domain.
///
/// Bases along a periodic axis lie in [0, N), so stencils reach up to three nodes further, whatever N is to blocks. Those
/// are images of the first nodes: what tiles hold of an image belongs to the node (sum_tiles()), and tiles that reach an
/// image read the node (visit_images()).
template <int dim>
class BlockGrid {
 public:
  static constexpr std::size_t neighbours = Block<dim>::neighbours;
  /// Node blocks of a particle block, or particle blocks of a node block: entry o differs by the bits of o per axis
  /// (first axis highest), upward for node blocks and downward for particle blocks.
  using Links = std::array<std::uint32_t, neighbours>;

  /// For the next build().
  void set_periods(const Periods& periods) { periods_ = periods; }

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

  bool has_images() const { return !images_.empty(); }
  /// The images among the nodes of a block, and those of them, as ever in one order.
  std::span<const Image> images_in(std::size_t node_block) const {
    return part(images_, images_begin_, node_block);
  }
  std::span<const Image> images_of(std::size_t node_block) const {
    return part(seen_, seen_begin_, node_block);
  }

  std::size_t bytes() const;

 private:
  static std::span<const Image> part(const std::vector<Image>& all, const std::vector<std::size_t>& begin,
                                     std::size_t n) {
    return all.empty() ? std::span<const Image>()
                       : std::span<const Image>(all).subspan(begin[n], begin[n + 1] - begin[n]);
  }
  std::uint32_t add_nodes(std::uint64_t key);
  void grow_node_index();
  void find_images();
  void add_images(std::size_t node_block);

  std::size_t node_blocks_before_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> node_keys_;
  std::vector<Links> nodes_of_;
  std::vector<Links> particles_of_;
  KeyIndex index_;
  KeyIndex node_index_;
  Periods periods_{};
  std::vector<Image> images_, seen_;  ///< by the block of the image; by that of the node
  std::vector<std::size_t> images_begin_, seen_begin_;
};

}  // namespace repose::optimized
