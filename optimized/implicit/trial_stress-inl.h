// Trial stresses of an implicit step and their derivative. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_TRIAL_STRESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_TRIAL_STRESS_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_TRIAL_STRESS_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_TRIAL_STRESS_INL_H_
#endif

#include "optimized/implicit/change-inl.h"
#include "optimized/implicit/returned-inl.h"
#include "optimized/law/law-inl.h"
#include "optimized/simd/symmetric-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// (exp(y) − 1)/y, and that of −y.
HWY_INLINE void ExpQuotients(Doubles y, Doubles& of_y, Doubles& of_minus_y) {
  const Tag<double> d;
  const Doubles one = hn::Set(d, 1.0);
  const auto none = hn::Eq(y, hn::Zero(d));
  const Doubles above = hn::Expm1(d, y);
  of_y = hn::IfThenElse(none, one, hn::Div(above, hn::IfThenElse(none, one, y)));
  of_minus_y = hn::Div(of_y, hn::Add(one, above));
}

/// b̂ − 1 = A (exp(2ε) − 1) Aᵀ + H + Hᵀ + H Hᵀ: small strains keep their digits.
template <int dim>
HWY_INLINE Symmetric<double, dim> TrialStretch(const PackLanes<dim>& at, const Matrix<dim>& H,
                                               const Matrix<dim>& A) {
  Symmetric<double, dim> strain;
  for (std::size_t s = 0; s < Record<dim>::symmetric; ++s) strain.s[s] = at.Get(Pack<dim>::strain + s);
  const Symmetric<double, dim> before = StretchOf<double, dim>(strain);
  const auto stretch = [&](std::size_t a, std::size_t b)
                           HWY_ATTR { return before(static_cast<int>(a), static_cast<int>(b)); };
  const Matrix<dim> half = Product<dim>(Plain(A), stretch);
  Symmetric<double, dim> out;
  for (std::size_t a = 0; a < extent<dim>; ++a) {
    for (std::size_t b = a; b < extent<dim>; ++b) {
      Doubles sum = hn::Add(H(a, b), H(b, a));
      for (std::size_t k = 0; k < extent<dim>; ++k)
        sum = hn::MulAdd(half(a, k), A(b, k), hn::MulAdd(H(a, k), H(b, k), sum));
      out.s[symmetric_index<dim>(static_cast<int>(a), static_cast<int>(b))] = sum;
    }
  }
  return out;
}

/// A⁻¹ det A and det A.
template <int dim>
HWY_INLINE Matrix<dim> Adjugate(const Matrix<dim>& A, Doubles& determinant) {
  Matrix<dim> out;
  if constexpr (dim == 2) {
    out(0, 0) = A(1, 1), out(1, 1) = A(0, 0);
    out(0, 1) = hn::Neg(A(0, 1)), out(1, 0) = hn::Neg(A(1, 0));
    determinant = hn::MulSub(A(0, 0), A(1, 1), hn::Mul(A(0, 1), A(1, 0)));
  } else {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        const std::size_t r = (b + 1) % 3, s = (b + 2) % 3, u = (a + 1) % 3, v = (a + 2) % 3;
        out(a, b) = hn::MulSub(A(r, u), A(s, v), hn::Mul(A(r, v), A(s, u)));
      }
    }
    determinant = hn::MulAdd(A(0, 0), out(0, 0), hn::MulAdd(A(0, 1), out(1, 0), hn::Mul(A(0, 2), out(2, 0))));
  }
  return out;
}

