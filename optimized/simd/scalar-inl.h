// Exponential and sine of numbers over lanes, as cheap as their narrow ranges allow. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_SCALAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_SCALAR_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_SCALAR_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_SCALAR_INL_H_
#endif

#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Near-minimax polynomials, interpolated at Chebyshev nodes with 50 digits, and constants of the exponential.
template <class T>
struct Elementary;
template <>
struct Elementary<float> {
  using Bits = std::int32_t;
  /// (eʳ − 1 − r)/r² for |r| ≤ ½ ln 2; eʳ within 1.1·10⁻⁸
  static constexpr float exp[] = {0.5F, 0.166665763F, 0.0416665561F, 0.00836317893F, 0.0013926184F};
  /// (sin x/x − 1)/x² in x² for |x| ≤ π/2; sin x within 4.2·10⁻⁸
  static constexpr float sine[] = {-0.166666657F, 0.0083332425F, -0.000198227397F, 2.63475636e-6F};
  static constexpr float low = -86, high = 88;                     ///< where eˣ is a normal number
  static constexpr float ln2[] = {0.693359375F, -2.12194440e-4F};  ///< k times the first is exact
  /// 3·2²²: added to a small number, its last bits count whole ones
  static constexpr float whole = 12582912;
  static constexpr int mantissa = 23;
};
template <>
struct Elementary<double> {
  using Bits = std::int64_t;
  /// 1.6·10⁻¹⁷
  static constexpr double exp[] = {0.50000000000000011,   0.16666666666666669,   0.041666666666624129,
                                   0.0083333333333300615, 0.0013888888917213717, 0.00019841269863053618,
                                   2.4801521295954376e-5, 2.7557268459997039e-6, 2.7620088445409937e-7,
                                   2.5100385495520918e-8};
  /// 3.6·10⁻¹⁷
  static constexpr double sine[] = {-0.16666666666666666,    0.0083333333333333159,  -0.00019841269841254974,
                                    2.7557319219163209e-6,   -2.5052107616993125e-8, 1.6058977312265783e-10,
                                    -7.6439702904678026e-13, 2.7314446880537149e-15};
  static constexpr double low = -707, high = 709;
  static constexpr double ln2[] = {0.6931471803691238, 1.9082149292705877e-10};
  static constexpr double whole = 6755399441055744;  ///< 3·2⁵¹
  static constexpr int mantissa = 52;
};

/// Σ p_k x^k by Horner's rule.
template <class T, std::size_t n>
HWY_INLINE hn::Vec<Tag<T>> Polynomial(hn::Vec<Tag<T>> x, const T (&p)[n]) {
  const Tag<T> d;
  auto sum = hn::Set(d, p[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, p[k]));
  return sum;
}

/// eˣ within 2 ulp. Numbers below −86 (double: −707) count as that, those above 88 (709) as that: eˣ stays normal.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> Exp(hn::Vec<Tag<T>> x) {
  using E = Elementary<T>;
  const Tag<T> d;
  const hn::Rebind<typename E::Bits, Tag<T>> bits;
  x = hn::Min(hn::Max(x, hn::Set(d, E::low)), hn::Set(d, E::high));
  // x = k ln 2 + r
  const auto shifted = hn::MulAdd(x, hn::Set(d, static_cast<T>(1.4426950408889634)), hn::Set(d, E::whole));
  const auto k = hn::Sub(shifted, hn::Set(d, E::whole));
  const auto r = hn::NegMulAdd(k, hn::Set(d, E::ln2[1]), hn::NegMulAdd(k, hn::Set(d, E::ln2[0]), x));
  const auto fraction = hn::Add(hn::MulAdd(hn::Mul(r, r), Polynomial<T>(r, E::exp), r), hn::Set(d, T{1}));
  // Times 2ᵏ: k is added to the exponent.
  const auto exponent = hn::ShiftLeft<E::mantissa>(hn::BitCast(bits, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, fraction), exponent));
}

/// sin x within 2 ulp for |x| ≤ π/2; beyond, ±1.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> AcuteSine(hn::Vec<Tag<T>> x) {
  const Tag<T> d;
  constexpr T right = static_cast<T>(1.5707963267948966);
  x = hn::Min(hn::Max(x, hn::Set(d, -right)), hn::Set(d, right));
  const auto square = hn::Mul(x, x);
  return hn::MulAdd(hn::Mul(square, x), Polynomial<T>(square, Elementary<T>::sine), x);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
