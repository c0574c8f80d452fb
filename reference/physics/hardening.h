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

}  // namespace repose
