#pragma once

#include "reference/interface/scene/materials.h"

#include <cmath>

namespace repose::mechanics {

/// The judging side's own friction law, in the arithmetic of T.
///
///     φ = h₀ + (h₁ q − h₃) exp(−h₂ q)  [rad]                                              [Klar16 Eq.30]
template <class T = double>
T hardened_angle(const FrictionLaw& law, T q) {
  return static_cast<T>(law.h0) +
         (static_cast<T>(law.h1) * q - static_cast<T>(law.h3)) * std::exp(-static_cast<T>(law.h2) * q);
}

///     α = √(2/3) · 2 sin φ/(3 − sin φ)  [-]                                               [Klar16 Eq.31]
template <class T = double>
T cone_slope(T friction_angle) {
  const T sine = std::sin(friction_angle);
  return std::sqrt(T(2) / T(3)) * T(2) * sine / (T(3) - sine);
}

/// Trace of the strain at the tip of a cone, infinite where α = 0 [-]:
///     e_c = c_C/(α (dλ + 2μ))                                                             [Tam17 Eq.6]
/// @param stiffness dλ + 2μ [Pa]
template <class T>
T tip_trace(T cohesion, T alpha, T stiffness) {
  return cohesion == T(0) ? T(0) : cohesion / (alpha * stiffness);
}

}  // namespace repose::mechanics
