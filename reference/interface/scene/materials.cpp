#include "reference/interface/scene/materials.h"

#include <cmath>
#include <limits>

namespace repose {

Lame lame(const Material& material) {
  const double E = material.youngs_modulus;
  const double nu = material.poisson_ratio;
  return {.mu = E / (2.0 * (1.0 + nu)), .lambda = E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

double angle_of_narain_alpha(double alpha) { return std::asin(std::sqrt(1.5) * alpha); }

double largest_friction_angle(const FrictionLaw& law) {
  if (law.h1 == 0.0) return law.h2 > 0.0 ? law.h0 : law.h0 - law.h3;
  if (law.h2 == 0.0) return std::numeric_limits<double>::infinity();
  return law.h0 + law.h1 / law.h2 * std::exp(-1.0 - law.h2 * law.h3 / law.h1);
}

double wave_speed(const Material& material) {
  const Lame modulus = lame(material);
  return std::sqrt((modulus.lambda + 2.0 * modulus.mu) / material.density);
}

}  // namespace repose
