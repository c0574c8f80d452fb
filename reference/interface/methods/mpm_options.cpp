#include "reference/interface/methods/mpm_options.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Largest Δt that, as computed in double, satisfies c Δt ≤ reach.
double elastic_dt(double c, double reach) {
  if (c == 0.0) return unlimited;
  double dt = reach / c;
  while (c * dt > reach) dt = std::nextafter(dt, 0.0);
  return dt;
}

///     c Δt ≤ elastic_bound · h,   c = √((λ+2μ)/ρ) of the stiffest material
/// Implicit steps are stable beyond the speed of elastic waves.
std::vector<StepBound> step_bounds(const Scene& scene) {
  const MpmOptions& options = mpm_options(scene);
  if (options.integrator == Integrator::implicit_) return {};
  double c = 0.0;
  for (const Material& material : scene.materials) c = std::max(c, wave_speed(material));
  return {{elastic_dt(c, options.elastic_bound * scene.grid.h), "elastic_bound"}};
}

}  // namespace

const SchemeTable& MpmOptions::table() {
  static const SchemeTable table{.method = "mpm", .step_bounds = step_bounds};
  return table;
}

}  // namespace repose
