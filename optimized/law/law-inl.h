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
  V two_mu, lambda, cone, h0, h1, h2, h3, keeps_volume, elastic, alpha, radius, tip, hardens_above, per_unit,
      opening, start, follows_tip, per_width, cohesion;
};

/// Written out: a loop as long as this list would keep all values in memory, and those that a caller does not use.
/// @param of (number of a LawRow<T>) → its lanes
template <class T, class Of>
HWY_INLINE void FillLaw(const Of& of, LaneLaw<T>& law) {
  using R = LawRow<T>;
  law.two_mu = of(&R::two_mu);
  law.lambda = of(&R::lambda);
  law.cone = of(&R::cone);
  law.h0 = of(&R::h0);
  law.h1 = of(&R::h1);
  law.h2 = of(&R::h2);
  law.h3 = of(&R::h3);
  law.keeps_volume = of(&R::keeps_volume);
  law.elastic = of(&R::elastic);
  law.alpha = of(&R::alpha);
  law.radius = of(&R::radius);
  law.tip = of(&R::tip);
  law.hardens_above = of(&R::hardens_above);
  law.per_unit = of(&R::per_unit);
  law.opening = of(&R::opening);
  law.start = of(&R::start);
  law.follows_tip = of(&R::follows_tip);
  law.per_width = of(&R::per_width);
  law.cohesion = of(&R::cohesion);
}

/// @param flags of the lanes: 4 · material + case
template <class T>
HWY_INLINE void SetLaw(const LawRow<T>* laws, std::size_t materials, hn::Vec<Tag<T>> flags, LaneLaw<T>& law) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if (materials == 1) {
    FillLaw<T>([&](T LawRow<T>::*number) HWY_ATTR { return hn::Set(d, laws[0].*number); }, law);
    return;
  }
  HWY_ALIGN T flag[n];
  const LawRow<T>* row[n];
  hn::Store(flags, d, flag);
  for (std::size_t lane = 0; lane < n; ++lane) row[lane] = &laws[static_cast<std::size_t>(flag[lane]) / 4];
  FillLaw<T>(
      [&](T LawRow<T>::*number) HWY_ATTR {
        HWY_ALIGN T gathered[n];
        for (std::size_t lane = 0; lane < n; ++lane) gathered[lane] = row[lane]->*number;
        return hn::Load(d, gathered);
      },
      law);
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

