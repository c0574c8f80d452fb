#include "optimized/mixture/mixture_twin.h"
#include "reference/interface/methods/mixture.h"

#include <algorithm>

namespace repose::optimized {

/// The nodes of both phases, which stand at p2g or behind forces, in front of the drag.
template <class T, int dim>
void MixtureTwin<T, dim>::list_nodes() {
  listed_.clear();
  for (const mixture::Phase phase : mixture::phases) {
    const auto k = static_cast<std::size_t>(phase);
    const Part& own = part(phase);
    const Buffer<T>& from = own.step_.at == optimized::p2g ? own.nodes_.before : own.nodes_.star;
    const std::size_t others = listed_.size();
    for (const auto& [id, v] : own.active_nodes(from)) {
      MixedNode& node = listed_.emplace_back();
      node.id = id;
      node.m[k] = static_cast<double>(from[v]);
      for (std::size_t c = 0; c < dim; ++c) {
        node.p_star[k][c] = static_cast<double>(from[v + 1 + c]);
        if (k == sand && v < reversible_.size())
          node.reversible[c] = static_cast<double>(reversible_[v + 1 + c]);
      }
    }
    std::inplace_merge(listed_.begin(), listed_.begin() + static_cast<std::ptrdiff_t>(others), listed_.end(),
                       [](const MixedNode& one, const MixedNode& other) { return one.id < other.id; });
  }
  // Of two at one node, sand's stands first.
  std::size_t kept = 0;
  for (std::size_t n = 0; n < listed_.size(); ++n) {
    if (kept > 0 && listed_[kept - 1].id == listed_[n].id) {
      listed_[kept - 1].m[water] = listed_[n].m[water];
      listed_[kept - 1].p_star[water] = listed_[n].p_star[water];
    } else {
      listed_[kept++] = listed_[n];
    }
  }
  listed_.resize(kept);
  for (MixedNode& node : listed_) node.wet = is_wet(node.m[sand], node.m[water]);
}

/// Of a state between p2g and saturation; up to friction the phases have read theirs. Nodes of neither are dropped.
template <class T, int dim>
void MixtureTwin<T, dim>::read_listed(const Snapshot& s) {
  const bool of_parts = step_.at <= At::friction;
  reversible_.resize(0);
  listed_.clear();
  if (of_parts) list_nodes();
  const auto numbers = [&](std::string_view name) -> const double* {
    const Field* field = s.find(name);
    return field == nullptr ? nullptr : field->value.data();
  };
  const std::array<const double*, 2> m{numbers(field::m_i), numbers(field::m_i_w)};
  const std::array<const double*, 2> p_star{numbers(field::p_star), numbers(field::p_star_w)};
  const double* const reversible = numbers(field::reversible);
  const double* const phi_i = step_.at == At::saturation ? numbers(field::phi_i) : nullptr;
  std::size_t at = 0;
  for (std::size_t n = 0; n < s.count(Place::node); ++n) {
    MixedNode fresh;
    fresh.id = s.ids(Place::node)[n];
    MixedNode* node = &fresh;
    if (of_parts) {
      while (at < listed_.size() && listed_[at].id < fresh.id) ++at;
      if (at == listed_.size() || listed_[at].id != fresh.id) continue;
      node = &listed_[at];
    } else {
      for (const std::size_t k : {sand, water}) fresh.m[k] = static_cast<double>(static_cast<T>(m[k][n]));
      if (!(fresh.m[sand] > 0.0 || fresh.m[water] > 0.0)) continue;
      // Behind saturation it is decided.
      fresh.wet = phi_i != nullptr ? phi_i[n] != 0.0 : is_wet(fresh.m[sand], fresh.m[water]);
    }
    for (std::size_t c = 0; c < dim; ++c) {
      for (const std::size_t k : {sand, water})
        if (p_star[k] != nullptr)
          node->p_star[k][c] = static_cast<double>(static_cast<T>(p_star[k][dim * n + c]));
      if (reversible != nullptr)
        node->reversible[c] = static_cast<double>(static_cast<T>(reversible[dim * n + c]));
    }
    if (!of_parts) listed_.push_back(fresh);
  }
}

/// What no phase has of its own at the nodes of a state that lists them.
template <class T, int dim>
void MixtureTwin<T, dim>::write_listed(Snapshot& s) const {
  const auto write = [&](std::string_view name, auto value) {
    if (s.find(name) == nullptr) return;
    Field& field = s.get(name);
    const auto k = static_cast<std::size_t>(field.components);
    for (std::size_t n = 0; n < listed_.size(); ++n)
      for (std::size_t c = 0; c < k; ++c) field.value[k * n + c] = value(listed_[n], c);
  };
  write(field::m_i, [](const MixedNode& node, std::size_t) { return node.m[sand]; });
  write(field::m_i_w, [](const MixedNode& node, std::size_t) { return node.m[water]; });
  write(field::reversible, [](const MixedNode& node, std::size_t c) { return node.reversible[c]; });
  write(field::p_star, [](const MixedNode& node, std::size_t c) { return node.p_star[sand][c]; });
  write(field::p_star_w, [](const MixedNode& node, std::size_t c) { return node.p_star[water][c]; });
  write(field::phi_i, [](const MixedNode& node, std::size_t) { return node.wet ? 1.0 : 0.0; });
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