/// Stress of an implicit step from the left Cauchy–Green tensor alone. With A = 1 + Δt ∇v and b̂ = A b Aᵀ, ε̂ = ½ ln b̂,
/// the force's P(Z(F̂)) Fᵀ needs no F: in the axes U of b̂ everything is diagonal but A⁻ᵀ,
///
///     P(Z(F̂)) Fᵀ = S A⁻ᵀ,   S = U diag(s_i) Uᵀ,   s_i = τ_i(ε) exp(ε̂_i − ε_i)         [Klar16 Eq.23; ERRATA K7]
///
/// ε is the strain that the return mapping leaves of ε̂, with the volume correction if the material keeps it
/// [Klar16 Eq.27, Eq.28; Tam17 Eq.27]; its cone is that of qⁿ [ERRATA K21]. For a change dA, with
/// L = dA A⁻¹ in the axes U:
///
///     d(S A⁻ᵀ) = U K Uᵀ A⁻ᵀ,   K = dS − S Lᵀ
///     K_ii = Σ_j (∂s_i/∂ε̂_j − δ_ij s_i) L_jj
///     K_ij = a_ij L_ij + (a_ji − s_i) L_ji,   a_ij = g_ij b̂_j,   g_ij = (s_i − s_j)/(b̂_i − b̂_j)
///
/// g is formed from the difference x = ε̂_i − ε̂_j, with no difference of nearly equal stresses; at x = 0 it is its
/// limit. r is the share of the deviator that stays, E(y) = (exp(y) − 1)/y:
///
///     g_ij = exp(ε̂_j − ε_j)/b̂_j · (k r + τ_i (1 − r) E((1 − r) x))/(2 E(2x))
///
/// with k = (τ_i − τ_j)/(ε_i − ε_j), which is 2μ of Hencky's energy. Of semi-implicit steps ε is that of Unreturned(), and
/// s_i = τ_i.
///
/// Sets what a pack says of the stress at Δt ∇v = H. @returns Δt V⁰ S A⁻ᵀ
/// @param energy Δt V⁰ ψ and Δt V⁰ ‖τ‖, where `of.lagged`
template <int dim>
HWY_INLINE Matrix<dim> SetTrialStress(const PackBlock<dim>& of, const PackLanes<dim>& at,
                                      const Matrix<dim>& H, Doubles* energy) {
  using P = Pack<dim>;
  constexpr std::size_t e = extent<dim>;
  const Tag<double> d;
  const Doubles zero = hn::Zero(d);
  const Doubles one = hn::Set(d, 1.0);
  Matrix<dim> A = H;
  for (std::size_t a = 0; a < e; ++a) A(a, a) = hn::Add(A(a, a), one);
  Doubles determinant;
  const Matrix<dim> adjugate = Adjugate<dim>(A, determinant);
  const Doubles per_determinant = hn::Div(one, determinant);
  const Eigen<double, dim> spectrum = Decompose<double, dim>(TrialStretch<dim>(at, H, A));

  auto sound = hn::Gt(determinant, zero);
  Doubles check = zero;  // not finite if any result is not
  Doubles hencky[e];
  for (std::size_t k = 0; k < e; ++k) {
    sound = hn::And(sound, hn::Gt(spectrum.value[k], hn::Set(d, -1.0)));
    hencky[k] = hn::Mul(hn::Set(d, 0.5), Log1p<double>(spectrum.value[k]));
  }
  const ReturnedLanes<dim> kept = of.lagged ? Unreturned<dim>(at, hencky) : Return<dim>(at, hencky);

  const Doubles two_mu = at.Get(P::two_mu);
  const Doubles lambda = at.Get(P::lambda);
  const PrincipalStress<dim> law = StressOf<dim>(at, of, kept.eps);
  const auto& tau = law.tau;
  Doubles factor[e], s[e];
  for (std::size_t k = 0; k < e; ++k) {
    factor[k] = hn::Mul(at.Get(P::scale), hn::Exp(d, kept.lost[k]));
    s[k] = hn::Mul(factor[k], tau[k]);
    at.Set(P::s + k, s[k]);
  }
  if (of.lagged) {
    Doubles tau2 = hn::Mul(tau[0], tau[0]);
    for (std::size_t k = 1; k < e; ++k) tau2 = hn::MulAdd(tau[k], tau[k], tau2);
    energy[0] = hn::Mul(at.Get(P::scale), law.psi);
    energy[1] = hn::Mul(at.Get(P::scale), hn::Sqrt(tau2));
  }

  const Doubles per_axis = hn::Set(d, 1.0 / dim);
  const Doubles of_trace = hn::Mul(lambda, kept.p);  // λ Σ_i ∂ε_i/∂ε̂_j
  Matrix<dim> D;
  for (std::size_t i = 0; i < e; ++i) {
    const Doubles base = hn::NegMulAdd(kept.c, kept.n[i], hn::Mul(hn::Sub(kept.p, kept.r), per_axis));
    for (std::size_t j = 0; j < e; ++j) {
      const Doubles along = hn::Mul(kept.t, hn::Mul(kept.n[i], kept.n[j]));
      D(i, j) = hn::MulAdd(kept.r, i == j ? hn::Sub(one, along) : hn::Neg(along), base);
    }
  }
  for (std::size_t i = 0; i < e; ++i) {
    for (std::size_t j = 0; j < e; ++j) {
      Doubles stress = hn::MulAdd(two_mu, D(i, j), of_trace);
      if (of.unilateral) {
        stress = hn::Mul(law.h, stress);
        for (std::size_t k = 0; k < e; ++k) stress = hn::MulAdd(law.more(i, k), D(k, j), stress);
      }
      const Doubles normal = hn::Mul(factor[i], hn::NegMulAdd(tau[i], D(i, j), stress));
      at.Set(P::normal + e * i + j, normal);
      check = hn::Add(check, normal);
    }
  }
  // s_i ∂ε̂_i/∂ε̂_j and what S Lᵀ takes cancel: only the returned strain is left.
  const Doubles released = hn::Sub(one, kept.r);
  const Doubles stays = hn::Mul(law.shear, kept.r);
  for (std::size_t i = 0; i < e; ++i) {
    for (std::size_t j = i + 1; j < e; ++j) {
      const Doubles x = hn::Sub(hencky[i], hencky[j]);
      Doubles lost_ij, lost_ji, twice_ij, twice_ji;
      ExpQuotients(hn::Mul(released, x), lost_ij, lost_ji);
      ExpQuotients(hn::Add(x, x), twice_ij, twice_ji);
      const auto shear = [&](std::size_t a, std::size_t b, Doubles lost, Doubles twice) HWY_ATTR {
        const Doubles part = hn::MulAdd(hn::Mul(tau[a], released), lost, stays);
        return hn::Div(hn::Mul(factor[b], part), hn::Add(twice, twice));
      };
      const Doubles ij = shear(i, j, lost_ij, twice_ij);
      const Doubles ji = shear(j, i, lost_ji, twice_ji);
      const std::size_t pair = i + j - 1;
      at.Set(P::shear + 2 * pair, ij);
      at.Set(P::shear + 2 * pair + 1, ji);
      check = hn::Add(check, hn::Add(ij, ji));
    }
  }

  Matrix<dim> U;
  for (std::size_t a = 0; a < e; ++a)
    for (std::size_t k = 0; k < e; ++k) U(a, k) = spectrum.vector[a][k];
  Matrix<dim> W = Product<dim>(Plain(adjugate), Plain(U));
  Matrix<dim> scaled;
  for (std::size_t a = 0; a < e; ++a) {
    for (std::size_t k = 0; k < e; ++k) {
      W(a, k) = hn::Mul(W(a, k), per_determinant);
      scaled(a, k) = hn::Mul(U(a, k), s[k]);
      at.Set(P::U + e * a + k, U(a, k));
      at.Set(P::W + e * a + k, W(a, k));
    }
  }
  const Matrix<dim> result = Product<dim>(Plain(scaled), Transposed(W));
  for (std::size_t a = 0; a < e; ++a)
    for (std::size_t b = 0; b < e; ++b) check = hn::Add(check, hn::Add(result(a, b), W(a, b)));
  sound = hn::And(sound, hn::IsFinite(check));
  at.Set(P::sound, hn::IfThenElse(sound, one, zero));
  return result;
}

