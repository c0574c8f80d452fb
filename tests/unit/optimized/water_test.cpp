// Water in the fast solver: what it stores, what it makes of small changes of volume, where it stops.
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {
namespace {

constexpr Precision precisions[] = {Precision::single_, Precision::double_};

double unit_of(Precision precision) { return precision == Precision::single_ ? 0x1p-24 : 0x1p-53; }

Scene pool(int dim, bool tension = true) {
  Scene scene = empty_scene(dim, Kernel::quadratic, Transfer::apic);
  scene.gravity.setZero();
  Material m;
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = 4e4;
  m.water_gamma = 7.0;
  m.water_tension = tension;
  scene.materials = {m};
  return scene;
}

/// Drops at rest all over the middle, of J as asked.
Snapshot drops(const Scene& scene, std::size_t count, double low, double high) {
  Snapshot s = random_state(scene, count, 0.3, 0.7, 5, 0.0, 0.0);
  std::mt19937_64 random(6);
  for (double& J : s.get(field::J).value) J = draw(random, low, high);
  for (const std::string_view name : {field::q, field::v_c})
    for (double& value : s.get(name).value) value = 0.0;
  return s;
}

BOOST_AUTO_TEST_SUITE(water_steps)

/// ln J is stored: relative to it, and once more as it is made of J and J of it in double.
BOOST_DATA_TEST_CASE(volumes_come_back_as_well_as_their_logarithms_do,
                     data::make({2, 3}) * data::make(precisions), dim, precision) {
  const Scene scene = pool(dim);
  const auto solver = solver_of(scene, precision);
  for (const auto& [low, high] :
       {std::pair{0.01, 0.02}, std::pair{0.9, 1.1}, std::pair{1.0 - 1e-9, 1.0 + 1e-9}, std::pair{1.0, 1.0}}) {
    const Snapshot given = drops(scene, 40, low, high);
    solver->load(given);
    const Snapshot back = solver->save(boundary::step_start, false);
    for (std::size_t p = 0; p < 40; ++p) {
      const double J = given.get(field::J).value[p];
      const double log_J = std::abs(std::log(J));
      BOOST_TEST(std::abs(back.get(field::J).value[p] - J) <=
                 J * (unit_of(precision) * log_J + 4 * 0x1p-53 * (1.0 + log_J)) * (J == 1.0 ? 0.0 : 1.0));
    }
    const auto& F = back.get(field::F).value;
    for (std::size_t i = 0; i < F.size(); ++i)
      BOOST_TEST(
          F[i] ==
          (i % static_cast<std::size_t>(dim * dim) % static_cast<std::size_t>(dim + 1) == 0 ? 1.0 : 0.0));
  }
}

/// Pressures of volumes close to those at rest, sixty times closer than a float tells from 1, have all digits that the storage
/// of ln J and the sums leave.
BOOST_DATA_TEST_CASE(small_changes_of_volume_push_by_their_own_digits,
                     data::make({2, 3}) * data::make(precisions), dim, precision) {
  const Scene scene = pool(dim);
  const Snapshot state = drops(scene, 300, 1.0 - 1e-9, 1.0 - 0.5e-9);
  const auto readable = make_reference_solver(scene);
  const auto fast = solver_of(scene, precision);
  for (Solver* solver : {readable.get(), fast.get()}) {
    solver->load(state);
    solver->run(boundary::step_start, boundary::forces, 1e-3);
  }
  const auto expected = readable->save(boundary::forces, false).get(field::p_star).value;
  const auto got = fast->save(boundary::forces, false).get(field::p_star).value;
  BOOST_REQUIRE(got.size() == expected.size());
  double largest = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    apart = std::max(apart, std::abs(got[i] - expected[i]));
  }
  BOOST_TEST(largest > 0.0);
  // 0.5e-9 of ln J are known to 2⁻⁵³ in double, some two hundred roundings of some thirty terms of either sign besides.
  BOOST_TEST(apart < largest * (200 * unit_of(precision) + 1e-6));
}

BOOST_DATA_TEST_CASE(stretched_water_pushes_nothing_where_it_may_not_pull,
                     data::make({2, 3}) * data::make(precisions), dim, precision) {
  for (const bool tension : {false, true}) {
    const Scene scene = pool(dim, tension);
    const auto solver = solver_of(scene, precision);
    solver->load(drops(scene, 60, 1.01, 1.3));
    solver->run(boundary::step_start, boundary::forces, 1e-3);
    const auto p = solver->save(boundary::forces, false).get(field::p_star).value;
    BOOST_TEST((std::all_of(p.begin(), p.end(), [](double one) { return one == 0.0; }) != tension));
  }
}

/// The case that a state at the end of a step brings is gone after the next.
BOOST_DATA_TEST_CASE(water_is_of_no_plastic_case, data::make({2, 3}) * data::make(precisions), dim,
                     precision) {
  const Scene scene = pool(dim);
  const auto solver = solver_of(scene, precision);
  solver->load(drops(scene, 30, 0.95, 1.05));
  StepReport report = solver->run(boundary::step_start, boundary::plasticity, 1e-4);
  Snapshot end = solver->save(boundary::plasticity, true);
  end.get(field::plastic_case).value.assign(30, 2.0);
  solver->load(end);
  report = solver->run(boundary::step_start, boundary::plasticity, 1e-4);
  const auto cases = solver->save(boundary::plasticity, false).get(field::plastic_case).value;
  BOOST_TEST((cases == std::vector<double>(30, 0.0)));
  BOOST_TEST(report.counts[counter::inside] + report.counts[counter::tip] + report.counts[counter::surface] ==
             0U);
}

BOOST_DATA_TEST_CASE(water_crushed_to_nothing_stops_and_is_named, data::make({2, 3}) * data::make(precisions),
                     dim, precision) {
  const Scene scene = pool(dim);
  const auto solver = solver_of(scene, precision);
  solver->load(drops(scene, 30, 0.95, 1.05));
  solver->run(boundary::step_start, boundary::g2p, 1e-3);
  Snapshot state = solver->save(boundary::g2p, false);
  const auto d = static_cast<std::size_t>(dim);
  state.get(field::grad_v).value.assign(30 * d * d, 0.0);
  state.get(field::grad_v).value[11 * d * d] = -1000.0;
  for (const double rate : {-999.0, -1000.0}) {
    state.get(field::grad_v).value[11 * d * d] = rate;
    state.dt = 1e-3;
    solver->load(state);
    if (rate > -1000.0) {
      BOOST_CHECK_NO_THROW(solver->run(boundary::g2p, boundary::plasticity, 1e-3));
      continue;
    }
    BOOST_CHECK_EXCEPTION(solver->run(boundary::g2p, boundary::plasticity, 1e-3), SimulationError,
                          [](const SimulationError& error) {
                            return error.particle == 11 && error.boundary == boundary::update &&
                                   std::string(error.what()).find("J <= 0") != std::string::npos;
                          });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::optimized_tests
