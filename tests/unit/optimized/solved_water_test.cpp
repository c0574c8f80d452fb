// Steps of water that are solved, by the fast solver.
#include "reference/interface/methods/mpm_probes.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {
namespace {

constexpr double dt = 2e-3;
constexpr bool semi[] = {true, false};

Scene pool(int dim, Kernel kernel, bool semi_implicit, bool tension) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  add_bodies(scene);
  Material water;
  water.name = "water";
  water.kind = MaterialKind::water;
  water.density = 1000.0;
  water.water_stiffness = 4e4;
  water.water_gamma = 7.0;
  water.water_tension = tension;
  scene.materials = {water};
  MpmOptions& options = mpm_options(scene);
  options.integrator = semi_implicit ? Integrator::semi_implicit : Integrator::implicit_;
  options.implicit = {.newton_tolerance = 1e-6,
                      .newton_iterations = 60,
                      .gmres_restart = 60,
                      .gmres_iterations = 120,
                      .gmres_tolerance = 1e-6};
  return scene;
}

Snapshot drops(const Scene& scene, std::size_t count) {
  Snapshot s = random_state(scene, count, 0.3, 0.6, 11, 0.5, 0.0);
  std::mt19937_64 random(6);
  for (double& J : s.get(field::J).value) J = draw(random, 0.98, 1.01);
  for (const std::string_view name : {field::q, field::v_c})
    for (double& value : s.get(name).value) value = 0.0;
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solved_water)

BOOST_DATA_TEST_CASE(water_that_is_solved_for_gives_the_same_bits_for_any_number_of_threads,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) * data::make(semi) *
                         data::make({Precision::single_, Precision::double_}),
                     dim, kernel, semi_implicit, precision) {
  const Scene scene = pool(dim, kernel, semi_implicit, true);
  const Snapshot start = drops(scene, dim == 3 ? 800 : 300);
  const auto after = [&](int threads) {
    const auto solver = solver_of(scene, precision, threads);
    solver->load(start);
    std::uint64_t solves = 0;
    for (int k = 0; k < 2; ++k)
      solves += solver->advance([](double) { return dt; }).counts[counter::newton_iterations];
    BOOST_TEST(solves >= 2U);  // premise
    return solver->save(boundary::plasticity, true);
  };
  const Snapshot one = after(1);
  for (const int threads : {2, 3}) require_equal(one, after(threads));
}

/// Semi-implicit and implicit steps of water are one and the same, by MINRES and by GMRES; and that is the readable solver's.
BOOST_DATA_TEST_CASE(both_ways_of_solving_for_water_find_the_readable_solvers_velocities,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                         data::make({true, false}),
                     dim, kernel, tension) {
  const Snapshot start = drops(pool(dim, kernel, true, tension), dim == 3 ? 500 : 250);
  const auto found = [&](Solver& solver) {
    solver.load(start);
    solver.run(boundary::step_start, boundary::collisions, dt);
    return solver.save(boundary::collisions, false).get(field::p_bar).value;
  };
  const auto readable = make_reference_solver(pool(dim, kernel, true, tension));
  const auto expected = found(*readable);
  double largest = 0.0;
  for (const double p : expected) largest = std::max(largest, std::abs(p));
  const auto unmoved = solver_of(pool(dim, kernel, true, tension), Precision::double_);
  unmoved->load(start);
  unmoved->run(boundary::step_start, boundary::p2g, dt);
  const auto before = unmoved->save(boundary::p2g, false).get(field::p_i).value;
  for (const bool semi_implicit : semi) {
    const auto got = found(*solver_of(pool(dim, kernel, semi_implicit, tension), Precision::double_));
    BOOST_REQUIRE(got.size() == expected.size());
    double apart = 0.0, moved = 0.0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      apart = std::max(apart, std::abs(got[k] - expected[k]));
      moved = std::max(moved, std::abs(before[k] - expected[k]));
    }
    BOOST_TEST(moved > 0.1 * largest);  // premise: the solve does something
    BOOST_TEST(apart <= 2e-5 * largest);
  }
}

BOOST_DATA_TEST_CASE(impulses_of_water_and_their_change_are_those_of_the_readable_solver,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) * data::make(semi),
                     dim, kernel, semi_implicit) {
  const Scene scene = pool(dim, kernel, semi_implicit, true);
  const auto fast = solver_of(scene, Precision::double_);
  const auto readable = make_reference_solver(scene);
  for (Solver* solver : {fast.get(), readable.get()}) {
    solver->load(drops(scene, 300));
    solver->run(boundary::step_start, boundary::p2g, dt);
  }
  const std::size_t count =
      readable->save(boundary::p2g, false).count(Place::node) * static_cast<std::size_t>(dim);
  std::vector<double> v(count), dv(count);
  for (std::size_t k = 0; k < count; ++k) {
    v[k] = 0.1 * std::sin(static_cast<double>(k));
    dv[k] = std::cos(static_cast<double>(3 * k));
  }
  const auto require_close = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0, off = 0.0;
    BOOST_REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k]));
      off = std::max(off, std::abs(a[k] - b[k]));
    }
    BOOST_TEST(largest > 0.0);
    BOOST_TEST(off <= 1e-11 * largest);
  };
  const NodeImpulses one = impulses_at(*readable, dim, v, dt), other = impulses_at(*fast, dim, v, dt);
  require_close(one.impulse, other.impulse);
  require_close(one.magnitude, other.magnitude);
  require_close(impulse_change(*readable, dim, v, dv, dt), impulse_change(*fast, dim, v, dv, dt));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::optimized_tests
