#pragma once

#include "reference/interface/scene/materials.h"

#include <cmath>

/// The law of water once more, for those who judge it.
namespace repose::mechanics {

///     p = k/J^γ − k; without tension no less than 0                                    [Tam17 §3.2] [ERRATA T42]
/// In Real's own arithmetic, differences as they stand.
template <class Real>
Real water_pressure(const Material& water, Real J) {
  const Real k = static_cast<Real>(water.water_stiffness);
  const Real p = k / std::pow(J, static_cast<Real>(water.water_gamma)) - k;
  return water.water_tension || p > Real{0} ? p : Real{0};
}

/// ψ with ψ(1) = 0, −∫ p dJ: the print's less its value at rest [Pa]                     [Tam17 §3.2] [ERRATA T15]
inline double water_energy(const Material& water, double J) {
  const double k = water.water_stiffness, gamma = water.water_gamma;
  if (J > 1.0 && !water.water_tension) return 0.0;
  const double of_power = gamma == 1.0 ? std::log(J) : (std::pow(J, 1.0 - gamma) - 1.0) / (1.0 - gamma);
  return k * (J - 1.0 - of_power);
}

/// −J dp/dJ = γ (p + k), also where tension is cut off [Pa].
inline double water_stiffness(const Material& water, double J) {
  return water.water_gamma * water.water_stiffness * std::pow(J, -water.water_gamma);
}

}  // namespace repose::mechanics
