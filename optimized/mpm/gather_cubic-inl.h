// Sums of the cubic kernel over the stencils of particles that share a cell. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GATHER_CUBIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GATHER_CUBIC_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GATHER_CUBIC_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GATHER_CUBIC_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/mpm/sums-inl.h"
#include "optimized/simd/bspline-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// One row of nodes: for components c and up Σ w v, Σ d v and Σ g v along the last axis.
/// @param record LoadNode of the nodes, in groups of float less that of the first in node_order
template <class T, int dim, bool gradient, int c = 0>
HWY_INLINE void AddRow(const hn::Vec<Tag<T>>* record, const T* const* at, std::size_t first,
                       const Weights<T, 4>& last, hn::Vec<Tag<T>> (*sum)[3]) {
  if constexpr (c < dim) {
    using V = hn::Vec<Tag<T>>;
    const V origin = NodeComponent<T, c>(record[node_order[0]], at, first + 4 * node_order[0]);
    V value = origin, moment, slope;
    REPOSE_UNROLL
    for (std::size_t k = 1; k < 4; ++k) {
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
    AddRow<T, dim, gradient, c + 1>(record, at, first, last, sum);
  }
}

/// Contracts the tiles' rows along the last axis, then the second, then the first. Nodes are read once for all lanes of
/// a group; no sum crosses lanes.
/// @param at first number of each group's stencil
template <class T, int dim, bool gradient>
HWY_INLINE void GatherCubic(const T* const* at, const Weights<T, 4>* weight, Sums<T, dim>& out) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t k = 4;
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
      AddRow<T, dim, gradient>(record, at, first, weight[dim - 1], sum);
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

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
