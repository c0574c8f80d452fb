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
  node_keys_.clear();
  particles_of_.clear();
  nodes_of_.resize(blocks);
  node_index_.reset(std::min(blocks * neighbours, std::max(2 * blocks + 64, node_blocks_before_)));
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t o = 0; o < neighbours; ++o) {
      const std::uint32_t n = add_nodes(moved<dim>(keys_[b], o));
      nodes_of_[b][o] = n;
      particles_of_[n][o] = static_cast<std::uint32_t>(b);
    }
  }
  find_images();
  node_blocks_before_ = node_keys_.size();
}

/// The number of a block of nodes, which is new if it had none.
template <int dim>
std::uint32_t BlockGrid<dim>::add_nodes(std::uint64_t key) {
  if (2 * node_keys_.size() + 2 > node_index_.slots()) grow_node_index();
  const auto fresh = static_cast<std::uint32_t>(node_keys_.size());
  const std::uint32_t n = node_index_.find_or_add(key, fresh);
  if (n == fresh) {
    Links none;
    none.fill(no_block);
    node_keys_.push_back(key);
    particles_of_.push_back(none);
  }
  return n;
}

template <int dim>
void BlockGrid<dim>::find_images() {
  images_.clear();
  if (periods_ == Periods{}) return;
  images_begin_.assign(1, 0);
  // Blocks of the nodes themselves are added behind the others, and looked through in their turn.
  for (std::size_t n = 0; n < node_keys_.size(); ++n) {
    add_images(n);
    images_begin_.push_back(images_.size());
  }
  // The same by the nodes' blocks.
  seen_begin_.assign(node_keys_.size() + 1, 0);
  for (const Image& one : images_) ++seen_begin_[one.node / Block<dim>::nodes + 1];
  for (std::size_t n = 0; n < node_keys_.size(); ++n) seen_begin_[n + 1] += seen_begin_[n];
  std::vector<std::size_t> next(seen_begin_.begin(), seen_begin_.end() - 1);
  seen_.resize(images_.size());
  for (const Image& one : images_) seen_[next[one.node / Block<dim>::nodes]++] = one;
}

template <int dim>
void BlockGrid<dim>::add_images(std::size_t node_block) {
  using B = Block<dim>;
  const BlockPlace place = block_place(node_keys_[node_block]);
  bool any = false;
  for (std::size_t a = 0; a < dim; ++a)
    any = any || (periods_[a] > 0 && ((place[a] + 1) << B::log_edge) > periods_[a]);
  if (!any) return;
  for (std::size_t local = 0; local < B::nodes; ++local) {
    std::array<std::int32_t, 3> node{0, 0, 0};
    BlockPlace own{0, 0, 0};
    bool beyond = false;
    bool reached = true;
    for (std::size_t a = 0; a < dim; ++a) {
      node[a] = (place[a] << B::log_edge) + B::local(static_cast<unsigned>(local), static_cast<int>(a));
      if (periods_[a] > 0 && node[a] >= periods_[a]) {
        beyond = true;
        node[a] -= periods_[a];
        reached = reached && node[a] < B::reach;
      }
      own[a] = node[a] >> B::log_edge;
    }
    if (!beyond || !reached) continue;
    const std::size_t n = add_nodes(block_key(own));
    images_.push_back({static_cast<std::uint32_t>(node_block * B::nodes + local),
                       static_cast<std::uint32_t>(n * B::nodes + B::code(node.data()))});
  }
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
         index_.bytes() + node_index_.bytes() + (images_.capacity() + seen_.capacity()) * sizeof(Image);
}

template class BlockGrid<2>;
template class BlockGrid<3>;

}  // namespace repose::optimized
