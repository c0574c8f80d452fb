#pragma once

#include "optimized/mpm/kernels.h"
#include "reference/interface/materials.h"
#include "reference/interface/types.h"

namespace repose::optimized {

/// α(φ(q)) = √(2/3) · 2 sin φ/(3 − sin φ), φ = h₀ + (h₁ q − h₃) exp(−h₂ q)                 [Klar16 Eq.30, Eq.31]
double cone_slope(const LawRow<double>& law, double q);

/// A material as numbers of type double.
LawRow<double> law_row(const Material& material, int dim);

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
///     g_ij = exp(ε̂_j − ε_j)/b̂_j · (2μ r + τ_i (1 − r) E((1 − r) x))/(2 E(2x))
template <int dim>
struct TrialStress {
  Mat<dim> U;       ///< axes of b̂
  Mat<dim> W;       ///< A⁻¹ U
  Vec<dim> s;       ///< s_i times Δt V⁰
  Mat<dim> normal;  ///< (∂s_i/∂ε̂_j − δ_ij s_i) Δt V⁰
  Mat<dim> shear;   ///< a_ij Δt V⁰ for i ≠ j; diagonal 0

  /// Δt V⁰ S A⁻ᵀ: times ∇w it is the impulse that a node loses.
  Mat<dim> impulse_per_gradient() const { return U * s.asDiagonal() * W.transpose(); }

  /// Its change.
  /// @param dA Δt Σ_i dv_i ∇w_iᵀ [-]
  Mat<dim> change(const Mat<dim>& dA) const;

  /// Its change times ∇w where one node alone moves: the matrix N in N dv = change(dv ∇wᵀ) ∇w.
  Mat<dim> node_block(const Vec<dim>& grad_w) const;
};

/// @param strain b − 1 before the step
/// @param H      Δt ∇v
/// @param scale  Δt V⁰
/// @returns false if the step inverts the particle, det A ≤ 0, or a number is not finite
template <int dim>
bool set_trial_stress(const Mat<dim>& strain, const Mat<dim>& H, const LawRow<double>& law, double alpha,
                      double v_c, double scale, TrialStress<dim>& out);

}  // namespace repose::optimized
