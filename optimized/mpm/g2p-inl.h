// Grid to particles, update and plasticity for one block. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_G2P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#undef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#endif

#include "optimized/mpm/gather-inl.h"
#include "optimized/mpm/plasticity-inl.h"
#include "optimized/mpm/row_gather-inl.h"
#include "optimized/mpm/swell-inl.h"
#include "optimized/mpm/update-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

template <class T>
HWY_INLINE T MaxOfLanes(hn::Vec<Tag<T>> v) {
  const Tag<T> d;
  return hn::GetLane(hn::MaxOfLanes(d, v));
}

template <class T, int dim, int K>
HWY_NOINLINE void BlockFromTile(const FromTile<T>& a) {
  using R = Record<dim>;
  using B = Batch<T, dim>;
  constexpr std::size_t n = lanes<T>;
  static_assert(B::size % n == 0);
  const Tag<T> d;
  hn::Vec<Tag<T>> speed2 = hn::Zero(d);
  B batch;
  for (std::size_t c = 0; c < 4; ++c) std::fill_n(batch.field[c], B::room, T{0});
  for (batch.first = 0; batch.first < a.count; batch.first += B::size) {
    batch.count = std::min(a.count - batch.first, B::size);
    // What all parts together write is not read.
    if (a.parts.g2p && a.parts.update && a.parts.plasticity)
      LoadRecords<T, dim, R::law_chunk>(a, batch);
    else
      LoadRecords<T, dim, 1>(a, batch);
    if (a.parts.g2p) {
      // Where a vector holds one node record or less, rows of nodes fill it better than particles of a cell do, but
      // that the quadratic kernel costs those less.
      if constexpr ((lanes<T>) > 4 || ((lanes<T>) == 4 && K == 3))
        GatherBatch<T, dim, K>(a, batch);
      else
        GatherBatchByRows<T, dim, K>(a, batch);
      RepeatLast<T, dim>(batch);
      if (a.keep != T{0}) KeepVelocities<T, dim>(a, batch);
      SetVelocities<T, dim>(a, batch, speed2);
      if (a.between != nullptr) StoreBetween<T, dim>(a, batch);
    } else if (a.parts.update) {
      LoadBetween<T, dim>(a, batch);
    }
    if (a.water) {
      if (a.parts.update) MoveAndSwell<T, dim>(a, batch);
      continue;
    }
    if (a.parts.update) {
      SetStretches<T, dim>(batch);
      MoveAndStretch<T, dim>(a, batch);
      SetTrialStrains<T, dim>(a, batch);
    }
    if (a.parts.plasticity) {
      SetCones<T, dim>(a, batch);
      ReturnStrains<T, dim>(a, batch);
    }
  }
  const T fastest = MaxOfLanes<T>(speed2);
  if (fastest > a.tally->max_speed2) a.tally->max_speed2 = fastest;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
