#include "validation/crosscheck/mpm/implicit_parts.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"
#include "validation/crosscheck/mpm/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace repose::crosscheck {

FieldBound node_bound(std::string_view name, const std::vector<double>& per_node, std::size_t components) {
  FieldBound result{.field = std::string(name), .bound = std::vector<Bound>(per_node.size() * components)};
  for (std::size_t i = 0; i < result.bound.size(); ++i) result.bound[i].rounding = per_node[i / components];
  return result;
}

Field node_field(std::string_view name, int components, std::vector<double> value) {
  return {std::string(name), "kg m/s", Place::node, components, std::move(value)};
}

std::vector<double> random_velocities(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> result(count);
  for (double& value : result) value = random.between(-size, size);
  return result;
}

FieldBound told_momentum(Snapshot& expected, std::string_view name, std::vector<double> v,
                         const std::vector<double>& mass, int dim, const Arithmetic& arithmetic) {
  FieldBound bound{.field = std::string(name), .bound = std::vector<Bound>(v.size())};
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] *= mass[i / static_cast<std::size_t>(dim)];
    bound.bound[i].rounding = arithmetic.g(3.0) * std::abs(v[i]);
    bound.bound[i].underflow = arithmetic.smallest;
  }
  expected.set(node_field(name, dim, std::move(v)));
  return bound;
}

FieldBound stated_tolerance(const BalanceProbe& probe, const NodeImpulses& balanced,
                            const BalanceBounds& bounds, const Unsolved& left, double left_of_all) {
  const Scene& scene = probe.scene;
  const auto d = static_cast<std::size_t>(scene.dim());
  const auto length = [&](const std::vector<double>& of, std::size_t n) {
    double squared = 0.0;
    for (std::size_t a = n * d; a < (n + 1) * d; ++a) squared += of[a] * of[a];
    return std::sqrt(squared);
  };
  double fastest = 0.0;
  for (std::size_t n = 0; n < probe.state.count(Place::node); ++n)
    fastest = std::max(fastest, length(probe.v, n));
  const double strain = 1.0 + probe.dt * fastest / scene.grid.h;
  const double reach =
      std::max(scene.grid.domain_min.cwiseAbs().maxCoeff(), scene.grid.domain_max().cwiseAbs().maxCoeff());
  const double gap = scene.colliders.empty() ? 0.0 : 16.0 * reach / probe.dt;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double tolerance = mpm_options(scene).implicit.newton_tolerance;
  const double more =
      std::max(1.0, left_of_all / tolerance);  // the relative residual grants rounding in its share
  FieldBound result{.field = std::string(residual_field),
                    .bound = std::vector<Bound>(probe.state.count(Place::node))};
  for (std::size_t n = 0; n < result.bound.size(); ++n) {
    const double m = probe.state.get(field::m_i).value[n];
    const double magnitude = balanced.magnitude[n] + bounds.impulse[n];
    const double carried = m * length(probe.v, n) + length(probe.state.get(field::p_i).value, n);
    const double granted = eps * (64.0 * (carried + magnitude + strain * bounds.stiff[n]) + m * gap);
    result.bound[n].carried = more * (tolerance * magnitude + granted);
    result.bound[n].rounding = left.rounding[n];
  }
  return result;
}

}  // namespace repose::crosscheck
