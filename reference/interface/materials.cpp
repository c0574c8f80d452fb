#include "reference/interface/materials.h"

#include <cmath>

namespace repose {

Lame lame(const Material& material) {
  const double E = material.youngs_modulus;
  const double nu = material.poisson_ratio;
  return {.mu = E / (2.0 * (1.0 + nu)), .lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

double wave_speed(const Material& material) {
  const Lame modulus = lame(material);
  return std::sqrt((modulus.lambda + 2.0 * modulus.mu) / material.density);
}

}  // namespace repose
