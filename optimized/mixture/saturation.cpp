#include "optimized/layout/tile_rows.h"
#include "optimized/mixture/mixture_twin.h"
#include "reference/interface/methods/mixture.h"

#include <algorithm>
#include <bit>

namespace repose::optimized {

/// φ_i of sand's nodes, a bit per node.                                                [Tam17 §4.3.3]
template <class T, int dim>
void MixtureTwin<T, dim>::mark_wet_nodes() {
  wet_.assign(partner_.size(), 0);
  static_assert(B::nodes == 64);
  for (std::size_t n = 0; n < partner_.size(); ++n) {
    if (partner_[n] == no_block) continue;
    const T* const s = solid_.nodes_.star.data() + n * B::node_values;
    const T* const w = water_.nodes_.star.data() + partner_[n] * B::node_values;
    std::uint64_t bits = 0;
    for (std::size_t v = 0; v < B::node_values; v += 4)
      if (is_wet(static_cast<double>(s[v]), static_cast<double>(w[v]))) bits |= std::uint64_t{1} << (v / 4);
    wet_[n] = bits;
  }
}

/// φ_p of all grains from the nodes of their blocks; what a cell's stencil holds is looked up once for all grains of the cell.
template <class T, int dim>
void MixtureTwin<T, dim>::saturate_by_blocks() {
  mark_wet_nodes();
  const auto& grid = solid_.grid();
  const auto& order = solid_.particles_.order;
  const int K = solid_.nodes_per_axis_;
  const auto n = static_cast<std::size_t>(K);
  const int threads = solid_.team_.of(Part::particle_ns / 4 * static_cast<double>(solid_.particles()));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::size_t b = 0; b < grid.blocks(); ++b) {
    std::array<std::uint32_t, B::tile_rows> rows{};
    constexpr auto length = static_cast<std::size_t>(B::tile_row);
    const auto& links = grid.nodes_of(b);
    for (std::size_t o = 0; o < links.size(); ++o)
      visit_shared_rows<dim>(o, K - 1, [&](std::size_t tile_node, std::size_t node, std::size_t nodes) {
        const auto bits = static_cast<std::uint32_t>(wet_[links[o]] >> node) & ((1U << nodes) - 1U);
        rows[tile_node / length] |= bits << (tile_node % length);
      });
    visit_images<dim>(grid, b, K - 1, [&](std::size_t tile_node, std::size_t node) {
      const auto bit = static_cast<std::uint32_t>(wet_[node / B::nodes] >> (node % B::nodes)) & 1U;
      rows[tile_node / length] |= bit << (tile_node % length);
    });

    int cell = -1;
    WetStencil stencil;
    for (std::size_t k = order.begin(b); k < order.begin(b) + order.count(b); ++k) {
      const unsigned code = order.codes()[k];
      if (static_cast<int>(code) != cell) {
        cell = static_cast<int>(code);
        stencil = {};
        const auto x = static_cast<std::size_t>(B::local(code, 0));
        const auto y = static_cast<std::size_t>(B::local(code, 1));
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < (dim == 3 ? n : 1); ++j) {
            const std::size_t row = dim == 3 ? (x + i) * B::tile_edge + y + j : x + i;
            stencil.set(dim == 3 ? n * i + j : i, (rows[row] >> B::local(code, dim - 1)) & ((1U << K) - 1U),
                        K);
          }
      }
      const std::uint32_t slot = order.records()[k];
      solid_.particles_.wetness[slot].phi =
          wet_share<T, dim>(stencil, K, solid_.particles_.record(slot) + R::offset);
    }
  }
}

/// The same from the list of nodes. @param bases, offsets of each record: those before the update
template <class T, int dim>
void MixtureTwin<T, dim>::saturate_by_list(const std::vector<std::array<std::int32_t, 3>>& bases,
                                           const std::vector<T>& offsets) {
  for (std::size_t slot = 0; slot < solid_.particles(); ++slot)
    solid_.particles_.wetness[slot].phi =
        wet_share<T, dim>(wet_stencil(bases[slot]), solid_.nodes_per_axis_, offsets.data() + dim * slot);
}

template <class T, int dim>
WetStencil MixtureTwin<T, dim>::wet_stencil(const std::array<std::int32_t, 3>& base) const {
  const Grid& grid = scene_.grid;
  const int K = solid_.nodes_per_axis_;
  const auto n = static_cast<std::size_t>(K);
  const auto index = [&](std::size_t axis, std::size_t along) {
    std::int64_t i = base[axis] + static_cast<std::int64_t>(along);
    if (grid.is_periodic(static_cast<int>(axis))) i %= grid.cells[axis];
    return i - grid.margin_of(static_cast<int>(axis));
  };
  const auto wet = [&](std::int64_t id) {
    const auto node =
        std::lower_bound(listed_.begin(), listed_.end(), id,
                         [](const MixedNode& one, std::int64_t other) { return one.id < other; });
    return node != listed_.end() && node->id == id && node->wet;
  };
  WetStencil stencil;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < (dim == 3 ? n : 1); ++j) {
      unsigned bits = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t id = dim == 3 ? grid.node_id(index(0, i), index(1, j), index(2, k))
                                         : grid.node_id(index(0, i), index(1, k), 0);
        bits |= (wet(id) ? 1U : 0U) << k;
      }
      stencil.set(dim == 3 ? n * i + j : i, bits, K);
    }
  }
  return stencil;
}

/// @param by_list of the nodes that are listed, else of those that mark_wet_nodes() saw
template <class T, int dim>
std::uint64_t MixtureTwin<T, dim>::wet_nodes(bool by_list) const {
  std::uint64_t count = 0;
  if (by_list)
    for (const MixedNode& node : listed_) count += node.wet ? 1U : 0U;
  else
    for (const std::uint64_t bits : wet_) count += static_cast<std::uint64_t>(std::popcount(bits));
  return count;
}

/// Stage 8, "saturation": the cohesion that φ_p leaves.                                [Tam17 §4.3.3]
///
///     c_C = c_C⁰ (1 − φ_p)   or   c_C⁰ min(1, (1 − φ_p)/0.6)                           [Tam17 Eq.25; ERRATA T29]
template <class T, int dim>
void MixtureTwin<T, dim>::soften() {
  if (options_.softening == Softening::none) return;
  const T late = static_cast<T>(0.6);
  const auto& laws = solid_.laws_;
  const bool alike = std::all_of(laws.begin(), laws.end(),
                                 [&](const LawRow<T>& law) { return law.cohesion == laws[0].cohesion; });
  const std::size_t grains = solid_.particles();
  const int threads = solid_.team_.of(4.0 * static_cast<double>(grains));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t slot = 0; slot < grains; ++slot) {
    Wetness<T>& one = solid_.particles_.wetness[slot];
    // Records are many cache lines; their materials are looked up only where that tells anything.
    const std::size_t material =
        alike
            ? 0
            : static_cast<std::size_t>(solid_.particles_.record(static_cast<std::uint32_t>(slot))[R::flags]) /
                  4;
    const T rest = T{1} - one.phi;
    const T share = options_.softening == Softening::linear ? rest : std::min(T{1}, rest / late);
    one.c_C = laws[material].cohesion * share;  // [Tam17 Eq.25]
  }
}

template class MixtureTwin<float, 2>;
template class MixtureTwin<float, 3>;
template class MixtureTwin<double, 2>;
template class MixtureTwin<double, 3>;

}  // namespace repose::optimized
