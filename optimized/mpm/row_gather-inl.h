// Sums over one particle's stencil, lanes being node components. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_ROW_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_ROW_GATHER_INL_H_
#undef REPOSE_OPTIMIZED_MPM_ROW_GATHER_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_ROW_GATHER_INL_H_
#endif

#include "optimized/mpm/batch-inl.h"
#include "optimized/mpm/sums-inl.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Places of the weights of one particle in memory: [axis][w, d, g][4], the fourth node of the quadratic kernel zero.
template <int dim>
struct WeightTable {
  static constexpr std::size_t size = 12 * dim;
  static constexpr std::size_t at(int axis, int kind) {
    return static_cast<std::size_t>(12 * axis + 4 * kind);
  }
};

/// What a gather returns per particle, records of four numbers (·, x, y, z): Σ w v, then Σ w v Δ_a per axis a, then
/// Σ v g_a per axis if `gradient` (Δ and g in units of h).
template <int dim, bool gradient>
struct Gathered {
  static constexpr int moment = 1;
  static constexpr int slope = 1 + dim;
  static constexpr int count = slope + (gradient ? dim : 0);
};

/// Contracts the tile rows of one particle, the leading axes first, then the nodes of the rows.
/// @param base first number of the stencil's first row
/// @param out  Gathered::count records of four numbers
template <class T, int dim, int K, bool gradient>
HWY_INLINE void GatherRows(const T* HWY_RESTRICT base, const T* HWY_RESTRICT weight, T* HWY_RESTRICT out) {
  using G = Gathered<dim, gradient>;
  using W = WeightTable<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t regs = (4 * K + n - 1) / n;
  constexpr std::size_t parts = n < 4 ? 4 / n : 1;  // vectors per record of four
  constexpr std::size_t row_step = Block<dim>::row_values;
  V result[G::count][parts];
  const auto add = [&](int c, std::size_t g, V x, V w) HWY_ATTR {
    V& r = result[c][g % parts];
    r = g < parts ? hn::Mul(x, w) : hn::MulAdd(x, w, r);
  };
  const auto along = [&](int axis, int kind, std::size_t node)
                         HWY_ATTR { return hn::Set(d, weight[W::at(axis, kind) + node]); };
  REPOSE_UNROLL
  for (std::size_t g = 0; g < regs; ++g) {
    // Over the leading axes: w w, and with one factor w replaced by d or g, of differences from the first of node_order.
    // Two first nodes at a time share the loads of the weights along the second axis.
    V first_plane, value, moved[2], sloped[2];
    constexpr std::size_t at_once = dim == 3 ? 2 : 1;
    REPOSE_UNROLL
    for (std::size_t first = 0; first < K; first += at_once) {
      V row[at_once], row_moved[at_once], row_sloped[at_once];
      if constexpr (dim == 3) {
        V first_row[at_once];
        REPOSE_UNROLL
        for (std::size_t at_j = 0; at_j < K; ++at_j) {
          const std::size_t j = node_order[at_j];
          const V w = along(1, 0, j);
          const V delta = along(1, 1, j);
          const V slope = gradient ? along(1, 2, j) : w;
          REPOSE_UNROLL
          for (std::size_t i = 0; i < at_once; ++i) {
            if (first + i >= K) continue;
            const V node =
                hn::LoadU(d, base + (node_order[first + i] * Block<dim>::tile_edge + j) * row_step + g * n);
            if (at_j == 0) {
              row[i] = first_row[i] = node;
              continue;
            }
            const V differs = hn::Sub(node, first_row[i]);
            row[i] = hn::MulAdd(differs, w, row[i]);
            row_moved[i] = at_j == 1 ? hn::Mul(differs, delta) : hn::MulAdd(differs, delta, row_moved[i]);
            if constexpr (gradient)
              row_sloped[i] = at_j == 1 ? hn::Mul(differs, slope) : hn::MulAdd(differs, slope, row_sloped[i]);
          }
        }
      } else {
        row[0] = hn::LoadU(d, base + node_order[first] * row_step + g * n);
      }
      REPOSE_UNROLL
      for (std::size_t i = 0; i < at_once; ++i) {
        const std::size_t at_i = first + i;
        if (at_i >= K) continue;
        const std::size_t node = node_order[at_i];
        const V w = along(0, 0, node);
        if constexpr (dim == 3)
          moved[1] = at_i == 0 ? hn::Mul(row_moved[i], w) : hn::MulAdd(row_moved[i], w, moved[1]);
        if constexpr (dim == 3 && gradient)
          sloped[1] = at_i == 0 ? hn::Mul(row_sloped[i], w) : hn::MulAdd(row_sloped[i], w, sloped[1]);
        if (at_i == 0) {
          value = first_plane = row[i];
          continue;
        }
        const V differs = hn::Sub(row[i], first_plane);
        value = hn::MulAdd(differs, w, value);
        const V delta = along(0, 1, node);
        moved[0] = at_i == 1 ? hn::Mul(differs, delta) : hn::MulAdd(differs, delta, moved[0]);
        if constexpr (gradient) {
          const V slope = along(0, 2, node);
          sloped[0] = at_i == 1 ? hn::Mul(differs, slope) : hn::MulAdd(differs, slope, sloped[0]);
        }
      }
    }
    // Over the nodes of the row.
    const V w = SpreadWeights<T>(weight + W::at(dim - 1, 0), g);
    add(0, g, value, w);
    REPOSE_UNROLL
    for (int a = 0; a + 1 < dim; ++a) add(G::moment + a, g, moved[a], w);
    add(G::moment + dim - 1, g, value, SpreadWeights<T>(weight + W::at(dim - 1, 1), g));
    if constexpr (gradient) {
      REPOSE_UNROLL
      for (int a = 0; a + 1 < dim; ++a) add(G::slope + a, g, sloped[a], w);
      add(G::slope + dim - 1, g, value, SpreadWeights<T>(weight + W::at(dim - 1, 2), g));
    }
  }
  REPOSE_UNROLL
  for (int c = 0; c < G::count; ++c) {
    REPOSE_UNROLL
    for (std::size_t part = 0; part < parts; ++part)
      StoreChunkSum<T>(result[c][part], out + 4 * c + part * n);
  }
}