/// The same for the unilateral energy ψ^U = h ψ, ψ = μ ε : ε + λ/2 (tr ε)²:
///
///     τ = h (2μ ε + λ tr ε 1) + ψ ∂h/∂ε                                                [Tam17 Eq.7]
///     e = ε/unit,   u = tr e/√d,   v = ‖dev e‖,   f = c₀ v⁴/(1 + v³)                   [Tam17 Eq.8]
///     z = (u + f − a − s_C)/(b − a) within [0, 1],   h = 1 − 10z³ + 15z⁴ − 6z⁵         [Tam17 Eq.9, Eq.10]
///     ∂h/∂ε = −30 z² (1 − z)²/(b − a) (1/√d + c₀ v² (4 + v³)/(1 + v³)² dev e)/unit
///
/// h is formed as (1 − z)³ (1 + 3z + 6z²), which keeps its digits where it ends. f′/v is finite at v = 0. In region A the bits
/// are those of ScaledStress().
/// @param tip e_c of the lanes' cones
template <class T, int dim>
HWY_INLINE Symmetric<T, dim> ScaledUnilateralStress(const Symmetric<T, dim>& strain, const LaneLaw<T>& law,
                                                    hn::Vec<Tag<T>> tip, hn::Vec<Tag<T>> scaled_volume) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, T{1});
  const V per_root = hn::Set(d, static_cast<T>(dim == 2 ? 0.70710678118654752 : 0.57735026918962576));
  const V trace = Trace(strain);
  const V mean = hn::Mul(trace, hn::Set(d, static_cast<T>(1.0 / dim)));
  Symmetric<T, dim> deviator = strain;
  for (int k = 0; k < dim; ++k) deviator.s[k] = hn::Sub(strain.s[k], mean);
  const V shear2 = SquaredNorm(deviator);

  const V u = hn::Mul(hn::Mul(trace, per_root), law.per_unit);
  const V v2 = hn::Mul(hn::Mul(shear2, law.per_unit), law.per_unit);
  const V v3 = hn::Mul(v2, hn::Sqrt(v2));
  const V per_v3 = hn::Div(one, hn::Add(one, v3));
  const V opens = hn::Mul(hn::Mul(law.opening, v2), per_v3);
  // A cone without a tip has s_C given: ∞ must not meet its 0.
  const auto follows = hn::Ne(law.follows_tip, zero);
  const V start = hn::Add(law.start, hn::Mul(law.follows_tip, hn::IfThenElseZero(follows, tip)));
  const V along = hn::Mul(hn::Sub(hn::MulAdd(opens, v2, u), start), law.per_width);
  const V z = hn::Min(hn::Max(along, zero), one);
  const V rest = hn::Sub(one, z);
  const V rest2 = hn::Mul(rest, rest);
  const V three = hn::Set(d, T{3});
  const V h = hn::Mul(hn::Mul(rest2, rest), hn::MulAdd(z, hn::MulAdd(hn::Add(three, three), z, three), one));

  const V psi2 = hn::MulAdd(hn::Mul(law.lambda, trace), trace,
                            hn::Mul(law.two_mu, hn::MulAdd(trace, mean, shear2)));  // 2ψ
  const V falls = hn::Mul(hn::Mul(hn::Mul(z, z), rest2), hn::Mul(law.per_width, law.per_unit));
  const V energy_slope = hn::Mul(hn::Mul(scaled_volume, psi2), hn::Mul(hn::Set(d, T{-15}), falls));
  const V across = hn::Mul(hn::Mul(opens, per_v3), hn::Mul(hn::Add(hn::Add(three, one), v3), law.per_unit));
  const V along_axis = hn::Mul(energy_slope, per_root);
  const V along_shear = hn::Mul(energy_slope, across);
  Symmetric<T, dim> out = ScaledStress<T, dim>(strain, law, hn::Mul(scaled_volume, h));
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
    out.s[k] = hn::MulAdd(along_shear, deviator.s[k], out.s[k]);
    if (k < extent<dim>) out.s[k] = hn::Add(out.s[k], along_axis);
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

/// e_c = c_C/(α (dλ + 2μ)); as tip_strain().
template <class T>
HWY_INLINE hn::Vec<Tag<T>> TipStrain(hn::Vec<Tag<T>> alpha, const LaneLaw<T>& law) {
  const auto coheres = hn::Gt(law.radius, hn::Zero(Tag<T>()));
  return hn::IfThenElseZero(coheres, hn::Div(law.radius, hn::Mul(law.cone, alpha)));
}

/// Where a cone begins and how it opens.
template <class T>
struct Cone {
  hn::Vec<Tag<T>> alpha;  ///< α
  hn::Vec<Tag<T>> tip;    ///< e_c
};

/// The cone of each lane at its hardening.
template <class T>
HWY_INLINE Cone<T> ConeAt(hn::Vec<Tag<T>> q, const LaneLaw<T>& law, Hardening hardening) {
  if (!hardening.slope) return {law.alpha, law.tip};
  const auto alpha = ConeSlope<T>(q, law);
  return {alpha, hardening.tip ? TipStrain<T>(alpha, law) : law.tip};
}

/// Gives lanes whose c_C is not that of their material the radius and the tip that follow from it; the others keep every bit.
/// @param c_C [Pa]
template <class T>
HWY_INLINE void Cohere(hn::Vec<Tag<T>> c_C, LaneLaw<T>& law, Cone<T>& cone) {
  const auto own = hn::And(hn::Ne(c_C, law.cohesion), hn::Eq(law.elastic, hn::Zero(Tag<T>())));
  law.radius = hn::IfThenElse(own, hn::Div(c_C, law.two_mu), law.radius);
  cone.tip = hn::IfThenElse(own, TipStrain<T>(cone.alpha, law), cone.tip);
}

