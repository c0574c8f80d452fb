#include "optimized/layout/block_grid.h"

#include <algorithm>

namespace repose::optimized {

namespace {

/// The neighbour of a block by the bits of `o`, first axis highest.
template <int dim>
std::uint64_t moved(std::uint64_t key, std::size_t o) {
  BlockPlace place = block_place(key);
  for (int a = 0; a < dim; ++a)
    place[static_cast<std::size_t>(a)] += static_cast<std::int32_t>((o >> (dim - 1 - a)) & 1);
  return block_key(place);
}

}  // namespace

template <int dim>
void BlockGrid<dim>::build(std::vector<std::uint64_t> keys) {
  keys_ = std::move(keys);
  const std::size_t blocks = keys_.size();
  index_.reset(blocks);
  for (std::size_t b = 0; b < blocks; ++b) index_.find_or_add(keys_[b], static_cast<std::uint32_t>(b));

  // Node blocks are numbered as the particle blocks meet them: near each other in space, near in memory.
  Links none;
  none.fill(no_block);
  node_keys_.clear();
  particles_of_.clear();
  nodes_of_.resize(blocks);
  node_index_.reset(std::min(blocks * neighbours, std::max(2 * blocks + 64, node_blocks_before_)));
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t o = 0; o < neighbours; ++o) {
      const std::uint64_t key = moved<dim>(keys_[b], o);
      if (2 * node_keys_.size() + 2 > node_index_.slots()) grow_node_index();
      const auto fresh = static_cast<std::uint32_t>(node_keys_.size());
      const std::uint32_t n = node_index_.find_or_add(key, fresh);
      if (n == fresh) {
        node_keys_.push_back(key);
        particles_of_.push_back(none);
      }
      nodes_of_[b][o] = n;
      particles_of_[n][o] = static_cast<std::uint32_t>(b);
    }
  }
  node_blocks_before_ = node_keys_.size();
}

template <int dim>
void BlockGrid<dim>::grow_node_index() {
  node_index_.reset(2 * node_keys_.size() + 64);
  for (std::size_t n = 0; n < node_keys_.size(); ++n)
    node_index_.find_or_add(node_keys_[n], static_cast<std::uint32_t>(n));
}

template <int dim>
std::size_t BlockGrid<dim>::bytes() const {
  return keys_.capacity() * sizeof(std::uint64_t) + nodes_of_.capacity() * sizeof(Links) +
         node_keys_.capacity() * sizeof(std::uint64_t) + particles_of_.capacity() * sizeof(Links) +
         index_.bytes() + node_index_.bytes();
}

template class BlockGrid<2>;
template class BlockGrid<3>;

}  // namespace repose::optimized
