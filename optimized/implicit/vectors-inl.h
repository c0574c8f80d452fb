// Sums over long vectors. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_VECTORS_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_VECTORS_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_VECTORS_INL_H_
#endif

#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

inline void Dots(const double* const* q, std::size_t vectors, const double* w, std::size_t count,
                 double* result) {
  const Tag<double> d;
  constexpr std::size_t n = lanes<double>;
  using V = hn::Vec<Tag<double>>;
  for (std::size_t k = 0; k < vectors; ++k) {
    const double* HWY_RESTRICT one = q[k];
    V sum[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    std::size_t v = 0;
    for (; v + 4 * n <= count; v += 4 * n) {
      REPOSE_UNROLL
      for (std::size_t u = 0; u < 4; ++u)
        sum[u] = hn::MulAdd(hn::LoadU(d, one + v + u * n), hn::LoadU(d, w + v + u * n), sum[u]);
    }
    double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]))));
    for (; v < count; ++v) total += one[v] * w[v];
    result[k] = total;
  }
}

inline void AddScaled(const double* factor, const double* const* q, std::size_t vectors, double* w,
                      std::size_t count) {
  const Tag<double> d;
  constexpr std::size_t n = lanes<double>;
  using V = hn::Vec<Tag<double>>;
  std::size_t v = 0;
  for (; v + 4 * n <= count; v += 4 * n) {
    V sum[4];
    REPOSE_UNROLL
    for (std::size_t u = 0; u < 4; ++u) sum[u] = hn::LoadU(d, w + v + u * n);
    for (std::size_t k = 0; k < vectors; ++k) {
      const V f = hn::Set(d, factor[k]);
      REPOSE_UNROLL
      for (std::size_t u = 0; u < 4; ++u) sum[u] = hn::MulAdd(f, hn::LoadU(d, q[k] + v + u * n), sum[u]);
    }
    REPOSE_UNROLL
    for (std::size_t u = 0; u < 4; ++u) hn::StoreU(sum[u], d, w + v + u * n);
  }
  for (; v < count; ++v)
    for (std::size_t k = 0; k < vectors; ++k) w[v] += factor[k] * q[k][v];
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