template <class T, int dim, std::size_t stride, int count>
HWY_INLINE void StoreColumns(const T* sums, std::size_t at, T (*field)[Batch<T, dim>::room], std::size_t step,
                             std::size_t to) {
  const Tag<T> d;
  REPOSE_UNROLL
  for (int a = 0; a < count; ++a) {
    hn::Vec<Tag<T>> four[4];
    LoadFourApart<T, stride>(sums, at + 4 * static_cast<std::size_t>(a), four);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c)
      hn::StoreU(four[1 + c], d, field[step * c + static_cast<std::size_t>(a)] + to);
  }
}

/// GatherBatch() particle by particle: for vectors so short that a row of nodes fills them.
template <class T, int dim, int K>
HWY_INLINE void GatherBatchByRows(const FromTile<T>& a, Batch<T, dim>& batch) {
  using W = WeightTable<dim>;
  using G = Gathered<dim, true>;
  using Kept = Gathered<dim, false>;
  using B = Batch<T, dim>;
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t stride = 4 * (G::count + 1);  // what v̄ gives, then Σ w u
  for (std::size_t first = 0; first < batch.count; first += n) {
    HWY_ALIGN T table[n * W::size];
    REPOSE_UNROLL
    for (int axis = 0; axis < dim; ++axis) {
      Weights<T, K> along;
      SetWeights<T, K>(hn::Load(d, batch.field[axis] + first), along);
      StoreFourApart<T, W::size>(along.w, table, W::at(axis, 0));
      StoreFourApart<T, W::size>(along.d, table, W::at(axis, 1));
      StoreFourApart<T, W::size>(along.g, table, W::at(axis, 2));
    }
    HWY_ALIGN T results[n * stride];
    const std::size_t real = batch.real(first);
    if (HWY_UNLIKELY(real < n)) std::fill_n(results, n * stride, T{0});
    for (std::size_t lane = 0; lane < real; ++lane) {
      const std::uint8_t code = a.code[batch.first + first + lane];
      const std::size_t at = Block<dim>::tile_offset(code);
      T* to = results + lane * stride;
      PrefetchBehind<T, dim, 1>(a, batch, first + lane);
      GatherRows<T, dim, K, true>(a.bar + at, table + lane * W::size, to);
      if (a.two == nullptr) continue;
      if (a.two[code] != 0) {
        HWY_ALIGN T other[4 * Kept::count];
        GatherRows<T, dim, K, false>(a.kept + at, table + lane * W::size, other);
        for (int v = 0; v < 4; ++v) to[4 * G::count + v] = other[v];
        for (int v = 4; v < 4 * Kept::count; ++v) to[v] = other[v];  // the moments lie behind the sum in both
      } else {
        for (int v = 0; v < 4; ++v) to[4 * G::count + v] = to[v];
      }
    }
    StoreColumns<T, dim, stride, 1>(results, 0, batch.field + B::v_bar, 1, first);
    if (a.two != nullptr)
      StoreColumns<T, dim, stride, 1>(results, 4 * G::count, batch.field + B::kept, 1, first);
    StoreColumns<T, dim, stride, dim>(results, 4 * G::moment, batch.field + B::moment, extent<dim>, first);
    StoreColumns<T, dim, stride, dim>(results, 4 * G::slope, batch.field + B::slope, extent<dim>, first);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
