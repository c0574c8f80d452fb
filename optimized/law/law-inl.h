// Elasticity and the return mapping over lanes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_LAW_LAW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_LAW_LAW_INL_H_
#undef REPOSE_OPTIMIZED_LAW_LAW_INL_H_
#else
#define REPOSE_OPTIMIZED_LAW_LAW_INL_H_
#endif

#include "optimized/law/law_row.h"
#include "optimized/simd/scalar-inl.h"
#include "optimized/simd/symmetric-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The parameters of each lane's material.
template <class T>
struct LaneLaw {
  using V = hn::Vec<Tag<T>>;
  V two_mu, lambda, cone, h0, h1, h2, h3, keeps_volume, elastic, alpha;
};

/// @param flags of the lanes: 4 · material + case
template <class T>
HWY_INLINE void SetLaw(const LawRow<T>* laws, std::size_t materials, hn::Vec<Tag<T>> flags, LaneLaw<T>& law) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  constexpr std::size_t values = LawRow<T>::values;
  static_assert(sizeof(LawRow<T>) == values * sizeof(T));
  hn::Vec<Tag<T>>* out[values] = {&law.two_mu, &law.lambda, &law.cone,         &law.h0,      &law.h1,
                                  &law.h2,     &law.h3,     &law.keeps_volume, &law.elastic, &law.alpha};
  if (materials == 1) {
    for (std::size_t v = 0; v < values; ++v) *out[v] = hn::Set(d, (&laws[0].two_mu)[v]);
    return;
  }
  HWY_ALIGN T flag[n];
  const T* row[n];
  hn::Store(flags, d, flag);
  for (std::size_t lane = 0; lane < n; ++lane)
    row[lane] = &laws[static_cast<std::size_t>(flag[lane]) / 4].two_mu;
  // One array per parameter: the compiler drops those that its caller does not use.
  REPOSE_UNROLL
  for (std::size_t v = 0; v < values; ++v) {
    HWY_ALIGN T gathered[n];
    for (std::size_t lane = 0; lane < n; ++lane) gathered[lane] = row[lane][v];
    *out[v] = hn::Load(d, gathered);
  }
}

/// s V⁰ τ = s V⁰ (2μ ε + λ tr ε 1) for a number s                                        [Klar16 Eq.26]
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> ScaledStress(const Symmetric<T, dim>& strain, const LaneLaw<T>& law,
                                          hn::Vec<Tag<T>> scaled_volume) {
  const auto two_mu = hn::Mul(scaled_volume, law.two_mu);
  const auto bulk = hn::Mul(hn::Mul(scaled_volume, law.lambda), Trace(strain));
  Symmetric<T, dim> out;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
    out.s[k] = k < extent<dim> ? hn::MulAdd(two_mu, strain.s[k], bulk) : hn::Mul(two_mu, strain.s[k]);
  }
  return out;
}

/// b − 1 = exp(2 ε) − 1
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> StretchOf(const Symmetric<T, dim>& strain) {
  Symmetric<T, dim> twice;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) twice.s[k] = hn::Add(strain.s[k], strain.s[k]);
  return TensorExpm1<T, dim>(twice);
}

/// The state of a vector of particles that the return mapping changes.
template <class T, int dim>
struct PlasticState {
  using V = hn::Vec<Tag<T>>;
  Symmetric<T, dim> strain;  ///< ε: trial in, new out
  V q, v_c, plastic_case;
};

/// α(φ(q)) = √(2/3) · 2 sin φ/(3 − sin φ)                                              [Klar16 Eq.30, 31]
/// Scenes keep φ below 90° for all q ≥ 0.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> ConeSlope(hn::Vec<Tag<T>> q, const LaneLaw<T>& law) {
  const Tag<T> d;
  const auto fading = Exp<T>(hn::Neg(hn::Mul(law.h2, q)));
  const auto phi = hn::MulAdd(hn::MulSub(law.h1, q, law.h3), fading, law.h0);
  const auto sine = AcuteSine<T>(phi);
  constexpr double factor = 1.6329931618554521;  // 2 √(2/3)
  return hn::Div(hn::Mul(hn::Set(d, static_cast<T>(factor)), sine), hn::Sub(hn::Set(d, T{3}), sine));
}

/// Drucker–Prager return mapping with hardening and volume correction, without principal axes: the map moves a strain
/// along its own deviator and the unit tensor, so norms and traces of ε decide everything.
///
///     ε_s = ε + v_c/d,  δγ = ‖dev ε_s‖ + (dλ + 2μ)/(2μ) α tr ε_s                       [Klar16 Eq.27]
///     tr ε_s > 0  tip      ε ← 0                           q += ‖ε‖
///     δγ ≤ 0      inside   ε ← ε_s
///     else        surface  ε ← ε_s − δγ dev ε_s/‖dev ε_s‖  q += δγ
///     v_c ← max(0, tr ε_s)                                                             [Tam17 §4.3.4]
///
template <class T, int dim>
HWY_INLINE void ReturnStrain(const LaneLaw<T>& law, hn::Vec<Tag<T>> alpha, PlasticState<T, dim>& state) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, T{1});
  const V per_axis = hn::Set(d, static_cast<T>(1.0 / dim));
  Symmetric<T, dim>& eps = state.strain;
  const V trace = Trace(eps);
  const V mean = hn::Mul(trace, per_axis);
  Symmetric<T, dim> deviator = eps;
  for (int k = 0; k < dim; ++k) deviator.s[k] = hn::Sub(eps.s[k], mean);
  const V norm = hn::Sqrt(SquaredNorm(deviator));

  const V shifted = hn::MulAdd(state.v_c, law.keeps_volume, trace);  // tr ε_s
  const V pressure_reach = hn::Mul(hn::Mul(law.cone, alpha), shifted);
  const V delta_gamma = hn::Add(norm, pressure_reach);  // [Klar16 Eq.27]

  const auto elastic = hn::Ne(law.elastic, zero);
  const auto tip = hn::AndNot(elastic, hn::Gt(shifted, zero));
  const auto surface = hn::AndNot(hn::Or(elastic, tip), hn::Gt(delta_gamma, zero));
  // On the surface ‖dev ε‖ shrinks to the cone's radius at this trace.
  const V shrink = hn::Div(hn::Neg(pressure_reach), hn::IfThenElse(surface, norm, one));
  const V kept = hn::IfThenElse(surface, shrink, hn::IfThenElse(tip, zero, one));
  const V new_mean = hn::IfThenElse(elastic, mean, hn::IfThenElse(tip, zero, hn::Mul(shifted, per_axis)));

  const V gained =
      hn::IfThenElse(tip, hn::Sqrt(SquaredNorm(eps)), hn::IfThenElse(surface, delta_gamma, zero));
  state.q = hn::Add(state.q, gained);
  const V new_v_c = hn::IfThenElse(tip, hn::Mul(shifted, law.keeps_volume), zero);
  state.v_c = hn::IfThenElse(elastic, state.v_c, new_v_c);
  state.plastic_case = hn::IfThenElse(
      elastic, zero, hn::IfThenElse(tip, hn::Set(d, T{2}), hn::IfThenElse(surface, hn::Set(d, T{3}), one)));

  // Where neither v_c nor the cone moves ε it keeps its bits.
  const auto stays = hn::Or(elastic, hn::And(hn::Eq(kept, one), hn::Eq(shifted, trace)));
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
    const V part = hn::Mul(kept, deviator.s[k]);
    eps.s[k] = hn::IfThenElse(stays, eps.s[k], k < extent<dim> ? hn::Add(part, new_mean) : part);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
