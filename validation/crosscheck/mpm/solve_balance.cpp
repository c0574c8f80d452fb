#include "validation/crosscheck/mpm/solve_balance.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace repose::crosscheck {

Measured SolveBalance::squared(const std::vector<Point>& r, const FreePart&) const {
  Measured sum;
  for (std::size_t n = 0; n < r.size(); ++n) sum.value += r[n].squaredNorm() / mass(n);
  return sum;
}

double SolveBalance::squared_length(const std::vector<double>& dv) const {
  double sum = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) sum += mass(n) * point_at(dv, n, d()).squaredNorm();
  return sum;
}

void SolveBalance::add_nodes(const Snapshot& state) {
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const double m = state.get(field::m_i).value[n];
    mass_.push_back(m);
    before_.emplace_back(point(state.get(field::p_i), n) / m);
    ids_.push_back(state.ids(Place::node)[n]);
  }
}

Standing SolveBalance::stand_of(const Scene& scene, const Snapshot& state, const PlainBalance& plain,
                                const std::vector<double>& v) const {
  Standing at;
  const auto impulses = plain.impulses(v);
  if (!impulses) return at;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  Counters unused;
  const BalanceBounds bounds = balance_bounds({scene, arithmetic_, state, v, 0.0, {}, dt_}, unused);
  at.v = v;
  const std::size_t count = state.count(Place::node);
  double fastest = 0.0;
  for (std::size_t n = 0; n < count; ++n) fastest = std::max(fastest, point_at(v, n, d()).norm());
  const double strain = 1.0 + dt_ * fastest / scene.grid.h;
  for (std::size_t n = 0; n < count; ++n) {
    const double m = state.get(field::m_i).value[n];
    const Point p = point(state.get(field::p_i), n);
    const double carried = m * point_at(v, n, d()).norm() + p.norm();
    at.R.push_back(m * point_at(v, n, d()) - p - point_at(impulses->impulse, n, d()));  // [Klar16 Eq.19]
    at.magnitude.push_back(impulses->magnitude[n]);
    at.error.push_back(bounds.impulse[n] + arithmetic_.g(3.0) * carried);
    // Magnitudes are those of the terms that the impulse sums.
    at.magnitude_error.push_back(bounds.impulse[n]);
    at.rounding.push_back(64.0 * eps * (carried + impulses->magnitude[n] + strain * bounds.stiff[n]));
    // Products, lengths and the sum of the three: ten roundings.
    at.rounding_error.push_back(arithmetic_.g(10.0) * at.rounding.back() +
                                64.0 * eps * (bounds.impulse[n] + strain * bounds.stiff_error[n]));
  }
  return at;
}

OnePhaseBalance::OnePhaseBalance(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state,
                                 double dt, const PlainBalance& plain, ImpulseChange change)
    : SolveBalance(scene, arithmetic, mpm_options(scene).implicit,
                   mpm_options(scene).integrator == Integrator::semi_implicit, dt,
                   SolveNodes(scene, arithmetic, state, dt)),
      state_(state),
      plain_(plain),
      change_(std::move(change)) {
  add_nodes(state);
}

Standing OnePhaseBalance::stand(const std::vector<double>& v) const {
  return stand_of(scene(), state_, plain_, v);
}

SolveBalance::Change OnePhaseBalance::change(const std::vector<double>& v,
                                             const std::vector<double>& dv) const {
  const std::vector<double> of_f = change_(v, dv);
  Counters unused;
  Change result{{}, balance_bounds({scene(), arithmetic(), state_, v, 0.0, dv, dt()}, unused).change};
  for (std::size_t n = 0; n < nodes().size(); ++n) {
    const Point of_mass = mass(n) * point_at(dv, n, d());
    result.of_R.emplace_back(of_mass - point_at(of_f, n, d()));
    result.error[n] += arithmetic().g(4.0) * of_mass.norm();
  }
  return result;
}

Measured OnePhaseBalance::height(const std::vector<double>& v) const {
  const PlainBalance::Energy at = plain_.energy(v);
  return {at.sum(), 2.0 * at.rounding};  // the solver's and the judge's
}

std::vector<double> OnePhaseBalance::explicit_velocities() const {
  std::vector<double> v(d() * nodes().size());
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = velocity_before(i / d())[static_cast<Eigen::Index>(i % d())];
  const Standing at = stand(v);
  if (at.v.empty()) return {};
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] -= at.R[i / d()][static_cast<Eigen::Index>(i % d())] / mass(i / d());
  return v;
}

}  // namespace repose::crosscheck
