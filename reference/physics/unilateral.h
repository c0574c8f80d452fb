#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/materials.h"
#include "reference/physics/hardening.h"

namespace repose {

/// A function of the principal strains with its first and second derivative by them.
template <int d>
struct OfStrain {
  double value = 0.0;
  Vec<d> slope = Vec<d>::Zero();
  Mat<d> curvature = Mat<d>::Zero();
  /// (slope_i − slope_j)/(ε_i − ε_j) or its limit, one number for all i ≠ j: of functions of u and v alone.
  double shear = 0.0;
};

/// The fall of the multiplier from 1 to 0 and its derivatives, as a function of one number.
struct Fall {
  double value = 1.0, slope = 0.0, curvature = 0.0;
};

///     h_s(z) = 1 − 10z³ + 15z⁴ − 6z⁵ = (1 − z)³ (1 + 3z + 6z²)      1 for z < 0, 0 for z > 1      [Tam17 Eq.9]
///     h_s′ = −30 z² (1 − z)²,   h_s″ = −60 z (1 − z)(1 − 2z)
///
/// The product is exact to a few roundings also where it is small. Value, slope and curvature go to the outer ones as the
/// cube, the square and the first power of the distance from z = 0 or 1.
/// @param z          [-]
/// @param complement 1 − z, formed by its own formula where z is a quotient, so that nothing cancels
Fall fall(double z, double complement);

/// The multiplier h of the unilateral energy.
///
///     e = ε/U,   o = 1/√d (1, …, 1),   u = e·o,   w = e − u o,   v = ‖w‖
///     f = c₀ v⁴/(1 + v³)                                                              [Tam17 Eq.8]
///     z = (u + f − a − s_C)/(b − a),   h = h_s(z)                                     [Tam17 Eq.10]
///
///     ∂z/∂e   = (o + (f′/v) w)/(b − a)
///     ∂²z/∂e² = ((f′/v)(1 − ooᵀ) + c₀ (8 − 11v³ − v⁶)/(1 + v³)³ wwᵀ)/(b − a)
///     f′/v = c₀ v² (4 + v³)/(1 + v³)²,   shear: h_s′ (f′/v)/((b − a) U²)
///
/// with U = `strain_unit`. Nothing is divided by v: both are finite at v = 0, where they tend to 0.
/// @param eps principal Hencky strains [-]
/// @param of  a < b, c₀ ≥ 0
/// @param s_C shift along the axis, in units of U
template <int d>
OfStrain<d> multiplier(const Vec<d>& eps, const Unilateral& of, double s_C);

/// The unilateral energy per initial volume.
///
///     ψ^U = h ψ,   ψ = μ Σε² + λ/2 (Σε)²                                              [Tam17 Eq.7]
///     τ   = ∂ψ^U/∂ε = h (2μ ε + λ Σε 1) + ψ ∇h         principal Kirchhoff stresses [Pa]
///     ∂²ψ^U/∂ε² = h (2μ 1 + λ 11ᵀ) + ∇h ∇ψᵀ + ∇ψ ∇hᵀ + ψ ∂²h,   shear: 2μ h + ψ (shear of h)
///
/// Departs from the print of ψ, whose second term is λ/2 tr ε. The second derivative is not definite where h falls: along
/// the axis of equal strains it is negative for u from 5/6 to 20/21 of a, where b = s_C = 0.
template <int d>
OfStrain<d> unilateral_energy(const Vec<d>& eps, const Lame& lame, const Unilateral& of, double s_C);

/// The shift of the multiplier: the given one, or that which puts b = 0 onto the cone's tip.
///
///     s_C = e_c/(√d U)
///
/// @throws std::invalid_argument for a cone without a tip, where none is given
template <int d>
double multiplier_shift(const Unilateral& of, const Lame& lame, const Cone& cone);

}  // namespace repose
