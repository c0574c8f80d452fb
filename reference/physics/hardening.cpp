#include "reference/physics/hardening.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace repose {

double friction_angle(const FrictionLaw& law, double q) {
  if (!(q >= 0.0) || std::isinf(q)) {
    throw std::invalid_argument(fmt::format("hardening state {} is not in [0, inf)", q));
  }
  return law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q);  // [Klar16 Eq.30]
}

double friction_to_slope(double phi) {
  if (!(phi >= 0.0 && phi < std::numbers::pi / 2.0)) {
    throw std::invalid_argument(fmt::format("friction angle {} rad is not in [0, pi/2)", phi));
  }
  return std::sqrt(2.0 / 3.0) * 2.0 * std::sin(phi) / (3.0 - std::sin(phi));  // [Klar16 Eq.31]
}

Cone cone_of(const Material& material, double q) {
  return {friction_to_slope(friction_angle(material.friction, q)), material.cohesion};
}

}  // namespace repose
