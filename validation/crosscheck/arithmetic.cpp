#include "validation/crosscheck/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

double gamma(double roundings, double unit) {
  const double product = roundings * unit;
  return product < 1.0 ? product / (1.0 - product) : std::numeric_limits<double>::infinity();
}

Arithmetic arithmetic(const Scene& scene, const Rounding& candidate, const Rounding& reference) {
  const double double_unit = std::ldexp(1.0, -53);
  const int dim = scene.dim();
  const double coordinate = std::max(scene.grid.domain_min.head(dim).cwiseAbs().maxCoeff(),
                                     scene.grid.domain_max().head(dim).cwiseAbs().maxCoeff());
  const double exchange = 4.0 * double_unit * (coordinate + 2.0 * scene.grid.h);
  const bool single = std::max(candidate.unit, reference.unit) > std::ldexp(1.0, -30);
  return {.u_candidate = candidate.unit,
          .u_reference = reference.unit,
          .position = candidate.position + reference.position + exchange,
          .smallest = single ? std::ldexp(1.0, -126) : std::numeric_limits<double>::min()};
}

}  // namespace repose::crosscheck
