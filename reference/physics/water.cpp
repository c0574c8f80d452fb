#include "reference/physics/water.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace repose {

OfVolume water_law(double J, const Material& water) {
  const double k = water.water_stiffness;
  const double gamma = water.water_gamma;
  if (!(J > 0.0) || std::isinf(J) || !(k > 0.0) || !(gamma > 0.0))
    throw std::invalid_argument(fmt::format("water of J = {}, k = {} Pa, gamma = {}", J, k, gamma));
  if (J > 1.0 && !water.water_tension) return {};

  const double log_J = std::log(J);
  const double power = std::exp(-gamma * log_J);
  const double of_power = gamma == 1.0 ? log_J : std::expm1((1.0 - gamma) * log_J) / (1.0 - gamma);
  OfVolume law;
  law.energy = k * ((J - 1.0) - of_power);
  law.pressure = k * std::expm1(-gamma * log_J);  // [Tam17 §3.2]
  law.stiffness = k * gamma * power / J;
  law.products = std::abs(law.pressure) + k * gamma * std::abs(log_J) * power;
  return law;
}

}  // namespace repose
