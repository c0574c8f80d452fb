// What stays of the trial strains of an implicit step, and the stress of that. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_RETURNED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_RETURNED_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_RETURNED_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_RETURNED_INL_H_
#endif

#include "optimized/implicit/multiplier-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// All lanes take all branches of the return mapping as one formula, D_ij = ∂ε_i/∂ε̂_j:
///
///     ε = m + r dev ε̂,   ε̂ − ε = ε̂ − e_c/d (tip), (1 − r) dev ε̂ − v_c/d (else)
///     D_ij = p/d − c n_i + r (δ_ij − 1/d − t n_i n_j),   n = dev ε̂/‖dev ε̂‖
///
///                m            r             p   c       t
///     elastic    tr ε̂/d       1             1   0       0
///     tip        e_c/d        0             0   0       0
///     inside     tr ε̂/d + v_c/d   1         1   0       0
///     surface    tr ε̂/d + v_c/d   R/‖dev ε̂‖ 1   slope   1     R = radius − slope (tr ε̂ + v_c)
template <int dim>
struct ReturnedLanes {
  Doubles eps[extent<dim>];   ///< ε
  Doubles lost[extent<dim>];  ///< ε̂ − ε
  Doubles n[extent<dim>];
  Doubles r, p, c, t;
};

template <int dim>
HWY_INLINE ReturnedLanes<dim> Return(const PackLanes<dim>& at, const Doubles* trial) {
  using P = Pack<dim>;
  const Tag<double> d;
  const Doubles zero = hn::Zero(d);
  const Doubles one = hn::Set(d, 1.0);
  const Doubles shift = at.Get(P::shift);
  const Doubles slope = at.Get(P::slope);
  Doubles sum = hn::Add(trial[0], trial[1]);
  if constexpr (dim == 3) sum = hn::Add(sum, trial[extent<dim> - 1]);
  const Doubles mean = hn::Div(sum, hn::Set(d, static_cast<double>(dim)));
  Doubles dev[extent<dim>];
  for (std::size_t k = 0; k < extent<dim>; ++k) dev[k] = hn::Sub(trial[k], mean);
  Doubles norm = hn::Mul(dev[0], dev[0]);
  for (std::size_t k = 1; k < extent<dim>; ++k) norm = hn::MulAdd(dev[k], dev[k], norm);
  norm = hn::Sqrt(norm);
  const Doubles e_c = at.Get(P::tip);
  const Doubles tip_mean = hn::Div(e_c, hn::Set(d, static_cast<double>(dim)));
  const Doubles trace = hn::MulAdd(shift, hn::Set(d, static_cast<double>(dim)), sum);
  // Rounding must not make it negative before the tip.
  const Doubles radius = hn::Neg(hn::Min(zero, hn::MulSub(slope, trace, at.Get(P::radius))));

  const auto tip = hn::Gt(trace, e_c);
  const auto surface = hn::AndNot(tip, hn::Gt(norm, radius));  // [Klar16 Eq.27]
  ReturnedLanes<dim> out;
  const Doubles length = hn::IfThenElse(surface, norm, one);
  out.p = hn::IfThenElse(tip, zero, one);
  out.r = hn::IfThenElse(surface, hn::Div(radius, length), out.p);
  out.c = hn::IfThenElse(surface, slope, zero);
  out.t = hn::IfThenElse(surface, one, zero);
  const Doubles left = hn::IfThenElse(tip, tip_mean, hn::Add(mean, shift));
  const Doubles released = hn::Sub(one, out.r);
  for (std::size_t k = 0; k < extent<dim>; ++k) {
    out.n[k] = hn::Div(dev[k], length);
    out.eps[k] = hn::MulAdd(out.r, dev[k], left);  // [Klar16 Eq.28]
    out.lost[k] = hn::IfThenElse(tip, hn::Sub(trial[k], tip_mean), hn::MulSub(released, dev[k], shift));
  }
  return out;
}

/// As if all were elastic: the stress of semi-implicit steps is that of ε̂ + v_c/d 1, over the stretches of F̂ itself: ε̂ − ε counts
/// as nothing.                                                                            [Tam17 Eq.16; ERRATA T20]
template <int dim>
HWY_INLINE ReturnedLanes<dim> Unreturned(const PackLanes<dim>& at, const Doubles* trial) {
  const Doubles zero = hn::Zero(Tag<double>());
  const Doubles one = hn::Set(Tag<double>(), 1.0);
  ReturnedLanes<dim> out;
  out.r = out.p = one;
  out.c = out.t = zero;
  for (std::size_t k = 0; k < extent<dim>; ++k) {
    out.eps[k] = hn::Add(trial[k], at.Get(Pack<dim>::shift));
    out.lost[k] = out.n[k] = zero;
  }
  return out;
}

/// τ of the strain that stays, and its energy where that is asked for.
template <int dim>
HWY_INLINE PrincipalStress<dim> StressOf(const PackLanes<dim>& at, const PackBlock<dim>& a,
                                         const Doubles* eps) {
  using P = Pack<dim>;
  constexpr std::size_t e = extent<dim>;
  const Tag<double> d;
  const Doubles two_mu = at.Get(P::two_mu);
  const Doubles lambda = at.Get(P::lambda);
  Doubles trace = hn::Add(eps[0], eps[1]);
  if constexpr (dim == 3) trace = hn::Add(trace, eps[e - 1]);
  PrincipalStress<dim> out;
  out.shear = two_mu;
  for (std::size_t k = 0; k < e; ++k)
    out.tau[k] = hn::MulAdd(two_mu, eps[k], hn::Mul(lambda, trace));  // [Klar16 Eq.26]
  if (!a.lagged && !a.unilateral) return out;
  Doubles twice = hn::Mul(eps[0], out.tau[0]);  // 2ψ = ε·τ⁰
  for (std::size_t k = 1; k < e; ++k) twice = hn::MulAdd(eps[k], out.tau[k], twice);
  out.psi = hn::Mul(hn::Set(d, 0.5), twice);
  if (a.unilateral) Multiply<dim>(at, eps, out);
  return out;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
