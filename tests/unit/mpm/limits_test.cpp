// Empty, smallest and impossible states.

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/explicit_step.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>

namespace repose::test {
namespace {

const auto step_of = [](double dt) { return [dt](double) { return dt; }; };

/// The error of an action; fails if there is none.
template <class Action>
SimulationError error_of(Action action) {
  try {
    action();
  } catch (const SimulationError& error) {
    return error;
  }
  BOOST_ERROR("no SimulationError");
  return {"none", -2, -2, "none"};
}

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_scene_without_particles_runs, D, Dims) {
  const Scene scene = empty_box(D::d);
  const auto solver = make_reference_solver(scene);
  for (int pass = 0; pass < 2; ++pass) {
    const StepReport report = solver->advance(step_of(1e-3));
    BOOST_TEST(report.particles == 0U);
    BOOST_TEST(report.counts[counter::active_nodes] == 0U);
    BOOST_TEST(report.max_speed == 0.0);
    solver->load(start<D::d>(scene, {}));
  }
  solver->run(boundary::step_start, boundary::friction, 1e-3);
  BOOST_TEST(solver->sums(field::p_i).magnitude.empty());
  BOOST_TEST(solver->save(boundary::friction, true).ids(Place::node).empty());
  solver->run(boundary::friction, boundary::plasticity, 1e-3);
  BOOST_TEST(solver->sums(field::F).magnitude.empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_particle_flies_straight, D, Dims) {
  constexpr int d = D::d;
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    const Scene scene = empty_box(d, kernel);
    // On a node, between nodes, and at the corners of the domain, flying inwards.
    const double far = 1.2;
    for (const double at : {0.5, 0.537, 0.0, far}) {
      Particle<d> p = particle_at<d>(Vec<d>::Constant(at));
      p.x = p.x.cwiseMin(in_plane<d>(scene.grid.domain_max()));
      p.v = Vec<d>::Constant(at == far ? -1.0 : 1.0);
      const Vec<d> from = p.x, v = p.v;
      const auto solver = make_reference_solver(scene);
      solver->load(start<d>(scene, {p}));
      const StepReport report = solver->advance(step_of(1e-2));
      const Particle<d> after = load_state<d>(solver->save(boundary::step_start, true), scene).particles[0];
      BOOST_TEST((after.x - from - 1e-2 * v).norm() < 20 * u);
      BOOST_TEST((after.v - v).norm() < (64 + 20) * u * v.norm());  // up to 64 nodes
      BOOST_TEST(report.max_speed == v.norm());
      BOOST_TEST(report.counts[counter::active_nodes] > 0U);
    }
  }
}

/// A particle exactly on a node: nodes at the edge of its support have w = 0 and are not active.
BOOST_AUTO_TEST_CASE(nodes_without_mass_are_not_active) {
  const Scene cubic = empty_box(2, Kernel::cubic, Transfer::apic, 1.0);
  const Scene quadratic = empty_box(2, Kernel::quadratic, Transfer::apic, 1.0);
  const auto nodes = [](const Scene& scene, const Vec<2>& x) {
    const auto solver = make_reference_solver(scene);
    solver->load(start<2>(scene, {particle_at<2>(x)}));
    return solver->run(boundary::step_start, boundary::p2g, 1e-3).counts[counter::active_nodes];
  };
  BOOST_TEST(nodes(cubic, Vec<2>(6.0, 6.0)) == 9U);  // of 16
  BOOST_TEST(nodes(cubic, Vec<2>(6.25, 6.25)) == 16U);
  BOOST_TEST(nodes(quadratic, Vec<2>(6.0, 6.0)) == 9U);
  BOOST_TEST(nodes(quadratic, Vec<2>(6.5, 6.5)) == 4U);  // of 9
  BOOST_TEST(nodes(cubic, Vec<2>(12.0, 12.0)) == 9U);    // at the corner of the domain
}

BOOST_AUTO_TEST_CASE(a_particle_that_leaves_the_domain_is_named) {
  const Scene scene = empty_box(2);
  Particle<2> calm = particle_at<2>(Vec<2>(0.3, 0.3));
  Particle<2> fast = particle_at<2>(Vec<2>(1.155, 0.9));
  fast.v = Vec<2>(1.0, 0.0);
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, {calm, fast}));
  const auto fly = [&] {
    for (int n = 0; n < 20; ++n) solver->advance(step_of(1e-2));
  };
  const SimulationError error = error_of(fly);
  BOOST_TEST(error.particle == 1);
  BOOST_TEST(error.step == 4);  // 1.155 + 5 · 0.01 m: the fifth step crosses the border at 1.2 m
  BOOST_TEST(error.boundary == "update");
}

