#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

namespace {

constexpr double dt = 2e-3;
double steady(double) { return dt; }

Scene implicit_scene(int dim, Kernel kernel, Transfer transfer) {
  Scene scene = empty_scene(dim, kernel, transfer);
  add_bodies(scene);
  if (transfer != Transfer::apic) scene.materials[0].cohesion = wet_sand().cohesion;
  mpm_options(scene).integrator = Integrator::implicit_;
  mpm_options(scene).implicit.newton_tolerance = 1e-3;
  mpm_options(scene).implicit.gmres_iterations = 40;
  return scene;
}

Snapshot implicit_state(const Scene& scene) {
  return random_state(scene, scene.dim() == 3 ? 1500 : 500, 0.3, 0.6, 11, 0.5, 0.005);
}

Snapshot after(const Scene& scene, const Snapshot& start, Precision precision, int threads) {
  const auto solver = solver_of(scene, precision, threads);
  solver->load(start);
  for (int k = 0; k < 2; ++k) solver->advance(steady);
  return solver->save(boundary::plasticity, true);
}

const auto setups = data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                    data::make({Transfer::apic, Transfer::flip_pic}) *
                    data::make({Precision::single_, Precision::double_});

}  // namespace

BOOST_DATA_TEST_CASE(implicit_steps_give_the_same_bits_for_any_number_of_threads, setups, dim, kernel,
                     transfer, precision) {
  const Scene scene = implicit_scene(dim, kernel, transfer);
  const Snapshot start = implicit_state(scene);
  const Snapshot one = after(scene, start, precision, 1);
  // A number that divides nothing evenly; the larger steps below take others. Each of a solve's thousands of loops wakes
  // all threads, which takes long where there are fewer processors.
  constexpr int threads = 3;
  require_equal(one, after(scene, start, precision, threads));
}

/// So many particles and nodes that every loop of the solve is shared among threads.
BOOST_DATA_TEST_CASE(large_implicit_steps_give_the_same_bits_for_any_number_of_threads, data::make({2, 3}),
                     dim) {
  Scene scene = empty_scene(dim, Kernel::cubic, Transfer::apic, dim == 3 ? 24 : 160);
  add_bodies(scene);
  mpm_options(scene).integrator = Integrator::implicit_;
  mpm_options(scene).implicit.newton_tolerance = 1e-2;
  const Snapshot start = random_state(scene, 12000, 0.2, 0.8, 11, 0.5, 0.005);
  const Snapshot one = after(scene, start, Precision::double_, 1);
  for (const int threads : {2, 3, 4, 8}) {
    BOOST_TEST_CONTEXT(threads << " threads") {
      require_equal(one, after(scene, start, Precision::double_, threads));
    }
  }
}

/// Instruction sets differ by rounding, which the solve's tolerance lets grow.
BOOST_DATA_TEST_CASE(instruction_sets_agree_on_impulses,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}), dim, kernel) {
  const Scene scene = implicit_scene(dim, kernel, Transfer::apic);
  const Snapshot start = implicit_state(scene);
  SolverOptions options;
  options.precision = Precision::double_;
  options.threads = 1;
  const auto impulses = [&](const char* simd) {
    options.simd = simd;
    const auto solver = make_optimized_solver(scene, options);
    solver->load(start);
    solver->run(boundary::step_start, boundary::p2g, dt);
    const std::size_t nodes = solver->save(boundary::p2g, false).count(Place::node);
    std::vector<double> v(static_cast<std::size_t>(dim) * nodes), dv(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
      v[k] = 0.1 * std::sin(static_cast<double>(k));
      dv[k] = std::cos(static_cast<double>(3 * k));
    }
    NodeImpulses at = impulses_at(*solver, scene.dim(), v, dt);
    at.magnitude = impulse_change(*solver, scene.dim(), v, dv, dt);
    return at;
  };
  const NodeImpulses best = impulses("");
  const NodeImpulses least = impulses("SSE4");
  const auto close = [](const std::vector<double>& a, const std::vector<double>& b) {
    BOOST_TEST_REQUIRE(a.size() == b.size());
    double largest = 0.0, apart = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k]));
      apart = std::max(apart, std::abs(a[k] - b[k]));
    }
    BOOST_TEST(largest > 0.0);
    BOOST_TEST(apart <= 1e-11 * largest);
  };
  close(best.impulse, least.impulse);
  close(best.magnitude, least.magnitude);
}

