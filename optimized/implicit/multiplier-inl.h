// The unilateral energy in principal strains. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_MULTIPLIER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_MULTIPLIER_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_MULTIPLIER_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_MULTIPLIER_INL_H_
#endif

#include "optimized/implicit/matrix-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Principal stresses of the strain that stays and how they change with it.
///
///     ψ^U = h ψ,   τ = h τ⁰ + ψ g,   g = ∂h/∂ε                                              [Tam17 Eq.7]
///     ∂τ_i/∂ε_j = h (2μ δ_ij + λ) + more_ij,   more = g τ⁰ᵀ + τ⁰ gᵀ + ψ ∂²h/∂ε²
///     (τ_i − τ_j)/(ε_i − ε_j) = h 2μ + ψ (g_i − g_j)/(ε_i − ε_j)
///
/// with τ⁰ and ψ Hencky's. Of Hencky's energy, h = 1 and the rest is nothing.
template <int dim>
struct PrincipalStress {
  Doubles tau[extent<dim>];
  Doubles h;         ///< unused where the energy is Hencky's
  Matrix<dim> more;  ///< unused where the energy is Hencky's
  Doubles shear;
  Doubles psi;
};

/// What h makes of Hencky's stresses `out`. With e = ε/U, w = dev e, v = ‖w‖, o = 1/√d (1, …, 1), s = 1/((b − a) U):
///
///     z = (tr e/√d + c₀ v⁴/(1 + v³) − a − s_C)/(b − a)
///     h = (1 − z)³ (1 + 3z + 6z²),   h′ = −30 z² (1 − z)²,   h″ = −60 z (1 − z)(1 − 2z)      [Tam17 Eq.8–10]
///     g = h′ s (o + F w),   F = f′/v = c₀ v² (4 + v³)/(1 + v³)²
///     ∂²h = s² h″ (o + F w)(o + F w)ᵀ + h′ s/U (F (1 − ooᵀ) + G wwᵀ),   G = c₀ (8 − 11v³ − v⁶)/(1 + v³)³
///
/// z outside [0, 1] is moved onto its ends, where h′ and h″ vanish.
template <int dim>
HWY_INLINE void Multiply(const PackLanes<dim>& at, const Doubles* eps, PrincipalStress<dim>& out) {
  using P = Pack<dim>;
  constexpr std::size_t e = extent<dim>;
  const Tag<double> d;
  const auto set = [d](double x) HWY_ATTR { return hn::Set(d, x); };
  const Doubles one = set(1.0);
  const Doubles per_unit = at.Get(P::per_unit);
  const Doubles per_width = at.Get(P::per_width);
  const Doubles c0 = at.Get(P::opening);
  constexpr double root = dim == 2 ? 0.70710678118654752 : 0.57735026918962576;  // 1/√d
  Doubles trace = hn::Add(eps[0], eps[1]);
  if constexpr (dim == 3) trace = hn::Add(trace, eps[e - 1]);
  const Doubles mean = hn::Mul(trace, set(1.0 / dim));
  Doubles w[e];
  Doubles v2 = hn::Zero(d);
  for (std::size_t k = 0; k < e; ++k) {
    w[k] = hn::Mul(hn::Sub(eps[k], mean), per_unit);
    v2 = hn::MulAdd(w[k], w[k], v2);
  }
  const Doubles v3 = hn::Mul(v2, hn::Sqrt(v2));
  const Doubles per_down = hn::Div(one, hn::Add(one, v3));
  const Doubles opened = hn::Mul(hn::Mul(c0, hn::Mul(v2, v2)), per_down);
  const Doubles u = hn::Mul(hn::Mul(trace, per_unit), set(root));
  const Doubles place = hn::Mul(hn::Sub(hn::Add(u, opened), at.Get(P::start)), per_width);
  const Doubles z = hn::Min(hn::Max(place, hn::Zero(d)), one);
  const Doubles rest = hn::Sub(one, z);
  const Doubles both = hn::Mul(z, rest);
  out.h = hn::Mul(hn::Mul(hn::Mul(rest, rest), rest), hn::MulAdd(z, hn::MulAdd(z, set(6.0), set(3.0)), one));
  const Doubles h1 = hn::Mul(set(-30.0), hn::Mul(both, both));
  const Doubles h2 = hn::Mul(set(-60.0), hn::Mul(both, hn::Sub(rest, z)));
  const Doubles down2 = hn::Mul(per_down, per_down);
  const Doubles F = hn::Mul(hn::Mul(c0, v2), hn::Mul(hn::Add(v3, set(4.0)), down2));
  const Doubles G =
      hn::Mul(hn::Mul(c0, hn::NegMulAdd(v3, hn::Add(v3, set(11.0)), set(8.0))), hn::Mul(down2, per_down));

  const Doubles s = hn::Mul(per_width, per_unit);
  const Doubles across = hn::Mul(hn::Mul(h1, s), per_unit);  // h′ s/U
  Doubles z_eps[e], g[e];
  for (std::size_t k = 0; k < e; ++k) {
    z_eps[k] = hn::Mul(s, hn::MulAdd(F, w[k], set(root)));
    g[k] = hn::Mul(h1, z_eps[k]);
  }
  for (std::size_t i = 0; i < e; ++i) {
    for (std::size_t j = i; j < e; ++j) {
      const Doubles turned = hn::Mul(F, set((i == j ? 1.0 : 0.0) - 1.0 / dim));
      const Doubles bend = hn::MulAdd(hn::Mul(h2, z_eps[i]), z_eps[j],
                                      hn::Mul(across, hn::MulAdd(hn::Mul(G, w[i]), w[j], turned)));
      const Doubles mixed = hn::MulAdd(g[i], out.tau[j], hn::Mul(out.tau[i], g[j]));
      out.more(i, j) = out.more(j, i) = hn::MulAdd(out.psi, bend, mixed);
    }
  }
  out.shear = hn::MulAdd(out.h, out.shear, hn::Mul(out.psi, hn::Mul(across, F)));
  for (std::size_t k = 0; k < e; ++k) out.tau[k] = hn::MulAdd(out.h, out.tau[k], hn::Mul(out.psi, g[k]));
  out.psi = hn::Mul(out.h, out.psi);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