/// Moves a block's particles and adds what they push nodes with.
/// @param push (lanes, slopes of h v, energy to set) → what the slopes of a node are weighted with
/// @returns false if the velocities invert a particle, or a number is not finite
template <int dim, int K, class Push>
HWY_INLINE bool MoveParticles(const PackBlock<dim>& a, const Push& push) {
  using P = Pack<dim>;
  constexpr std::size_t stride = 4 * extent<dim>;
  const Tag<double> d;
  std::fill_n(a.to, Block<dim>::tile_values, 0.0);
  std::fill_n(a.magnitude, Block<dim>::tile_values / 4, 0.0);
  bool all_sound = true;
  Doubles energy[2] = {hn::Zero(d), hn::Zero(d)};
  Doubles sum[2] = {hn::Zero(d), hn::Zero(d)};
  VisitLanes<dim, K>(
      a, [&](const PackLanes<dim>& at, const double* table, std::size_t first, std::size_t real) HWY_ATTR {
        HWY_ALIGN double records[lanes<double> * stride];
        GatherLanes<dim, K>(a, table, first, real, records);
        const Matrix<dim> G = push(at, LoadColumns<dim, stride>(records), energy);
        for (std::size_t k = 0; k < 2; ++k) sum[k] = hn::Add(sum[k], energy[k]);
        all_sound = all_sound && hn::AllTrue(d, hn::Ne(at.Get(P::sound), hn::Zero(d)));
        StoreColumns<dim, stride>(G, records);
        for (std::size_t lane = 0; lane < real; ++lane) {
          const std::size_t base = Block<dim>::tile_offset(a.code[first + lane]);
          const double* slopes = table + lane * SlopeTable<dim>::size;
          ScatterSlopes<dim, K>(records + lane * stride, slopes, a.to + base);
          ScatterMagnitudes<dim, K>(records + lane * stride, slopes, a.magnitude + base / 4);
        }
      });
  if (a.lagged) *a.energy = {hn::GetLane(hn::SumOfLanes(d, sum[0])), hn::GetLane(hn::SumOfLanes(d, sum[1]))};
  return all_sound;
}

