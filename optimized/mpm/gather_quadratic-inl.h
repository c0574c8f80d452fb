// Sums of the quadratic kernel over the stencils of particles that share a cell. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GATHER_QUADRATIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GATHER_QUADRATIC_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GATHER_QUADRATIC_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GATHER_QUADRATIC_INL_H_
#endif

#include "optimized/layout/block.h"
#include "optimized/mpm/sums-inl.h"
#include "optimized/simd/bspline-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The values of nodes −1, 0, 1 along an axis as the one in the middle and the others' differences from it: those keep the
/// digits of slopes in a fast, even flow.
template <class T>
struct Triple {
  using V = hn::Vec<Tag<T>>;
  V centre, down, up;
};
template <class T>
HWY_INLINE Triple<T> Differences(hn::Vec<Tag<T>> low, hn::Vec<Tag<T>> centre, hn::Vec<Tag<T>> high) {
  return {centre, hn::Sub(low, centre), hn::Sub(high, centre)};
}

/// The offsets f of one particle per lane along an axis, as the quadratic kernel's sums need them. For the weights
/// w, d, g of Weights
///     Σ w v = v₀ + gain,   Σ g v = slope,   Σ d v = f gain + (½ + f)(½ − f) slope
/// so that the sums with d need none of their own. Nothing cancels: a small weight keeps its relative accuracy.
template <class T>
struct QuadraticAxis {
  using V = hn::Vec<Tag<T>>;
  Weights<T, 3> at;
  V f, of_slope;

  HWY_INLINE V Sum(V low, V centre, V high) const {
    return hn::MulAdd(high, at.w[2], hn::MulAdd(centre, at.w[1], hn::Mul(low, at.w[0])));
  }
  HWY_INLINE V Gain(const Triple<T>& v) const { return hn::MulAdd(v.up, at.w[2], hn::Mul(v.down, at.w[0])); }
  HWY_INLINE V Slope(const Triple<T>& v) const { return hn::MulAdd(v.down, at.g[0], hn::Mul(v.up, at.g[2])); }
  HWY_INLINE V Moment(V gain, V slope) const { return hn::MulAdd(f, gain, hn::Mul(of_slope, slope)); }
};

template <class T>
HWY_INLINE void SetAxis(hn::Vec<Tag<T>> f, QuadraticAxis<T>& out) {
  SetWeights<T, 3>(f, out.at);
  out.f = f;
  out.of_slope = hn::Neg(hn::Mul(out.at.g[0], out.at.g[2]));  // g₀ = f − ½, g₂ = ½ + f
}

/// Component c of a row of three nodes, from the differences of their records where a vector holds whole records.
template <class T, int c>
HWY_INLINE Triple<T> RowComponent(const Triple<T>& records, const T* const* at, std::size_t first) {
  if constexpr (sizeof(T) == 4) {
    return {hn::Broadcast<1 + c>(records.centre), hn::Broadcast<1 + c>(records.down),
            hn::Broadcast<1 + c>(records.up)};
  } else {
    const auto none = records.centre;
    return Differences<T>(NodeComponent<T, c>(none, at, first), NodeComponent<T, c>(none, at, first + 4),
                          NodeComponent<T, c>(none, at, first + 8));
  }
}

/// Contracts the tiles' rows along the last axis, then the second, then the first. Nodes are read once for all lanes of
/// a group; no sum crosses lanes.
/// @param at first number of each group's stencil
template <class T, int dim>
HWY_INLINE void GatherQuadratic(const T* const* at, const QuadraticAxis<T>* axis, Sums<T, dim>& out) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t planes = dim == 3 ? 3 : 1, last = extent<dim> - 1;
  // Centre, gain and slope along the last axis. In memory, for there are more rows than registers.
  HWY_ALIGN T row[extent<dim>][planes][3][3][lanes<T>];
  for (std::size_t i = 0; i < planes; ++i) {
    REPOSE_UNROLL
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t first = (i * Block<dim>::tile_edge + j) * Block<dim>::row_values;
      const Triple<T> records =
          Differences<T>(LoadNode<T>(at, first), LoadNode<T>(at, first + 4), LoadNode<T>(at, first + 8));
      const auto keep = [&](std::size_t c, const Triple<T>& v) HWY_ATTR {
        hn::Store(v.centre, d, row[c][i][j][0]);
        hn::Store(axis[last].Gain(v), d, row[c][i][j][1]);
        hn::Store(axis[last].Slope(v), d, row[c][i][j][2]);
      };
      keep(0, RowComponent<T, 0>(records, at, first));
      keep(1, RowComponent<T, 1>(records, at, first));
      if constexpr (dim == 3) keep(2, RowComponent<T, 2>(records, at, first));
    }
  }
  for (std::size_t c = 0; c < extent<dim>; ++c) {
    const auto load = [&](std::size_t i, std::size_t j, std::size_t kind)
                          HWY_ATTR { return hn::Load(d, row[c][i][j][kind]); };
    const auto value = [&](std::size_t i, std::size_t j)
                           HWY_ATTR { return hn::Add(load(i, j, 0), load(i, j, 1)); };
    V gain[extent<dim>], slope[extent<dim>];  // along each axis, weighted over the others
    Triple<T> across;                         // the values along the first one
    if constexpr (dim == 3) {
      V plane[3], gain_1[3], slope_1[3], gain_2[3], slope_2[3];  // per plane, along axes 1 and 2
      REPOSE_UNROLL
      for (std::size_t i = 0; i < 3; ++i) {
        const Triple<T> rows = Differences<T>(value(i, 0), value(i, 1), value(i, 2));
        gain_1[i] = axis[1].Gain(rows);
        slope_1[i] = axis[1].Slope(rows);
        plane[i] = hn::Add(rows.centre, gain_1[i]);
        gain_2[i] = axis[1].Sum(load(i, 0, 1), load(i, 1, 1), load(i, 2, 1));
        slope_2[i] = axis[1].Sum(load(i, 0, 2), load(i, 1, 2), load(i, 2, 2));
      }
      across = Differences<T>(plane[0], plane[1], plane[2]);
      gain[1] = axis[0].Sum(gain_1[0], gain_1[1], gain_1[2]);
      slope[1] = axis[0].Sum(slope_1[0], slope_1[1], slope_1[2]);
      gain[2] = axis[0].Sum(gain_2[0], gain_2[1], gain_2[2]);
      slope[2] = axis[0].Sum(slope_2[0], slope_2[1], slope_2[2]);
    } else {
      across = Differences<T>(value(0, 0), value(0, 1), value(0, 2));
      gain[1] = axis[0].Sum(load(0, 0, 1), load(0, 1, 1), load(0, 2, 1));
      slope[1] = axis[0].Sum(load(0, 0, 2), load(0, 1, 2), load(0, 2, 2));
    }
    gain[0] = axis[0].Gain(across);
    slope[0] = axis[0].Slope(across);
    out.value[c] = hn::Add(across.centre, gain[0]);
    REPOSE_UNROLL
    for (std::size_t a = 0; a < extent<dim>; ++a) {
      out.slope[c][a] = slope[a];
      out.moment[c][a] = axis[a].Moment(gain[a], slope[a]);
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
