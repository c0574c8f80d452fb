#include "validation/mechanics/stencil.h"

#include "reference/interface/methods/mpm_options.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// One-dimensional kernel and its derivative at distance r in units of h.
std::array<double, 2> kernel_1d(Kernel kernel, double r) {
  const double a = std::abs(r);
  const double sign = r < 0.0 ? -1.0 : 1.0;
  if (kernel == Kernel::quadratic) {
    if (a < 0.5) return {0.75 - a * a, -2.0 * r};
    if (a < 1.5) return {0.5 * (1.5 - a) * (1.5 - a), -sign * (1.5 - a)};
    return {0.0, 0.0};
  }
  if (a < 1.0) return {(0.5 * a - 1.0) * a * a + 2.0 / 3.0, (1.5 * a - 2.0) * r};
  if (a < 2.0) return {(2.0 - a) * (2.0 - a) * (2.0 - a) / 6.0, -0.5 * sign * (2.0 - a) * (2.0 - a)};
  return {0.0, 0.0};
}

}  // namespace

Stencil stencil(const Scene& scene, const Point& x) {
  const int dim = scene.dim();
  const int width = mpm_options(scene).kernel == Kernel::quadratic ? 3 : 4;
  const double shift = mpm_options(scene).kernel == Kernel::quadratic ? 0.5 : 1.0;
  std::array<std::int64_t, 3> first{0, 0, 0};
  std::array<std::array<std::array<double, 2>, 4>, 3> axis_values{};
  for (int axis = 0; axis < dim; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double place = (x[axis] - scene.grid.domain_min[axis]) / scene.grid.h;
    first[a] = static_cast<std::int64_t>(std::floor(place - shift));
    for (int s = 0; s < width; ++s)
      axis_values[a][static_cast<std::size_t>(s)] =
          kernel_1d(mpm_options(scene).kernel, place - static_cast<double>(first[a] + s));
  }
  Stencil result;
  const int depth = dim > 2 ? width : 1;
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j)
      for (int k = 0; k < depth; ++k) {
        const auto n = static_cast<std::size_t>(result.size++);
        const auto& a = axis_values[0][static_cast<std::size_t>(i)];
        const auto& b = axis_values[1][static_cast<std::size_t>(j)];
        const std::array<double, 2> c =
            dim > 2 ? axis_values[2][static_cast<std::size_t>(k)] : std::array<double, 2>{1.0, 0.0};
        result.node[n] = scene.grid.node_id(first[0] + i, first[1] + j, first[2] + k);
        result.w[n] = a[0] * b[0] * c[0];
        result.grad[n] = Point(a[1] * b[0] * c[0], a[0] * b[1] * c[0], a[0] * b[0] * c[1]) / scene.grid.h;
      }
  return result;
}

double gradient_bend(Kernel kernel, int dim, double dx_over_h) {
  const double d = static_cast<double>(dim);
  if (kernel == Kernel::quadratic) return 3.0 * d * dx_over_h;
  return 1.5 * d * d * dx_over_h * dx_over_h;
}

}  // namespace repose::crosscheck