/// ‖ε − m 1‖
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> DistanceTo(Symmetric<T, dim> strain, hn::Vec<Tag<T>> m) {
  for (int k = 0; k < dim; ++k) strain.s[k] = hn::Sub(strain.s[k], m);
  return hn::Sqrt(SquaredNorm(strain));
}

/// Drucker–Prager return mapping with cohesion, hardening and volume correction, without principal axes: the map moves a
/// strain along its own deviator and the unit tensor, so norms and traces of ε decide everything.
///
///     ε_s = ε + v_c/d,  δγ = ‖dev ε_s‖ + (dλ + 2μ)/(2μ) α (tr ε_s − e_c)               [Klar16 Eq.27; ERRATA T18]
///     tr ε_s > e_c  tip      ε ← e_c/d                       q += ‖ε − e_c/d‖ where tr ε > e_c   [ERRATA T38]
///     δγ ≤ 0        inside   ε ← ε_s
///     else          surface  ε ← ε_s − δγ dev ε_s/‖dev ε_s‖  q += δγ
///     v_c ← max(0, tr ε_s − e_c)                                                       [Tam17 §4.3.4; ERRATA T2]
///
/// With opening_and_closing the tip adds to q also where tr ε ≤ e_c [ERRATA T19]. δγ is formed with c_C/(2μ), the cone's radius
/// at tr ε = 0, since a cone of α = 0 has no tip: e_c = ∞. Elastic lanes have an infinite radius too.
template <class T, int dim>
HWY_INLINE void ReturnStrain(const LaneLaw<T>& law, const Cone<T>& cone, PlasticState<T, dim>& state) {
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
  const V beyond = hn::Sub(shifted, cone.tip);
  // −radius of the cone at this trace. Rounding must not make it positive before the tip.
  const V pressure_reach = hn::Min(zero, hn::MulSub(hn::Mul(law.cone, cone.alpha), shifted, law.radius));
  const V delta_gamma = hn::Add(norm, pressure_reach);  // [Klar16 Eq.27]

  const auto elastic = hn::Ne(law.elastic, zero);
  const auto tip = hn::Gt(beyond, zero);
  const auto surface = hn::AndNot(tip, hn::Gt(delta_gamma, zero));
  // On the surface ‖dev ε‖ shrinks to the cone's radius at this trace.
  const V shrink = hn::Div(hn::Neg(pressure_reach), hn::IfThenElse(surface, norm, one));
  const V kept = hn::IfThenElse(surface, shrink, hn::IfThenElse(tip, zero, one));
  const V new_mean = hn::Mul(hn::IfThenElse(tip, cone.tip, shifted), per_axis);

  const auto hardens = hn::Gt(trace, hn::Min(cone.tip, law.hardens_above));
  const V apart = hn::IfThenElseZero(hardens, DistanceTo<T, dim>(eps, hn::Mul(cone.tip, per_axis)));
  const V gained = hn::IfThenElse(tip, apart, hn::IfThenElse(surface, delta_gamma, zero));
  state.q = hn::Add(state.q, gained);
  const V new_v_c = hn::IfThenElse(tip, hn::Mul(beyond, law.keeps_volume), zero);
  state.v_c = hn::IfThenElse(elastic, state.v_c, new_v_c);
  state.plastic_case = hn::IfThenElse(
      elastic, zero, hn::IfThenElse(tip, hn::Set(d, T{2}), hn::IfThenElse(surface, hn::Set(d, T{3}), one)));

  // Where neither v_c nor the cone moves ε it keeps its bits.
  const auto stays = hn::And(hn::Eq(kept, one), hn::Eq(shifted, trace));
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
    const V part = hn::Mul(kept, deviator.s[k]);
    eps.s[k] = hn::IfThenElse(stays, eps.s[k], k < extent<dim> ? hn::Add(part, new_mean) : part);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
