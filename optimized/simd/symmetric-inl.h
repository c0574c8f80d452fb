// Symmetric tensors over lanes: invariants, logarithm, exponential, eigen-decomposition. Compiled once per
// instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_SYMMETRIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_SYMMETRIC_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_SYMMETRIC_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_SYMMETRIC_INL_H_
#endif

#include "optimized/layout/record.h"
#include "optimized/simd/lanes-inl.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// A symmetric d×d tensor per lane: xx yy zz xy xz yz; 2D: xx yy xy.
template <class T, int dim>
struct Symmetric {
  using V = hn::Vec<Tag<T>>;
  static constexpr std::size_t size = dim == 3 ? 6 : 3;
  V s[size];
  HWY_INLINE V operator()(int a, int b) const { return s[symmetric_index<dim>(a, b)]; }
};

template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> Trace(const Symmetric<T, dim>& x) {
  auto sum = hn::Add(x.s[0], x.s[1]);
  if constexpr (dim == 3) sum = hn::Add(sum, x.s[2]);
  return sum;
}

/// x : x = Σ x_ab².
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> SquaredNorm(const Symmetric<T, dim>& x) {
  auto off = hn::Mul(x.s[dim], x.s[dim]);
  if constexpr (dim == 3) off = hn::MulAdd(x.s[5], x.s[5], hn::MulAdd(x.s[4], x.s[4], off));
  auto sum = hn::Mul(x.s[0], x.s[0]);
  for (int a = 1; a < dim; ++a) sum = hn::MulAdd(x.s[a], x.s[a], sum);
  return hn::Add(sum, hn::Add(off, off));
}

/// Near-minimax polynomials in monomial form on [−¼, ¼], interpolated at Chebyshev nodes with 60 digits.
/// The names say relative errors of the exact polynomial; rounding is not part of them.
template <class T>
struct Series;
template <>
struct Series<float> {
  /// ½ ln(1 + x)/x, 1.9·10⁻⁹
  static constexpr float half_log1p[] = {0.5F,         -0.24999997F,  0.16666664F,
                                         -0.12500643F, 0.10000585F,   -0.082967159F,
                                         0.071095144F, -0.070120258F, 0.062491728F};
  /// (eˣ − 1)/x, 1.7·10⁻⁹
  static constexpr float expm1[] = {1.0F, 0.5F, 0.16666623F, 0.041666612F, 0.0083519527F, 0.0013912159F};
};
template <>
struct Series<double> {
  /// 8.7·10⁻¹⁸
  static constexpr double half_log1p[] = {0.5,
                                          -0.25000000000000000361,
                                          0.16666666666665684459,
                                          -0.12499999999999065744,
                                          0.10000000000418331189,
                                          -0.083333333337312380314,
                                          0.071428570743723318866,
                                          -0.062499999348602160711,
                                          0.055555611599881039223,
                                          -0.050000053305589485587,
                                          0.045451977076624929262,
                                          -0.041664223894488780475,
                                          0.038530324821725695153,
                                          -0.035779703992092723236,
                                          0.032270358125680514855,
                                          -0.03023918267503942717,
                                          0.03805112301250891861,
                                          -0.035991370557614084026};
  /// 5.4·10⁻¹⁹
  static constexpr double expm1[] = {1.0,
                                     0.50000000000000002141,
                                     0.16666666666666666831,
                                     0.041666666666659816384,
                                     0.0083333333333328064536,
                                     0.0013888888895026471346,
                                     0.00019841269845990502732,
                                     0.000024801564857566837826,
                                     2.7557301961182695589e-6,
                                     2.759322272174056821e-7,
                                     2.5079724247527957126e-8};
};
inline constexpr double series_radius = 0.25;  ///< largest ‖X‖ for which the series may be used

