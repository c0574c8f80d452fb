#pragma once

namespace repose::metrics {

/// What friction angle the cone ‖dev τ‖ + (3α or 2α) · p̄ … of [Klar16 Eq.27, 31] really gives: with s = sin
/// φ,
///     α = √(2/3) · 2 s/(3 − s)                                                           [Klar16 Eq.31]
/// matches Mohr and Coulomb's φ only in triaxial compression. In steady shear at constant volume
///     sin φ_eff = 3α/√2 = 2√3 s/(3 − s)      plane strain in 3D
///     sin φ_eff = √2 α  = (4/√3) s/(3 − s)   in a code of two dimensions
/// @param friction_angle nominal φ [rad], @param dim 2 or 3
/// @returns φ_eff [rad]; nan where the sine exceeds 1: above 42.2° in 3D, 65.0° in 2D
double effective_angle(double friction_angle, int dim);

/// Steepest endless slope that holds under such shear, atan(sin φ_eff) [rad].
double effective_slope(double friction_angle, int dim);

/// Steepest endless slope in 3D that any stress inside the cone can hold: the two normal stresses across the
/// slope's normal are free, the best are equal, and then
///     tan θ = (3α/√2) / √(1 − 6α²)
/// A pile at rest may be steeper than effective_slope(), whose stress follows the flow, but not than this.
/// @returns θ [rad]; nan where α² ≥ 1/6, from φ = 36.87° on: there the cone holds every slope below the
/// vertical
double steepest_slope(double friction_angle);

}  // namespace repose::metrics
