#pragma once

#include "reference/interface/scene/materials.h"

namespace repose {

/// Friction angle at hardening state q.
///
///     φ = h0 + (h1 q − h3) exp(−h2 q)                                                 [Klar16 Eq.30]
///
/// Starts at h0 − h3, rises to a maximum at q* = 1/h2 + h3/h1 (if h1 > 0), then tends to h0.
/// @param q accumulated plastic strain [-], q ≥ 0
/// @returns φ [rad]
/// @throws std::invalid_argument if q is negative or not finite
double friction_angle(const FrictionLaw& law, double q);

/// Slope of the Drucker–Prager cone that meets Mohr–Coulomb in triaxial compression.
///
///     α = √(2/3) · 2 sin φ / (3 − sin φ)                                              [Klar16 Eq.31]
///
/// @param phi friction angle [rad] in [0, π/2)
/// @returns α [-], 0 for a fluid
/// @throws std::invalid_argument if φ is outside [0, π/2)
double friction_to_slope(double phi);

/// The cone that bounds the Kirchhoff stress of sand.
///
///     ‖dev τ‖ + α tr τ ≤ c_C                                                           [Tam17 Eq.6]
///
/// Departs from the print, which has the Cauchy stress: the return is exact in Kirchhoff stress. With α = 0 and c_C > 0 it
/// is von Mises' cylinder.
struct Cone {
  double alpha = 0.0;     ///< slope α ≥ 0 [-]
  double cohesion = 0.0;  ///< c_C ≥ 0 [Pa]

  /// A slope alone is the cone of dry sand.
  Cone(double slope, double c_C = 0.0)
      : alpha(slope), cohesion(c_C) {}  // NOLINT(google-explicit-constructor)
};

/// The cone of a material of sand at hardening state q.                               [Klar16 Eq.30, Eq.31]
/// @throws std::invalid_argument as friction_angle() and friction_to_slope()
Cone cone_of(const Material& material, double q);

}  // namespace repose
