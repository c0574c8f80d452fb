// Sums over the stencils of particles that share a cell. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GATHER_INL_H_
#endif

#include "optimized/mpm/batch-inl.h"
#include "optimized/mpm/gather_cubic-inl.h"
#include "optimized/mpm/gather_quadratic-inl.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/cell_sums-inl.h"

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// What the sums need of the offsets along an axis, per kernel.
template <class T, int K>
using AxisWeights = std::conditional_t<K == 3, QuadraticAxis<T>, Weights<T, K>>;
template <class T>
HWY_INLINE void SetAxis(hn::Vec<Tag<T>> f, Weights<T, 4>& out) {
  SetWeights<T, 4>(f, out);
}

/// The sums of one vector of particles. Slopes are only asked for with `gradient`.
template <bool gradient, class T, int dim>
HWY_INLINE void Gather(const T* const* at, const Weights<T, 4>* weight, Sums<T, dim>& out) {
  GatherCubic<T, dim, gradient>(at, weight, out);
}
template <bool gradient, class T, int dim>
HWY_INLINE void Gather(const T* const* at, const QuadraticAxis<T>* axis, Sums<T, dim>& out) {
  GatherQuadratic<T, dim>(at, axis, out);
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
    AxisWeights<T, K> weight[extent<dim>];
    REPOSE_UNROLL
    for (std::size_t axis = 0; axis < extent<dim>; ++axis)
      SetAxis<T>(LoadGroups<T>(batch.field[axis], place), weight[axis]);
    Sums<T, dim> sums;
    Gather<true>(bar, weight, sums);
    REPOSE_UNROLL
    for (std::size_t c = 0; c < extent<dim>; ++c) {
      StoreGroups<T>(sums.value[c], batch.field[B::v_bar + c], place);
      REPOSE_UNROLL
      for (std::size_t b = 0; b < extent<dim>; ++b)
        StoreGroups<T>(sums.slope[c][b], batch.field[B::slope + extent<dim> * c + b], place);
    }
    // Groups where the two velocities agree gather the same numbers again: the same bits.
    if (two) Gather<false>(kept, weight, sums);
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
