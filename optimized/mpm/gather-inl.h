// Sums over the stencils of particles that share a cell. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/mpm/batch-inl.h"
#include "optimized/mpm/groups-inl.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/bspline-inl.h"
#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Per lane, along one axis a and component c of v: Σ w v_c, Σ w v_c Δ_a, Σ v_c g_a (Δ and g in units of h).
template <class T, int dim>
struct Sums {
  using V = hn::Vec<Tag<T>>;
  V value[extent<dim>];
  V moment[extent<dim>][extent<dim>];  ///< [c][a]
  V slope[extent<dim>][extent<dim>];   ///< [c][a]; left alone without `gradient`
};

/// Component c of the node records at[0], at[1], … in all lanes of their groups; `records` holds LoadNode of them.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> LoadNode(const T* const* at, std::size_t first) {
  if constexpr (sizeof(T) == 4)
    return LoadBlocks<T>(at, 0, 1, first);
  else
    return hn::Zero(Tag<T>());
}
template <class T, int c>
HWY_INLINE hn::Vec<Tag<T>> NodeComponent(hn::Vec<Tag<T>> records, const T* const* at, std::size_t first) {
  const Tag<T> d;
  constexpr std::size_t place = static_cast<std::size_t>(1 + c);
  if constexpr (sizeof(T) == 4) {
    return hn::Broadcast<1 + c>(records);
  } else if constexpr (groups<T> == 1) {
    return hn::Set(d, at[0][first + place]);
  } else {
    const hn::Half<Tag<T>> half;
    return hn::Combine(d, hn::Set(half, at[1][first + place]), hn::Set(half, at[0][first + place]));
  }
}

/// Order in which the nodes of a stencil are summed along an axis. The first one stands for all: Σ N̂ = 1, Σ N̂ Δ = 0 and
/// Σ N̂′ = 0, so with differences from it
///     Σ w v = v₁ + Σ w (v − v₁),   Σ w Δ v = Σ w Δ (v − v₁),   Σ g v = Σ g (v − v₁)
/// and it costs no product. Differences also keep the digits of slopes in a fast, even flow.
inline constexpr std::size_t node_order[4] = {1, 0, 2, 3};

/// One row of nodes: for components c and up Σ w v, Σ d v and Σ g v along the last axis.
/// @param record LoadNode of the nodes, in groups of float less that of the first in node_order
template <class T, int dim, int K, bool gradient, int c = 0>
HWY_INLINE void AddRow(const hn::Vec<Tag<T>>* record, const T* const* at, std::size_t first,
                       const Weights<T, K>& last, hn::Vec<Tag<T>> (*sum)[3]) {
  if constexpr (c < dim) {
    using V = hn::Vec<Tag<T>>;
    const V origin = NodeComponent<T, c>(record[node_order[0]], at, first + 4 * node_order[0]);
    V value = origin, moment, slope;
    REPOSE_UNROLL
    for (std::size_t k = 1; k < K; ++k) {
      const std::size_t z = node_order[k];
      V v = NodeComponent<T, c>(record[z], at, first + 4 * z);
      if constexpr (sizeof(T) != 4) v = hn::Sub(v, origin);
      value = hn::MulAdd(v, last.w[z], value);
      moment = k == 1 ? hn::Mul(v, last.d[z]) : hn::MulAdd(v, last.d[z], moment);
      if constexpr (gradient) slope = k == 1 ? hn::Mul(v, last.g[z]) : hn::MulAdd(v, last.g[z], slope);
    }
    sum[c][0] = value;
    sum[c][1] = moment;
    if constexpr (gradient) sum[c][2] = slope;
    AddRow<T, dim, K, gradient, c + 1>(record, at, first, last, sum);
  }
}