/// X p(X) for a polynomial p, by Horner's rule in the ring of polynomials modulo the characteristic one:
/// X³ = I₁ X² − I₂ X + I₃ (Cayley and Hamilton), so a coefficient costs three products, whatever the degree.
template <class T, int dim, std::size_t n>
HWY_INLINE Symmetric<T, dim> TimesPolynomial(const Symmetric<T, dim>& x, const T (&p)[n]) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  Symmetric<T, dim> out;
  const V tr = Trace(x);
  if constexpr (dim == 2) {
    const V det = hn::NegMulAdd(x.s[2], x.s[2], hn::Mul(x.s[0], x.s[1]));
    V c0 = hn::Set(d, p[n - 1]);
    V c1 = hn::Zero(d);
    for (std::size_t k = n - 1; k-- > 0;) {
      const V next = hn::NegMulAdd(c1, det, hn::Set(d, p[k]));
      c1 = hn::MulAdd(c1, tr, c0);
      c0 = next;
    }
    const V one = hn::Neg(hn::Mul(c1, det));
    const V linear = hn::MulAdd(c1, tr, c0);
    out.s[0] = hn::MulAdd(linear, x.s[0], one);
    out.s[1] = hn::MulAdd(linear, x.s[1], one);
    out.s[2] = hn::Mul(linear, x.s[2]);
  } else {
    const V xx = x.s[0], yy = x.s[1], zz = x.s[2], xy = x.s[3], xz = x.s[4], yz = x.s[5];
    const V xy2 = hn::Mul(xy, xy), xz2 = hn::Mul(xz, xz), yz2 = hn::Mul(yz, yz);
    // Cofactors serve I₂ and I₃.
    const V cxx = hn::MulSub(yy, zz, yz2);
    const V cyy = hn::MulSub(xx, zz, xz2);
    const V czz = hn::MulSub(xx, yy, xy2);
    const V second = hn::Add(hn::Add(cxx, cyy), czz);
    const V cxy = hn::MulSub(xz, yz, hn::Mul(xy, zz));
    const V cxz = hn::MulSub(xy, yz, hn::Mul(xz, yy));
    const V third = hn::MulAdd(xx, cxx, hn::MulAdd(xy, cxy, hn::Mul(xz, cxz)));
    V c0 = hn::Set(d, p[n - 1]);
    V c1 = hn::Zero(d);
    V c2 = hn::Zero(d);
    for (std::size_t k = n - 1; k-- > 0;) {
      const V next0 = hn::MulAdd(c2, third, hn::Set(d, p[k]));
      const V next1 = hn::NegMulAdd(c2, second, c0);
      c2 = hn::MulAdd(c2, tr, c1);
      c1 = next1;
      c0 = next0;
    }
    const V one = hn::Mul(c2, third);
    const V linear = hn::NegMulAdd(c2, second, c0);
    const V square = hn::MulAdd(c2, tr, c1);
    const V sxx = hn::MulAdd(xx, xx, hn::Add(xy2, xz2));
    const V syy = hn::MulAdd(yy, yy, hn::Add(xy2, yz2));
    const V szz = hn::MulAdd(zz, zz, hn::Add(xz2, yz2));
    const V sxy = hn::MulAdd(xy, hn::Add(xx, yy), hn::Mul(xz, yz));
    const V sxz = hn::MulAdd(xz, hn::Add(xx, zz), hn::Mul(xy, yz));
    const V syz = hn::MulAdd(yz, hn::Add(yy, zz), hn::Mul(xy, xz));
    out.s[0] = hn::MulAdd(square, sxx, hn::MulAdd(linear, xx, one));
    out.s[1] = hn::MulAdd(square, syy, hn::MulAdd(linear, yy, one));
    out.s[2] = hn::MulAdd(square, szz, hn::MulAdd(linear, zz, one));
    out.s[3] = hn::MulAdd(square, sxy, hn::Mul(linear, xy));
    out.s[4] = hn::MulAdd(square, sxz, hn::Mul(linear, xz));
    out.s[5] = hn::MulAdd(square, syz, hn::Mul(linear, yz));
  }
  return out;
}

/// Eigenvalues and orthonormal eigenvectors: X = Q diag(λ) Qᵀ.
template <class T, int dim>
struct Eigen {
  using V = hn::Vec<Tag<T>>;
  V value[extent<dim>];
  V vector[extent<dim>][extent<dim>];  ///< [row][k]: column k belongs to value[k]
};

/// One Jacobi rotation in the plane (p, q) that makes x_pq vanish.
template <class T, int dim>
HWY_INLINE void Rotate(Symmetric<T, dim>& x, Eigen<T, dim>& e, int p, int q) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, T{1});
  const V off = x(p, q);
  // t = tan of the smaller rotation angle: sign(δ) 2x_pq / (|δ| + √(δ² + 4x_pq²)). Where both vanish nothing turns.
  const V delta = hn::Sub(x(q, q), x(p, p));
  const V two_off = hn::Add(off, off);
  const V length = hn::Add(hn::Abs(delta), hn::Sqrt(hn::MulAdd(delta, delta, hn::Mul(two_off, two_off))));
  const auto idle = hn::Eq(length, zero);
  V t = hn::Div(two_off, hn::IfThenElse(idle, one, length));
  t = hn::IfThenElse(hn::Lt(delta, zero), hn::Neg(t), t);
  const V c = hn::Div(one, hn::Sqrt(hn::MulAdd(t, t, one)));
  const V s = hn::Mul(t, c);
  x.s[p] = hn::NegMulAdd(t, off, x.s[p]);
  x.s[q] = hn::MulAdd(t, off, x.s[q]);
  x.s[symmetric_index<dim>(p, q)] = zero;
  if constexpr (dim == 3) {
    const int r = 3 - p - q;
    V& rp = x.s[symmetric_index<dim>(r, p)];
    V& rq = x.s[symmetric_index<dim>(r, q)];
    const V old = rp;
    rp = hn::NegMulAdd(s, rq, hn::Mul(c, old));
    rq = hn::MulAdd(s, old, hn::Mul(c, rq));
  }
  for (int r = 0; r < dim; ++r) {
    const V old = e.vector[r][p];
    e.vector[r][p] = hn::NegMulAdd(s, e.vector[r][q], hn::Mul(c, old));
    e.vector[r][q] = hn::MulAdd(s, old, hn::Mul(c, e.vector[r][q]));
  }
}

