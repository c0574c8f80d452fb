#pragma once

#include "reference/interface/scene/scene.h"
#include "validation/crosscheck/mpm/return_bounds.h"

namespace repose::crosscheck {

/// What two solvers' stress of the unilateral energy, and its derivative, may differ by.
struct UnilateralError {
  double magnitude = 0.0;   ///< ‖τ‖ at most [Pa]
  double per_strain = 0.0;  ///< ‖∂τ/∂ε‖ at most, over the ball of radius ‖δε‖ [Pa]
  double bend = 0.0;        ///< ‖∂²τ/∂ε²‖ at most, over that ball [Pa]
  double rounding = 0.0;    ///< of τ, by forming h [Pa]
  double of_change = 0.0;   ///< of ∂τ/∂ε, by forming h [Pa]
};

/// A strain, as far as the energy sees it.
struct StrainSizes {
  double norm = 0.0;   ///< ‖ε‖ of what is summed for it
  double trace = 0.0;  ///< tr ε
  double shear = 0.0;  ///< ‖dev ε‖
};

/// s_C of a particle: given, or from the tip of its own cone.
Approximate multiplier_shift(const Arithmetic& arithmetic, const Material& material, int dim, double q);

/// τ = h τ_H + ψ ∇h as a function of the tensor ε, with ‖τ_H‖ ≤ M‖ε‖, ψ ≤ ½ M‖ε‖², M = 2μ + dλ. With h₁ = |h′| ‖∇z‖,
/// h₂ = |h″| ‖∇z‖² + |h′| ‖∇²z‖ and h₃ = |h‴| ‖∇z‖³ + 3 |h″| ‖∇z‖ ‖∇²z‖ + |h′| ‖∇³z‖ over the ball of radius ‖δε‖ around ε
///
///     ‖∂τ/∂ε‖ ≤ M h + 2 M‖ε‖ h₁ + ψ h₂,   ‖∂²τ/∂ε²‖ ≤ 3 M h₁ + 3 M‖ε‖ h₂ + ψ h₃
///
/// Forming h adds to that. Trace and deviator of ε take 2d + 2 roundings of ‖ε‖ at most, which move z as an error of ε does; f
/// takes 6 more, a, s_C and the sums 4 of what is summed; b − a is a difference of two rounded numbers; quotient and 1 − z
/// take 4:
///
///     δz = g(2d + 2) ‖∇z‖ ‖ε‖ + g(10) (|u| + f + |a| + |s_C|)/(b − a) + g(2) |z| (|a| + |b|)/(b − a) + g(4) (|z| + 1) + δs_C/(b − a)
///
/// h, as a polynomial of terms up to 32, moves by |h′| δz + g(12) 32 where it falls, ∇h by ‖∇z‖ |h″| δz and relative to
/// itself by the roundings of h′, ∇z and 1/(b − a). s_C that follows the tip is as well known as e_c. The derivative moves as if ε
/// had moved by δz/‖∇z‖, and each of its three terms by the roundings that form it, of h″ of terms up to 60.
/// @param stiffness M [Pa]
UnilateralError unilateral_error(const Arithmetic& arithmetic, const Unilateral& of, const Approximate& s_C,
                                 int dim, const StrainSizes& strain, double strain_error, double stiffness);

}  // namespace repose::crosscheck