/// Contracts the tiles' rows along the last axis, then the second, then the first. Nodes are read once for all lanes of
/// a group; no sum crosses lanes.
/// @param at first number of each group's stencil
template <class T, int dim, int K, bool gradient>
HWY_INLINE void Gather(const T* const* at, const Weights<T, K>* weight, Sums<T, dim>& out) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t k = static_cast<std::size_t>(K);
  constexpr std::size_t planes = dim == 3 ? k : 1;
  constexpr std::size_t kinds = gradient ? 3 : 2;
  constexpr std::size_t n = lanes<T>;
  // In memory, for there are more rows than registers.
  HWY_ALIGN T row[extent<dim>][planes * k][kinds][n];
  for (std::size_t i = 0; i < planes; ++i) {
    REPOSE_UNROLL
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t first = (i * Block<dim>::tile_edge + j) * Block<dim>::row_values;
      V record[4];
      record[node_order[0]] = LoadNode<T>(at, first + 4 * node_order[0]);
      REPOSE_UNROLL
      for (std::size_t z = 1; z < k; ++z) {
        const std::size_t node = node_order[z];
        record[node] = hn::Sub(LoadNode<T>(at, first + 4 * node), record[node_order[0]]);
      }
      V sum[extent<dim>][3];
      AddRow<T, dim, K, gradient>(record, at, first, weight[dim - 1], sum);
      REPOSE_UNROLL
      for (std::size_t c = 0; c < extent<dim>; ++c) {
        REPOSE_UNROLL
        for (std::size_t kind = 0; kind < kinds; ++kind) hn::Store(sum[c][kind], d, row[c][i * k + j][kind]);
      }
    }
  }
  // The node-th of a sum, of values or, behind the first, of differences from the first.
  const auto add = [](std::size_t node, V x, V w, V sum)
                       HWY_ATTR { return node == 0 ? hn::Mul(x, w) : hn::MulAdd(x, w, sum); };
  const auto add_value = [](std::size_t node, V x, V w, V sum)
                             HWY_ATTR { return node == 0 ? x : hn::MulAdd(x, w, sum); };
  const auto add_slope = [](std::size_t node, V x, V w, V sum)
                             HWY_ATTR { return node <= 1 ? hn::Mul(x, w) : hn::MulAdd(x, w, sum); };
  for (std::size_t c = 0; c < extent<dim>; ++c) {
    V value = hn::Zero(d);
    V moment[3] = {value, value, value}, slope[3] = {value, value, value};
    V first_plane = value;
    REPOSE_UNROLL
    for (std::size_t at_i = 0; at_i < k; ++at_i) {
      const std::size_t i = node_order[at_i];
      // Sums over the nodes of plane i: w w, then one of the factors replaced by d or g.
      V ww = hn::Zero(d), wd = ww, wg = ww, dw = ww, gw = ww;
      if constexpr (dim == 3) {
        V first_row = ww;
        REPOSE_UNROLL
        for (std::size_t at_j = 0; at_j < k; ++at_j) {
          const std::size_t j = node_order[at_j];
          const T(*from)[n] = row[c][k * i + j];
          const V w = weight[1].w[j];
          V r_w = hn::Load(d, from[0]);
          if (at_j == 0)
            first_row = r_w;
          else
            r_w = hn::Sub(r_w, first_row);
          ww = add_value(at_j, r_w, w, ww);
          if (at_j != 0) dw = add_slope(at_j, r_w, weight[1].d[j], dw);
          wd = add(at_j, hn::Load(d, from[1]), w, wd);
          if constexpr (gradient) {
            if (at_j != 0) gw = add_slope(at_j, r_w, weight[1].g[j], gw);
            wg = add(at_j, hn::Load(d, from[2]), w, wg);
          }
        }
      } else {
        ww = hn::Load(d, row[c][i][0]);
        wd = hn::Load(d, row[c][i][1]);
        if constexpr (gradient) wg = hn::Load(d, row[c][i][2]);
      }
      const V w = weight[0].w[i];
      if (at_i == 0)
        first_plane = ww;
      else
        ww = hn::Sub(ww, first_plane);
      value = add_value(at_i, ww, w, value);
      if (at_i != 0) moment[0] = add_slope(at_i, ww, weight[0].d[i], moment[0]);
      if constexpr (dim == 3) moment[1] = add(at_i, dw, w, moment[1]);
      moment[dim - 1] = add(at_i, wd, w, moment[dim - 1]);
      if constexpr (gradient) {
        if (at_i != 0) slope[0] = add_slope(at_i, ww, weight[0].g[i], slope[0]);
        if constexpr (dim == 3) slope[1] = add(at_i, gw, w, slope[1]);
        slope[dim - 1] = add(at_i, wg, w, slope[dim - 1]);
      }
    }
    out.value[c] = value;
    REPOSE_UNROLL
    for (std::size_t a = 0; a < extent<dim>; ++a) {
      out.moment[c][a] = moment[a];
      if constexpr (gradient) out.slope[c][a] = slope[a];
    }
  }
}

/// Gathers for the particles of a batch, whose offsets it holds.
template <class T, int dim, int K>
HWY_INLINE void GatherBatch(const FromTile<T>& a, Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  static_assert(B::size <= 32);
  constexpr std::size_t per_vector = groups<T>;
  const std::uint8_t* const code = a.code + batch.first;
  std::uint32_t starts = GroupStarts<T>(CellStarts(code, batch.count), batch.count);
  while (starts != 0) {
    std::size_t place[per_vector];
    REPOSE_UNROLL
    for (std::size_t g = 0; g < per_vector; ++g) {
      // The last vector is filled by the last group.
      place[g] = g != 0 && starts == 0 ? place[g - 1] : hwy::Num0BitsBelowLS1Bit_Nonzero32(starts);
      starts &= starts - 1;
    }
    const T* bar[per_vector];
    const T* kept[per_vector];
    bool two = false;
    REPOSE_UNROLL
    for (std::size_t v = 0; v < per_vector; ++v) {
      const std::uint8_t cell = code[place[v]];
      const std::size_t at = Block<dim>::tile_offset(cell);
      const bool differs = a.two != nullptr && a.two[cell] != 0;
      PrefetchBehind<T, dim, group_lanes<T>>(a, batch, place[v]);
      bar[v] = a.bar + at;
      kept[v] = (differs ? a.kept : a.bar) + at;
      two = two || differs;
    }
    Weights<T, K> weight[extent<dim>];
    REPOSE_UNROLL
    for (std::size_t axis = 0; axis < extent<dim>; ++axis)
      SetWeights<T, K>(LoadGroups<T>(batch.field[axis], place), weight[axis]);
    Sums<T, dim> sums;
    Gather<T, dim, K, true>(bar, weight, sums);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      StoreGroups<T>(sums.value[c], batch.field[B::v_bar + c], place);
      REPOSE_UNROLL
      for (std::size_t b = 0; b < extent<dim>; ++b)
        StoreGroups<T>(sums.slope[c][b], batch.field[B::slope + extent<dim> * c + b], place);
    }
    // Groups where the two velocities agree gather the same numbers again: the same bits.
    if (two) Gather<T, dim, K, false>(kept, weight, sums);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      if (a.two != nullptr) StoreGroups<T>(sums.value[c], batch.field[B::kept + c], place);
      REPOSE_UNROLL
      for (std::size_t b = 0; b < extent<dim>; ++b)
        StoreGroups<T>(sums.moment[c][b], batch.field[B::moment + extent<dim> * c + b], place);
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
