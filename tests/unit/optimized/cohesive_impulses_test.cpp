#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <vector>

namespace repose::optimized_tests {

namespace data = boost::unit_test::data;

namespace {

constexpr double dt = 2e-3;

}  // namespace

/// Where plasticity lies beyond the tip of a cohesive cone, on it and within, and for a cone without a tip: impulses are
/// those of the readable solver, and their derivative is that of the impulses themselves.
BOOST_DATA_TEST_CASE(cohesive_impulses_change_as_their_derivative_says,
                     data::make({2, 3}) * data::make({false, true}), dim, von_mises) {
  Scene scene = empty_scene(dim, Kernel::cubic, Transfer::apic);
  mpm_options(scene).integrator = Integrator::implicit_;
  Material& m = scene.materials[0];
  m.cohesion = wet_sand().cohesion;
  if (von_mises) {
    m.cohesion *= 2.0;
    m.friction = {};
    m.von_mises = true;
    m.volume_correction = false;
  }
  Snapshot start = random_state(scene, 400, 0.4, 0.6, 11, 0.5, 0.004);
  if (von_mises)
    for (double& v_c : start.get(field::v_c).value) v_c = 0.0;
  const auto fast = solver_of(scene, Precision::double_);
  const auto slow = make_reference_solver(scene);
  for (Solver* solver : {fast.get(), slow.get()}) {
    solver->load(start);
    solver->run(boundary::step_start, boundary::p2g, dt);
  }
  const Snapshot nodes = fast->save(boundary::p2g, false);
  BOOST_TEST_REQUIRE((nodes.ids(Place::node) == slow->save(boundary::p2g, false).ids(Place::node)));
  std::vector<double> v(static_cast<std::size_t>(dim) * nodes.count(Place::node)), dv(v.size());
  std::mt19937_64 random(3);
  for (double& x : v) x = draw(random, -0.05, 0.05);
  for (double& x : dv) x = draw(random, -1.0, 1.0);
  const auto norm = [](const std::vector<double>& x) {
    double sum = 0.0;
    for (const double one : x) sum += one * one;
    return std::sqrt(sum);
  };
  const auto less = [](std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
    return a;
  };
  const auto at = [&](const Solver& solver, double along) {
    std::vector<double> moved = v;
    for (std::size_t k = 0; k < v.size(); ++k) moved[k] += along * dv[k];
    return impulses_at(solver, dim, moved, dt).impulse;
  };
  const std::vector<double> impulse = at(*fast, 0.0);
  BOOST_TEST(norm(less(at(*slow, 0.0), impulse)) <= 1e-12 * norm(impulse));
  const std::vector<double> change = impulse_change(*fast, dim, v, dv, dt);
  BOOST_TEST(norm(less(impulse_change(*slow, dim, v, dv, dt), change)) <= 1e-11 * norm(change));
  // Central differences: rounding takes 10⁻¹⁶/10⁻⁷ of the impulses, particles that cross a border in between more.
  std::vector<double> difference = less(at(*fast, 1e-7), at(*fast, -1e-7));
  for (double& x : difference) x /= 2e-7;
  BOOST_TEST(norm(less(difference, change)) <= 1e-6 * norm(change));
  // The premise: the step from here meets every case that the cone has.
  fast->run(boundary::p2g, boundary::collisions, dt);
  const StepReport report = fast->run(boundary::collisions, boundary::plasticity, dt);
  BOOST_TEST(report.counts[counter::inside] >= 10U);
  BOOST_TEST(report.counts[counter::surface] >= 10U);
  BOOST_TEST((report.counts[counter::tip] >= 10U) == !von_mises);
}

}  // namespace repose::optimized_tests