BOOST_AUTO_TEST_CASE(impossible_states_are_refused_and_named) {
  const Scene scene = empty_box(2);
  const auto solver = make_reference_solver(scene);
  const std::vector<Particle<2>> good(3, particle_at<2>(Vec<2>(0.5, 0.5)));
  const auto load_with = [&](const std::function<void(Particle<2>&)>& spoil) {
    auto particles = good;
    spoil(particles[2]);
    const Snapshot snapshot = start<2>(scene, particles);
    const SimulationError error = error_of([&] { solver->load(snapshot); });
    BOOST_TEST(error.particle == 2);
    BOOST_TEST(error.boundary == "step_start");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  load_with([&](Particle<2>& p) { p.x[1] = nan; });
  load_with([&](Particle<2>& p) { p.v[0] = std::numeric_limits<double>::infinity(); });
  load_with([&](Particle<2>& p) { p.F(0, 1) = nan; });
  load_with([&](Particle<2>& p) { p.F(0, 0) = -1.0; });
  load_with([&](Particle<2>& p) { p.F.setZero(); });
  load_with([&](Particle<2>& p) { p.m = 0.0; });
  load_with([&](Particle<2>& p) { p.V0 = -1.0; });
  load_with([&](Particle<2>& p) { p.x[0] = 2.0; });
  load_with([&](Particle<2>& p) { p.x[0] = -1e300; });
  BOOST_CHECK_NO_THROW(solver->load(start<2>(scene, good)));
}

BOOST_AUTO_TEST_CASE(a_stress_that_overflows_names_its_particle) {
  Scene scene = empty_box(2);
  scene.materials = {rubber(), rubber()};
  scene.materials[1].youngs_modulus = 1e308;
  auto particles = cloud<2>(scene, 4, 1, 0.0, 0.0);
  particles[2].material = 1;
  particles[2].F *= 1e-20;
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, particles));
  const SimulationError error = error_of([&] { solver->advance(step_of(1e-3)); });
  BOOST_TEST(error.particle == 2);
  BOOST_TEST(error.boundary == "forces");
}

BOOST_AUTO_TEST_CASE(snapshots_that_do_not_fit_are_refused) {
  const Scene scene = empty_box(2);
  const auto solver = make_reference_solver(scene);
  const Snapshot good = start<2>(scene, {particle_at<2>(Vec<2>(0.5, 0.5))});
  Snapshot bad = good;
  bad.erase(field::C);
  BOOST_CHECK_THROW(solver->load(bad), std::invalid_argument);
  bad = good;
  bad.get(field::v).value.pop_back();
  BOOST_CHECK_THROW(solver->load(bad), std::invalid_argument);
  bad = good;
  bad.get(field::material).value[0] = 1.0;  // the scene has one material
  BOOST_CHECK_THROW(solver->load(bad), std::invalid_argument);
  bad = good;
  bad.at = "lunch";
  BOOST_CHECK_THROW(solver->load(bad), std::invalid_argument);
  BOOST_CHECK_NO_THROW(solver->load(good));
}

BOOST_AUTO_TEST_CASE(stages_run_in_order_with_one_time_step) {
  const Scene scene = empty_box(2);
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, {particle_at<2>(Vec<2>(0.5, 0.5))}));
  BOOST_CHECK_THROW(solver->run(boundary::forces, boundary::friction, 1e-3), std::logic_error);
  BOOST_CHECK_THROW(solver->run(boundary::step_start, boundary::p2g, -1.0), std::invalid_argument);
  solver->run(boundary::step_start, boundary::forces, 1e-3);
  BOOST_CHECK_THROW(solver->run(boundary::forces, boundary::p2g, 1e-3), std::invalid_argument);
  BOOST_CHECK_THROW(solver->run(boundary::forces, boundary::friction, 2e-3), std::invalid_argument);
  BOOST_CHECK_THROW(solver->advance(step_of(1e-3)), std::logic_error);
  BOOST_CHECK_THROW(solver->append(start<2>(scene, {})), std::logic_error);
  BOOST_CHECK_NO_THROW(solver->run(boundary::forces, boundary::plasticity, 1e-3));
}

BOOST_AUTO_TEST_CASE(emitted_particles_stand_behind_those_present) {
  const Scene scene = empty_box(2);
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, {particle_at<2>(Vec<2>(0.5, 0.5), 1.0)}));
  solver->advance(step_of(1e-3));
  solver->append(start<2>(scene, {particle_at<2>(Vec<2>(0.7, 0.7), 2.0)}));
  BOOST_TEST(solver->particles() == 2U);
  BOOST_TEST(solver->steps() == 1);
  BOOST_TEST(solver->time() == 1e-3);
  const Snapshot now = solver->save(boundary::step_start, true);
  BOOST_TEST(now.get(field::mass).value[0] == 1.0);
  BOOST_TEST(now.get(field::mass).value[1] == 2.0);
  BOOST_TEST(solver->advance(step_of(1e-3)).particles == 2U);
}

BOOST_AUTO_TEST_CASE(only_two_and_three_dimensions_exist) {
  Scene scene = empty_box(2);
  scene.grid.dim = 1;
  BOOST_CHECK_THROW(make_reference_solver(scene), std::invalid_argument);
  scene.grid.dim = 3;
  scene.grid.h = 0.0;
  BOOST_CHECK_THROW(make_reference_solver(scene), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
