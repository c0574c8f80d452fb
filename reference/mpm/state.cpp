#include "reference/mpm/state.h"

#include <algorithm>

namespace repose {

namespace {

std::size_t node_count(const Grid& grid) {
  return static_cast<std::size_t>(grid.nodes(0) * grid.nodes(1) * grid.nodes(2));
}

std::size_t index(std::int64_t id) { return static_cast<std::size_t>(id); }

}  // namespace

template <int d>
ActiveNodes<d>::ActiveNodes(const Grid& grid) : slot_(node_count(grid), none) {}

template <int d>
void ActiveNodes<d>::clear() {
  for (const Node<d>& node : node_) slot_[index(node.id)] = none;
  node_.clear();
}

template <int d>
Node<d>& ActiveNodes<d>::touch(std::int64_t id) {
  std::int32_t& slot = slot_.at(index(id));
  if (slot == none) {
    slot = static_cast<std::int32_t>(node_.size());
    node_.emplace_back().id = id;
  }
  return node_[static_cast<std::size_t>(slot)];
}

template <int d>
Node<d>* ActiveNodes<d>::find(std::int64_t id) {
  const std::int32_t slot = slot_[index(id)];
  return slot == none ? nullptr : &node_[static_cast<std::size_t>(slot)];
}

template <int d>
const Node<d>* ActiveNodes<d>::find(std::int64_t id) const {
  const std::int32_t slot = slot_[index(id)];
  return slot == none ? nullptr : &node_[static_cast<std::size_t>(slot)];
}

template <int d>
void ActiveNodes<d>::keep_massive() {
  for (const Node<d>& node : node_) slot_[index(node.id)] = none;
  std::erase_if(node_, [](const Node<d>& node) { return node.m == 0.0; });
  std::sort(node_.begin(), node_.end(), [](const Node<d>& a, const Node<d>& b) { return a.id < b.id; });
  for (std::size_t n = 0; n < node_.size(); ++n) slot_[index(node_[n].id)] = static_cast<std::int32_t>(n);
}

template class ActiveNodes<2>;
template class ActiveNodes<3>;

}  // namespace repose
