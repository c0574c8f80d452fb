#include "reference/mpm/kernels.h"

#include "reference/interface/methods/mpm_options.h"

#include <cmath>

namespace repose {

namespace {

double cubic_value(double r) {
  if (r < 1.0) return 0.5 * r * r * r - r * r + 2.0 / 3.0;      // [Klar16 Eq.5]
  if (r < 2.0) return (2.0 - r) * (2.0 - r) * (2.0 - r) / 6.0;  // [Klar16 Eq.5]
  return 0.0;
}

double cubic_slope(double r) {
  if (r < 1.0) return 1.5 * r * r - 2.0 * r;
  if (r < 2.0) return -0.5 * (2.0 - r) * (2.0 - r);
  return 0.0;
}

double cubic_curvature(double r) {
  if (r < 1.0) return 3.0 * r - 2.0;
  if (r < 2.0) return 2.0 - r;
  return 0.0;
}

double quadratic_value(double r) {
  if (r < 0.5) return 0.75 - r * r;
  if (r < 1.5) return 0.5 * (1.5 - r) * (1.5 - r);
  return 0.0;
}

double quadratic_slope(double r) {
  if (r < 0.5) return -2.0 * r;
  if (r < 1.5) return r - 1.5;
  return 0.0;
}

double quadratic_curvature(double r) {
  if (r < 0.5) return -2.0;
  if (r < 1.5) return 1.0;
  return 0.0;
}

}  // namespace

double kernel_value(Kernel kernel, double u) {
  const double r = std::abs(u);
  return kernel == Kernel::cubic ? cubic_value(r) : quadratic_value(r);
}

double kernel_slope(Kernel kernel, double u) {
  const double r = std::abs(u);
  return std::copysign(1.0, u) * (kernel == Kernel::cubic ? cubic_slope(r) : quadratic_slope(r));
}

double kernel_curvature(Kernel kernel, double u) {
  const double r = std::abs(u);
  return kernel == Kernel::cubic ? cubic_curvature(r) : quadratic_curvature(r);
}

int kernel_nodes(Kernel kernel) { return kernel == Kernel::cubic ? 4 : 3; }

double affine_inertia(Kernel kernel, double h) {
  return h * h / (kernel == Kernel::cubic ? 3.0 : 4.0);  // [Klar16 Eq.8]
}

}  // namespace repose
