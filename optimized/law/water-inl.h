// The law of water over lanes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_LAW_WATER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_LAW_WATER_INL_H_
#undef REPOSE_OPTIMIZED_LAW_WATER_INL_H_
#else
#define REPOSE_OPTIMIZED_LAW_WATER_INL_H_
#endif

#include "optimized/law/water_row.h"
#include "optimized/simd/scalar-inl.h"
#include "optimized/simd/symmetric-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The parameters of each lane's water.
template <class T>
struct LaneWater {
  hn::Vec<Tag<T>> stiffness, exponent, least;
};

/// @param flags of the lanes: 4 · material + case
template <class T>
HWY_INLINE LaneWater<T> WaterOf(const WaterRow<T>* waters, std::size_t materials, hn::Vec<Tag<T>> flags) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if (materials == 1)
    return {hn::Set(d, waters[0].stiffness), hn::Set(d, waters[0].exponent), hn::Set(d, waters[0].least)};
  HWY_ALIGN T flag[n];
  HWY_ALIGN T number[3][n];
  hn::Store(flags, d, flag);
  for (std::size_t lane = 0; lane < n; ++lane) {
    const WaterRow<T>& row = waters[static_cast<std::size_t>(flag[lane]) / 4];
    number[0][lane] = row.stiffness;
    number[1][lane] = row.exponent;
    number[2][lane] = row.least;
  }
  return {hn::Load(d, number[0]), hn::Load(d, number[1]), hn::Load(d, number[2])};
}

/// p J of water, from the logarithm of J: no digit of a small change of volume is lost to the 1.
///
///     p = k (e^{−γ ln J} − 1)                                                         [Tam17 §3.2]
template <class T>
HWY_INLINE hn::Vec<Tag<T>> PressureTimesVolume(hn::Vec<Tag<T>> log_J, const LaneWater<T>& water) {
  const auto p = hn::Mul(water.stiffness, Expm1<T>(hn::Mul(water.exponent, log_J)));
  return hn::Mul(hn::Max(p, water.least), Exp<T>(log_J));
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
