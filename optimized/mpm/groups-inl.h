// Groups of lanes: particles of a batch that share a cell. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_GROUPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_GROUPS_INL_H_
#undef REPOSE_OPTIMIZED_MPM_GROUPS_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_GROUPS_INL_H_
#endif

#include "optimized/simd/lanes-inl.h"

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Lanes that share a cell: a vector is one or more groups, each of particles of one cell. Cells hold some eight
/// particles, so groups of four waste few lanes.
template <class T>
inline constexpr std::size_t group_lanes = lanes<T> < 4 ? lanes<T> : 4;
template <class T>
inline constexpr std::size_t groups = lanes<T> / group_lanes<T>;

/// The lanes of group g of a vector from or to place[g] of a field.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> LoadGroups(const T* field, const std::size_t* place) {
  const Tag<T> d;
  if constexpr (groups<T> == 1) {
    return hn::LoadU(d, field + place[0]);
  } else if constexpr (groups<T> == 2) {
    const hn::Half<Tag<T>> half;
    return hn::Combine(d, hn::LoadU(half, field + place[1]), hn::LoadU(half, field + place[0]));
  } else {
    const T* const p[4] = {field + place[0], field + place[1], field + place[2], field + place[3]};
    return LoadBlocks<T>(p, 0, 1, 0);
  }
}
template <class T>
HWY_INLINE void StoreGroups(hn::Vec<Tag<T>> v, T* field, const std::size_t* place) {
  const Tag<T> d;
  // In ascending order: lanes of a group beyond its particles are overwritten by the next one.
  if constexpr (groups<T> == 1) {
    hn::StoreU(v, d, field + place[0]);
  } else if constexpr (groups<T> == 2) {
    const hn::Half<Tag<T>> half;
    hn::StoreU(hn::LowerHalf(half, v), half, field + place[0]);
    hn::StoreU(hn::UpperHalf(half, v), half, field + place[1]);
  } else {
    T* const p[4] = {field + place[0], field + place[1], field + place[2], field + place[3]};
    StoreBlocks<T>(v, p, 0, 1, 0);
  }
}

/// Which of `count` particles, 1 to 32, begin a group, as bits: those that begin a cell, and each `group_lanes`-th behind.
/// @param cells bits of the particles whose cell is not that of the one before
template <class T>
HWY_INLINE std::uint32_t GroupStarts(std::uint32_t cells, std::size_t count) {
  constexpr std::size_t step = group_lanes<T>;
  // A group begins `step` behind another one if no cell begins between; doubled until any run is covered.
  std::uint32_t runs = cells;
  for (std::size_t k = 1; k < step; ++k) runs |= cells << k;
  std::uint32_t on = ~runs;
  std::uint32_t starts = cells;
  for (std::size_t reach = step; reach < 32; reach *= 2) {
    starts |= (starts << reach) & on;
    on &= on << reach;
  }
  return starts & (~std::uint32_t{0} >> (32 - count));
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
