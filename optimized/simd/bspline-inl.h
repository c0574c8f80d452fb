// B-spline weights over lanes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_BSPLINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_BSPLINE_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_BSPLINE_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_BSPLINE_INL_H_
#endif

#include "optimized/simd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Along one axis, for the K nodes of a stencil and one particle per lane: w = N̂, d = w · (x_i − x_p)/h, g = h N̂′
/// [Klar16 §5, Eq.6]. Each weight is a product of distances, so that small weights keep their relative accuracy.
template <class T, int K>
struct Weights {
  using V = hn::Vec<Tag<T>>;
  V w[4], d[4], g[4];
};

/// @param f offset from the cell's centre in units of h, in [−½, ½]
template <class T, int K>
HWY_INLINE void SetWeights(hn::Vec<Tag<T>> f, Weights<T, K>& out) {
  const Tag<T> tag;
  using V = hn::Vec<Tag<T>>;
  const auto c = [&](double value) HWY_ATTR { return hn::Set(tag, static_cast<T>(value)); };
  const V half = c(0.5);
  if constexpr (K == 4) {
    // Nodes at −1, 0, 1, 2 from the cell's first node; t and u are the distances to the cell's two ends.
    const V t = hn::Add(half, f);
    const V u = hn::Sub(half, f);
    const V t2 = hn::Mul(t, t);
    const V u2 = hn::Mul(u, u);
    const V sixth = c(1.0 / 6.0);
    out.w[0] = hn::Mul(hn::Mul(u2, u), sixth);
    out.w[1] = hn::MulAdd(t2, hn::MulAdd(t, half, c(-1.0)), c(2.0 / 3.0));
    out.w[2] = hn::MulAdd(u2, hn::MulAdd(u, half, c(-1.0)), c(2.0 / 3.0));
    out.w[3] = hn::Mul(hn::Mul(t2, t), sixth);
    out.d[0] = hn::Neg(hn::Mul(out.w[0], hn::Add(t, c(1.0))));
    out.d[1] = hn::Neg(hn::Mul(out.w[1], t));
    out.d[2] = hn::Mul(out.w[2], u);
    out.d[3] = hn::Mul(out.w[3], hn::Add(u, c(1.0)));
    out.g[0] = hn::Mul(u2, c(-0.5));
    out.g[1] = hn::Mul(t, hn::MulAdd(t, c(1.5), c(-2.0)));
    out.g[2] = hn::Mul(hn::Neg(u), hn::MulAdd(u, c(1.5), c(-2.0)));
    out.g[3] = hn::Mul(t2, half);
  } else {
    // Nodes at −1, 0, 1 from the nearest one.
    const V t = hn::Add(half, f);
    const V u = hn::Sub(half, f);
    const V one = c(1.0);
    out.w[0] = hn::Mul(hn::Mul(u, u), half);
    out.w[1] = hn::NegMulAdd(f, f, c(0.75));
    out.w[2] = hn::Mul(hn::Mul(t, t), half);
    out.d[0] = hn::Neg(hn::Mul(out.w[0], hn::Add(f, one)));
    out.d[1] = hn::Neg(hn::Mul(out.w[1], f));
    out.d[2] = hn::Mul(out.w[2], hn::Sub(one, f));
    out.g[0] = hn::Neg(u);
    out.g[1] = hn::Mul(f, c(-2.0));
    out.g[2] = t;
    out.w[3] = out.d[3] = out.g[3] = hn::Zero(tag);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
