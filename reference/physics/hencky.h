#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/materials.h"
#include "reference/physics/svd.h"

namespace repose {

/// Principal logarithmic (Hencky) strains.
///
///     ε = ln Σ,   F = U Σ Vᵀ                                                          [Klar16 §6.3]
///
/// @returns ε [-], in the order of svd.sigma; not finite if F is singular or inverted (σ ≤ 0)
template <int d>
Vec<d> hencky_strain(const Svd<d>& svd);

/// St. Venant–Kirchhoff's energy with the Hencky strain, per initial volume.
///
///     ψ = μ tr(ε²) + λ/2 (tr ε)²                                               [Klar16 Eq.25] [Tam17 §3.1.1]
///
/// Departs from the print of [Tam17 §3.1.1], which has λ/2 tr(ε).
///
/// @param eps principal strains [-]
/// @returns ψ [Pa]
template <int d>
double hencky_energy(const Vec<d>& eps, const Lame& lame);

/// Principal Kirchhoff stresses of that energy, those of P Fᵀ with P = ∂ψ/∂F.
///
///     τ = 2μ ε + λ tr(ε) 1                                                            [Klar16 Eq.26]
///
/// @param eps principal strains [-]
/// @returns principal values of τ [Pa], positive in tension
template <int d>
Vec<d> principal_kirchhoff_stress(const Vec<d>& eps, const Lame& lame);

/// Kirchhoff stress as a matrix, from its principal values in the frame of b = F Fᵀ.
///
///     τ = P Fᵀ = U diag(τ_k) Uᵀ                                                       [Klar16 Eq.26]
template <int d>
Mat<d> kirchhoff_stress(const Svd<d>& svd, const Vec<d>& tau);

/// The same of Hencky's energy.
/// @param F elastic deformation gradient [-], det F > 0
/// @returns τ [Pa], symmetric; not finite if F is singular or inverted
template <int d>
Mat<d> kirchhoff_stress(const Mat<d>& F, const Lame& lame);

}  // namespace repose
