#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/materials.h"
#include "reference/physics/drucker_prager.h"
#include "reference/physics/svd.h"

namespace repose {

/// The stress that a trial deformation F̂ leaves behind once it has returned to its cone, and the derivative of
/// that stress by F̂. In the frame of F̂ = U Σ Vᵀ, Σ = diag(σ), everything reduces to a few numbers:
///
///     P(Z(F̂)) = U diag(P_i) Vᵀ,   P_i = τ_i/exp(ε_i),   τ = ∂ψ/∂ε                 [Klar16 Eq.26] [Tam17 Eq.7]
///     ε = return of ln σ + v_c/d · 1, at fixed cone and v_c          [Klar16 Eq.17] [Tam17 Eq.27]
///
/// ε is the strain that stays; the shift by v_c is in the stress and in its derivative alike. ψ is Hencky's energy or the
/// unilateral one.
template <int d>
struct ReturnedStress {
  Svd<d> svd;                 ///< of F̂
  Part part = Part::elastic;  ///< where the strain came to lie
  double psi = 0.0;           ///< ψ(ε) per initial volume [Pa]
  Vec<d> P = Vec<d>::Zero();  ///< principal values of P(Z(F̂)) [Pa]
  /// ∂P_i/∂σ_j [Pa]; not symmetric on the surface: the flow is not associated
  Mat<d> dP_dsigma = Mat<d>::Zero();
  Mat<d> m = Mat<d>::Zero();  ///< (P_i − P_j)/(σ_i − σ_j) for i ≠ j, or its limit [Pa]; diagonal unused
  Mat<d> p = Mat<d>::Zero();  ///< (P_i + P_j)/(σ_i + σ_j) for i ≠ j [Pa]; diagonal unused
};

/// Evaluates the above. Where a trial strain lies on the border of two cases, the derivative is the one-sided one
/// of the case that the return takes.
///
///     m_ij = r exp(−ε_i)/σ_j · ln(1 + t)/t · (k − τ_j (exp(δ) − 1)/δ),   k = (τ_i − τ_j)/(ε_i − ε_j)
///     t = σ_i/σ_j − 1,   δ = ε_i − ε_j = r ln(1 + t),   r = ‖dev ε‖/‖dev ln σ‖
///
/// r is the share of the shear strain that stays; k is 2μ of Hencky's energy, OfStrain::shear of the unilateral one. For σ_i → σ_j both quotients tend to 1 and nothing cancels: no
/// difference of nearly equal stresses is formed.
/// @param F_trial  F̂ [-], det F̂ > 0
/// @param cone     that of qⁿ; a constant: the cone hardens after the step [Klar16 §5.6]
/// @param v_c      volume correction before the step [-]; unused by materials without it
/// @param of       the unilateral energy, shifted as `cone` says; null: Hencky's
/// @throws std::invalid_argument as return_to_cone(), also for MaterialKind::elastic: if a strain is not finite, that is, F̂
///         singular or inverted
template <int d>
ReturnedStress<d> returned_stress(const Mat<d>& F_trial, const Material& material, const Cone& cone,
                                  double v_c, const Unilateral* of = nullptr);

/// The stress of the trial deformation itself, as if nothing yielded: minus the gradient of an energy, so that its
/// derivative is symmetric.
///
///     P = ∂ψ(ε)/∂F̂,   P_i = τ_i/σ_i,   ε = ln σ + v_c/d · 1                                [Tam17 Eq.16, Eq.27]
///     ∂P_i/∂σ_j = (∂²ψ/∂ε_i∂ε_j − δ_ij τ_i)/(σ_i σ_j),   m_ij = (k ln(1 + t)/t − τ_j)/(σ_i σ_j)
///
/// Departs from [Tam17 Eq.16], which leaves v_c out: grains that are apart would push back at the first compression, where
/// the return behind the step says that they do not touch.
/// @param material, cone, v_c, of  as above; the cone shifts the unilateral energy, nothing else
/// @returns part is Part::elastic
/// @throws std::invalid_argument as above
template <int d>
ReturnedStress<d> lagged_stress(const Mat<d>& F_trial, const Material& material, const Cone& cone, double v_c,
                                const Unilateral* of = nullptr);

/// P(Z(F̂)), or P(F̂) where the return is left out [Pa].
template <int d>
Mat<d> piola_stress(const ReturnedStress<d>& stress);

/// Its change for a change of F̂.
///
///     A = Uᵀ dF̂ V,   dP = U B Vᵀ
///     B_ii = Σ_j ∂P_i/∂σ_j A_jj,   B_ij = ½ ((m_ij + p_ij) A_ij + (m_ij − p_ij) A_ji)
///
/// @param dF [-]
/// @returns dP [Pa], linear in dF
template <int d>
Mat<d> stress_change(const ReturnedStress<d>& stress, const Mat<d>& dF);

/// Derivative of return_to_cone() by the principal trial strains, for the case it took.
///
///     k = tr ε,  n = dev ε/‖dev ε‖,  c = α (dλ + 2μ)/(2μ),  r = −c (k − e_c)/‖dev ε‖ = 1 − δγ/‖dev ε‖
///     inside:   1          tip:   0
///     surface:  1/d · 11ᵀ − c n 1ᵀ + r (1 − 1/d · 11ᵀ − n nᵀ)
///
/// The first term keeps the trace; the second says that more pressure carries more shear.
/// @param eps_trial as given to return_to_cone() [-]
/// @param part what it returned
template <int d>
Mat<d> return_derivative(const Vec<d>& eps_trial, const Lame& lame, const Cone& cone, Part part);

}  // namespace repose