/// Cyclic Jacobi with a fixed number of sweeps. ‖Q diag(λ) Qᵀ − X‖ ≤ 40 u ‖X‖ as long as squares of X's components do not
/// underflow: it serves tensors of ‖X‖ > ¼.
template <class T, int dim>
HWY_INLINE Eigen<T, dim> Decompose(Symmetric<T, dim> x) {
  const Tag<T> d;
  Eigen<T, dim> e;
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b) e.vector[a][b] = a == b ? hn::Set(d, T{1}) : hn::Zero(d);
  if constexpr (dim == 2) {
    Rotate<T, dim>(x, e, 0, 1);
  } else {
    constexpr int sweeps = sizeof(T) == 4 ? 5 : 6;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      Rotate<T, dim>(x, e, 0, 1);
      Rotate<T, dim>(x, e, 0, 2);
      Rotate<T, dim>(x, e, 1, 2);
    }
  }
  for (int a = 0; a < dim; ++a) e.value[a] = x.s[a];
  return e;
}

/// Q diag(λ) Qᵀ.
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> Compose(const Eigen<T, dim>& e) {
  Symmetric<T, dim> out;
  for (int a = 0; a < dim; ++a) {
    for (int b = a; b < dim; ++b) {
      auto sum = hn::Mul(hn::Mul(e.vector[a][0], e.value[0]), e.vector[b][0]);
      for (int k = 1; k < dim; ++k)
        sum = hn::MulAdd(hn::Mul(e.vector[a][k], e.value[k]), e.vector[b][k], sum);
      out.s[symmetric_index<dim>(a, b)] = sum;
    }
  }
  return out;
}

/// ln(1 + x), x > −1; at most 4 ulp (measured 2.3).
template <class T>
HWY_INLINE hn::Vec<Tag<T>> Log1p(hn::Vec<Tag<T>> x) {
  return hn::Log1p(Tag<T>(), x);
}
/// eˣ − 1, x ≤ 80; at most 4 ulp.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> Expm1(hn::Vec<Tag<T>> x) {
  return hn::Expm1(Tag<T>(), x);
}

template <class T, int dim>
HWY_INLINE Symmetric<T, dim> Select(hn::Mask<Tag<T>> mask, const Symmetric<T, dim>& yes,
                                    const Symmetric<T, dim>& no) {
  Symmetric<T, dim> out;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k)
    out.s[k] = hn::IfThenElse(mask, yes.s[k], no.s[k]);
  return out;
}

/// ½ ln(1 + X) through the eigenvalues: any X with eigenvalues above −1.
template <class T, int dim>
HWY_NOINLINE void HalfLogBySpectrum(const Symmetric<T, dim>& x, Symmetric<T, dim>& out) {
  const Tag<T> d;
  Eigen<T, dim> e = Decompose<T, dim>(x);
  for (int k = 0; k < dim; ++k) e.value[k] = hn::Mul(hn::Set(d, T{0.5}), Log1p<T>(e.value[k]));
  out = Compose<T, dim>(e);
}

/// exp(X) − 1 through the eigenvalues.
template <class T, int dim>
HWY_NOINLINE void Expm1BySpectrum(const Symmetric<T, dim>& x, Symmetric<T, dim>& out) {
  Eigen<T, dim> e = Decompose<T, dim>(x);
  for (int k = 0; k < dim; ++k) e.value[k] = Expm1<T>(e.value[k]);
  out = Compose<T, dim>(e);
}

/// ½ ln(1 + X), eigenvalues of X above −1. Error: up to ‖X‖ = ¼ within 4 u of the result's norm; beyond within
/// 16 u (‖½ ln(1 + X)‖ + ‖X‖/(1 + λ_min)), Frobenius norms. A lane's result depends on that lane alone, whatever its neighbours need.
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> HalfLog1p(const Symmetric<T, dim>& x) {
  const Tag<T> d;
  const auto large = hn::Gt(SquaredNorm(x), hn::Set(d, static_cast<T>(series_radius * series_radius)));
  Symmetric<T, dim> out = TimesPolynomial<T, dim>(x, Series<T>::half_log1p);
  if (HWY_UNLIKELY(!hn::AllFalse(d, large))) {
    Symmetric<T, dim> exact;
    HalfLogBySpectrum<T, dim>(x, exact);
    out = Select<T, dim>(large, exact, out);
  }
  return out;
}

/// exp(X) − 1. Error: up to ‖X‖ = ¼ within 4 u of the result's norm; beyond within 16 u (‖exp(X) − 1‖ + ‖X‖ e^λ_max).
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> TensorExpm1(const Symmetric<T, dim>& x) {
  const Tag<T> d;
  const auto large = hn::Gt(SquaredNorm(x), hn::Set(d, static_cast<T>(series_radius * series_radius)));
  Symmetric<T, dim> out = TimesPolynomial<T, dim>(x, Series<T>::expm1);
  if (HWY_UNLIKELY(!hn::AllFalse(d, large))) {
    Symmetric<T, dim> exact;
    Expm1BySpectrum<T, dim>(x, exact);
    out = Select<T, dim>(large, exact, out);
  }
  return out;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