BOOST_DATA_TEST_CASE(implicit_steps_give_the_same_bits_stepwise_fused_and_from_every_boundary, setups, dim,
                     kernel, transfer, precision) {
  const Scene scene = implicit_scene(dim, kernel, transfer);
  const auto fused = solver_of(scene, precision);
  fused->load(implicit_state(scene));
  const auto stepwise = solver_of(scene, precision);
  stepwise->load(implicit_state(scene));
  const auto stops = stepwise->boundaries();
  BOOST_TEST_REQUIRE(stops.size() == 7U);
  const StepReport whole = fused->advance(steady);
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    const Snapshot saved = stepwise->save(stops[k], true);
    const auto resumed = solver_of(scene, precision, 2);
    resumed->load(saved);
    require_equal(saved, resumed->save(stops[k], true));
    resumed->run(stops[k], boundary::plasticity, dt);
    require_equal(fused->save(boundary::plasticity, true), resumed->save(boundary::plasticity, true));
    stepwise->run(stops[k], stops[k + 1], dt);
  }
  require_equal(fused->save(boundary::plasticity, true), stepwise->save(boundary::plasticity, true));
  // The premise: every branch was taken.
  BOOST_TEST(whole.counts[counter::inside] > 0U);
  BOOST_TEST(whole.counts[counter::tip] > 0U);
  BOOST_TEST(whole.counts[counter::surface] > 0U);
  BOOST_TEST(whole.counts[counter::contacts] > 0U);
  BOOST_TEST(whole.counts[counter::sticking] + whole.counts[counter::sliding] > 0U);
  BOOST_TEST(whole.counts[counter::newton_iterations] > 0U);
}

/// A force of several times the explicit bound's step is balanced in a few iterations; with a tolerance near rounding
/// in a few more: near the solution Newton's method with exact linear systems squares its error.
BOOST_DATA_TEST_CASE(newton_converges_quickly, data::make({2, 3}), dim) {
  Scene scene = empty_scene(dim, Kernel::cubic, Transfer::apic);
  mpm_options(scene).integrator = Integrator::implicit_;
  scene.materials = {rubber()};
  mpm_options(scene).implicit = {
      .newton_tolerance = 1e-3, .gmres_restart = 200, .gmres_iterations = 200, .gmres_tolerance = 1e-12};
  Snapshot start = random_state(scene, 300, 0.4, 0.6, 5, 0.5, 0.01);
  for (double& m : start.get(field::mass).value) m *= scene.materials[0].density / 2200.0;
  std::uint64_t iterations[2];
  for (const int tight : {0, 1}) {
    if (tight == 1) mpm_options(scene).implicit.newton_tolerance = 1e-10;
    const auto solver = solver_of(scene, Precision::double_);
    solver->load(start);
    iterations[tight] = solver->advance([](double) { return 5e-3; }).counts[counter::newton_iterations];
    BOOST_TEST_MESSAGE("tolerance " << mpm_options(scene).implicit.newton_tolerance << ": "
                                    << iterations[tight]);
  }
  BOOST_TEST(iterations[0] >= 1U);
  BOOST_TEST(iterations[0] <= 6U);
  BOOST_TEST(iterations[1] <= iterations[0] + 3U);  // 10⁻³ → 10⁻⁶ → 10⁻¹², one to spare
}

BOOST_DATA_TEST_CASE(a_failed_solve_cuts_the_step_and_then_stops,
                     data::make({Precision::single_, Precision::double_}), precision) {
  Scene scene = empty_scene(2, Kernel::quadratic, Transfer::apic);
  mpm_options(scene).integrator = Integrator::implicit_;
  mpm_options(scene).implicit.newton_iterations = 1;
  mpm_options(scene).implicit.newton_tolerance = 1e-3;
  mpm_options(scene).implicit.step_cuts = 12;
  const Snapshot start = random_state(scene, 300, 0.4, 0.6, 5, 0.5, 0.01);
  const auto solver = solver_of(scene, precision);
  solver->load(start);
  const StepReport report = solver->advance([](double) { return 2e-2; });
  BOOST_TEST(report.counts[counter::step_cuts] > 0U);
  BOOST_TEST(report.dt == std::ldexp(2e-2, -static_cast<int>(report.counts[counter::step_cuts])));
  BOOST_TEST(solver->time() == report.dt);

  mpm_options(scene).implicit.step_cuts = 0;
  const auto strict = solver_of(scene, precision);
  strict->load(start);
  BOOST_CHECK_EXCEPTION(
      strict->advance([](double) { return 2e-2; }), SimulationError,
      [](const SimulationError& e) { return e.boundary == boundary::collisions && e.step == 0; });
  // run() has no Δt of its own to cut.
  const auto stepwise = solver_of(scene, precision);
  stepwise->load(start);
  stepwise->run(boundary::step_start, boundary::p2g, 2e-2);
  BOOST_CHECK_THROW(stepwise->run(boundary::p2g, boundary::collisions, 2e-2), SimulationError);
}