/// @returns false if the velocities invert a particle, det A ≤ 0, or a number is not finite
template <int dim, int K>
HWY_NOINLINE bool MoveBlock(const PackBlock<dim>& a) {
  const Tag<double> d;
  const Doubles dt_over_h = hn::Set(d, a.dt_over_h);
  const Doubles per_h = hn::Set(d, a.per_h);
  return MoveParticles<dim, K>(
      a, [&](const PackLanes<dim>& at, const Matrix<dim>& slopes, Doubles(&energy)[2]) HWY_ATTR {
        return Scaled<dim>(SetTrialStress<dim>(a, at, Scaled<dim>(slopes, dt_over_h), energy), per_h);
      });
}

/// Δt V⁰ (2μ + dλ) ‖∇w‖ of all particles and nodes.
template <int dim, int K>
HWY_NOINLINE void StiffnessBlock(const PackBlock<dim>& a) {
  using P = Pack<dim>;
  constexpr std::size_t stride = 4 * extent<dim>;
  const Tag<double> d;
  std::fill_n(a.magnitude, Block<dim>::tile_values / 4, 0.0);
  VisitLanes<dim, K>(
      a, [&](const PackLanes<dim>& at, const double* table, std::size_t first, std::size_t real) HWY_ATTR {
        const Doubles modulus =
            hn::MulAdd(hn::Set(d, static_cast<double>(dim)), at.Get(P::lambda), at.Get(P::two_mu));
        const Doubles per_slope = hn::Mul(hn::Mul(at.Get(P::scale), hn::Set(d, a.per_h)), modulus);
        Matrix<dim> along;
        for (std::size_t c = 0; c < extent<dim>; ++c)
          for (std::size_t b = 0; b < extent<dim>; ++b) along(c, b) = c == b ? per_slope : hn::Zero(d);
        HWY_ALIGN double records[lanes<double> * stride];
        StoreColumns<dim, stride>(along, records);
        for (std::size_t lane = 0; lane < real; ++lane)
          ScatterMagnitudes<dim, K>(records + lane * stride, table + lane * SlopeTable<dim>::size,
                                    a.magnitude + Block<dim>::tile_offset(a.code[first + lane]) / 4);
      });
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
