#include "optimized/layout/block_grid.h"

#include <algorithm>

namespace repose::optimized {

namespace {

/// The neighbour of a block by the bits of `o`, first axis highest.
template <int dim>
std::uint64_t moved(std::uint64_t key, std::size_t o) {
  BlockPlace place = block_place(key);
  for (int a = 0; a < dim; ++a) place[static_cast<std::size_t>(a)] += static_cast<std::int32_t>((o >> (dim - 1 - a)) & 1);
  return block_key(place);
}

}  // namespace

template <int dim>
void BlockGrid<dim>::build(std::vector<std::uint64_t> keys) {
  keys_ = std::move(keys);
  node_keys_.clear();
  for (std::size_t o = 0; o < neighbours; ++o)
    for (const std::uint64_t key : keys_) node_keys_.push_back(moved<dim>(key, o));
  std::sort(node_keys_.begin(), node_keys_.end());
  node_keys_.erase(std::unique(node_keys_.begin(), node_keys_.end()), node_keys_.end());

  index_.clear();
  index_.reserve(keys_.size());
  for (std::size_t b = 0; b < keys_.size(); ++b) index_.emplace(keys_[b], static_cast<std::uint32_t>(b));
  node_index_.clear();
  node_index_.reserve(node_keys_.size());
  for (std::size_t n = 0; n < node_keys_.size(); ++n) node_index_.emplace(node_keys_[n], static_cast<std::uint32_t>(n));

  nodes_of_.resize(keys_.size());
  Links none;
  none.fill(no_block);
  particles_of_.assign(node_keys_.size(), none);
  for (std::size_t b = 0; b < keys_.size(); ++b) {
    for (std::size_t o = 0; o < neighbours; ++o) {
      const std::uint32_t n = node_index_.at(moved<dim>(keys_[b], o));
      nodes_of_[b][o] = n;
      particles_of_[n][o] = static_cast<std::uint32_t>(b);
    }
  }
}

template <int dim>
std::uint32_t BlockGrid<dim>::find(std::uint64_t key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? no_block : found->second;
}

template <int dim>
std::uint32_t BlockGrid<dim>::find_nodes(std::uint64_t key) const {
  const auto found = node_index_.find(key);
  return found == node_index_.end() ? no_block : found->second;
}

template <int dim>
std::size_t BlockGrid<dim>::bytes() const {
  constexpr std::size_t map_entry = 40;  // an estimate: node, bucket, allocation header
  return keys_.capacity() * (sizeof(std::uint64_t) + sizeof(Links) + map_entry) +
         node_keys_.capacity() * (sizeof(std::uint64_t) + sizeof(Links) + map_entry);
}

template class BlockGrid<2>;
template class BlockGrid<3>;

}  // namespace repose::optimized