BOOST_AUTO_TEST_CASE(probes_are_refused_where_there_is_no_balance) {
  Scene scene = empty_scene(2, Kernel::quadratic, Transfer::apic);
  const auto explicit_one = solver_of(scene, Precision::double_);
  explicit_one->load(random_state(scene, 20, 0.4, 0.6, 5));
  explicit_one->run(boundary::step_start, boundary::p2g, dt);
  BOOST_CHECK_THROW(impulses_at(*explicit_one, scene.dim(), {}, dt), std::logic_error);
  mpm_options(scene).integrator = Integrator::implicit_;
  const auto solver = solver_of(scene, Precision::double_);
  solver->load(random_state(scene, 20, 0.4, 0.6, 5));
  BOOST_CHECK_THROW(impulses_at(*solver, scene.dim(), {}, dt), std::logic_error);
  solver->run(boundary::step_start, boundary::p2g, dt);
  BOOST_CHECK_THROW(impulses_at(*solver, scene.dim(), {}, dt), std::invalid_argument);
  BOOST_CHECK_THROW(solver->run(boundary::p2g, boundary::forces, dt), std::invalid_argument);
}

/// A Hencky column of height 1 m between walls, M = 10⁶ Pa, ρ = 2000 kg/m³, settles to 0.990378 m. Steps of twenty
/// times the explicit bound.
BOOST_DATA_TEST_CASE(a_column_settles_to_its_closed_form_in_long_steps,
                     data::make({Precision::single_, Precision::double_}), precision) {
  Scene scene = empty_scene(2, Kernel::cubic, Transfer::apic, 24);
  mpm_options(scene).integrator = Integrator::implicit_;
  mpm_options(scene).implicit.gmres_iterations = 60;
  mpm_options(scene).implicit.gmres_restart = 60;
  Material m = rubber();
  m.density = 2000.0;
  m.poisson_ratio = 0.3;
  // M = λ + 2μ = E (1 − ν)/((1 + ν)(1 − 2ν))
  m.youngs_modulus = 1e6 * 1.3 * 0.4 / 0.7;
  scene.materials = {m};
  const double low = 0.25, left = 0.375, right = 0.625;
  const double inside = 1e-6 * scene.grid.h;  // so far nodes on the surfaces lie in the bodies: they are held
  for (int wall = 0; wall < 3; ++wall) {
    Collider c;
    c.name = "wall";
    c.contact = Contact::slipping;
    c.shape = wall == 0   ? HalfSpace{Point(0, low + inside, 0), Point(0, 1, 0)}
              : wall == 1 ? HalfSpace{Point(left + inside, 0, 0), Point(1, 0, 0)}
                          : HalfSpace{Point(right - inside, 0, 0), Point(-1, 0, 0)};
    scene.colliders.push_back(c);
  }
  const int nx = 8, ny = 32;
  Snapshot s = resting(scene, nx * ny);
  const auto put = [&](std::size_t p, double x, double y) {
    s.get(field::x).value[2 * p] = x;
    s.get(field::x).value[2 * p + 1] = y;
  };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      put(static_cast<std::size_t>(i * ny + j), left + (i + 0.5) / 32.0, low + (j + 0.5) / 32.0);
  for (auto& v : s.get(field::volume).value) v = 1.0 / 1024;
  for (auto& mass : s.get(field::mass).value) mass = 2000.0 / 1024;
  const auto solver = solver_of(scene, precision);
  solver->load(s);
  const double speed_of_sound = std::sqrt(1e6 / 2000.0);
  const double explicit_bound = mpm_options(scene).elastic_bound * scene.grid.h / speed_of_sound;
  // Long steps damp: oscillations of period 4H/c = 0.18 s are gone after 40 steps of 0.03 s.
  for (int k = 0; k < 120; ++k) solver->advance([&](double) { return 20.0 * explicit_bound; });
  const Snapshot end = solver->save(boundary::plasticity, false);
  // A particle at the reference height Y carries ρ g (1 − Y).
  double top = 0.0;
  for (int i = 0; i < nx; ++i)
    top += end.get(field::x).value[2 * static_cast<std::size_t>(i * ny + ny - 1) + 1] / nx - low / nx;
  // The topmost row stands half a particle below the top, where hardly anything is compressed: F = exp(−ρ g δ/M) with
  // δ = 1/128 on average.
  const double height = top + 0.5 / 32.0 * std::exp(-2000.0 * 9.81 / 1e6 / 128.0);
  BOOST_TEST_MESSAGE("settled height " << height);
  BOOST_TEST(height < 1.0 - 9e-3);  // premise: it sinks by nine times the tolerance
  BOOST_TEST(std::abs(height - 0.990378) < 1e-3 * 0.990378);
}

}  // namespace repose::optimized_tests
