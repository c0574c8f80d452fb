#include "validation/mechanics/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

double gamma(double roundings, double unit) {
  const double product = roundings * unit;
  return product < 1.0 ? product / (1.0 - product) : std::numeric_limits<double>::infinity();
}

double Arithmetic::handed_out(double roundings) const {
  const int exchanges = (candidate_keeps_strain ? 1 : 0) + (reference_keeps_strain ? 1 : 0);
  return exchanges * gamma(roundings, std::ldexp(1.0, -53));
}

double Arithmetic::from_F(double roundings) const { return of_F(roundings) + handed_out(roundings); }

Arithmetic arithmetic(const Scene& scene, const Rounding& candidate, const Rounding& reference) {
  const double double_unit = std::ldexp(1.0, -53);
  const Point high = scene.grid.domain_max();
  double coordinate = 0.0;
  for (int axis = 0; axis < scene.dim(); ++axis)
    coordinate = std::max({coordinate, std::abs(scene.grid.domain_min[axis]), std::abs(high[axis])});
  const double exchange = 4.0 * double_unit * (coordinate + 2.0 * scene.grid.h);
  const bool single = std::max(candidate.unit, reference.unit) > std::ldexp(1.0, -30);
  return {.u_candidate = candidate.unit,
          .u_reference = reference.unit,
          .position = candidate.position + reference.position + exchange,
          .smallest = single ? std::ldexp(1.0, -126) : std::numeric_limits<double>::min(),
          .candidate_keeps_strain = candidate.strain == "hencky",
          .reference_keeps_strain = reference.strain == "hencky"};
}

}  // namespace repose::crosscheck
