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

std::optional<ConeTip> tip_before_hardening(const Material& material, int dim) {
  const double sine = std::sin(material.friction.h0 - material.friction.h3);
  if (!(material.cohesion > 0.0 && sine > 0.0 && material.youngs_modulus > 0.0)) return {};
  const double alpha = std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);
  const Lame modulus = lame(material);
  return ConeTip{.trace = material.cohesion / (alpha * (dim * modulus.lambda + 2.0 * modulus.mu)),
                 .stress = material.cohesion / (alpha * dim)};
}

double wave_speed(const Material& material) {
  if (material.kind == MaterialKind::water)
    return std::sqrt(material.water_gamma * material.water_stiffness / material.density);
  const Lame modulus = lame(material);
  return std::sqrt((modulus.lambda + 2.0 * modulus.mu) / material.density);
}

}  // namespace repose
