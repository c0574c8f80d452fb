#include "validation/metrics/effective_angle.h"

#include "validation/mechanics/cone.h"

#include <cmath>
#include <limits>

namespace repose::metrics {

namespace {

double effective_sine(double friction_angle, int dim) {
  const double alpha = mechanics::cone_slope(friction_angle);
  return dim == 2 ? std::sqrt(2.0) * alpha : 3.0 * alpha / std::sqrt(2.0);
}

}  // namespace

double effective_angle(double friction_angle, int dim) {
  const double sine = effective_sine(friction_angle, dim);
  return sine <= 1.0 ? std::asin(sine) : std::numeric_limits<double>::quiet_NaN();
}

double effective_slope(double friction_angle, int dim) {
  const double sine = effective_sine(friction_angle, dim);
  return sine <= 1.0 ? std::atan(sine) : std::numeric_limits<double>::quiet_NaN();
}

double steepest_slope(double friction_angle) {
  const double alpha = mechanics::cone_slope(friction_angle);
  const double rest = 1.0 - 6.0 * alpha * alpha;
  if (rest <= 0.0) return std::numeric_limits<double>::quiet_NaN();
  return std::atan(3.0 * alpha / std::sqrt(2.0) / std::sqrt(rest));
}

}  // namespace repose::metrics
