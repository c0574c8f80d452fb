#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <span>

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;

/// Sand that falls on a floor and touches a wall, some of it stretched, some compressed.
template <int d>
Snapshot busy_state(const Scene& scene) {
  auto particles = cloud<d>(scene, 60, 5, 0.3, 1.0);
  std::mt19937_64 random(9);
  for (auto& p : particles) {
    p.F += draw_matrix<d>(random, -0.01, 0.008);
    p.q = draw(random, 0.0, 0.2);
  }
  return start<d>(scene, particles);
}

Scene busy_scene(int dim) {
  Scene scene = empty_box(dim);
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.materials[0].volume_correction = true;
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders.push_back(floor);
  return scene;
}

Snapshot busy(const Scene& scene) { return scene.dim() == 2 ? busy_state<2>(scene) : busy_state<3>(scene); }

void check_same_bits(const Snapshot& a, const Snapshot& b) {
  BOOST_TEST(a.at == b.at);
  BOOST_TEST(a.time == b.time);
  BOOST_TEST(a.step == b.step);
  BOOST_TEST(a.ids(Place::node) == b.ids(Place::node), boost::test_tools::per_element());
  BOOST_REQUIRE(a.fields.size() == b.fields.size());
  for (std::size_t n = 0; n < a.fields.size(); ++n) {
    BOOST_TEST(a.fields[n].name == b.fields[n].name);
    BOOST_TEST((a.fields[n].value == b.fields[n].value), "field " << a.fields[n].name << " differs");
  }
}

constexpr double dt = 2e-4;

BOOST_AUTO_TEST_SUITE(contract)

BOOST_DATA_TEST_CASE(stepwise_and_fused_runs_give_the_same_bits, data::make({2, 3}), dim) {
  const Scene scene = busy_scene(dim);
  const auto stepwise = make_reference_solver(scene);
  const auto fused = make_reference_solver(scene);
  stepwise->load(busy(scene));
  fused->load(busy(scene));
  const std::span<const Boundary> boundaries = stepwise->boundaries();
  for (int step = 0; step < 10; ++step) {
    for (std::size_t n = 0; n + 1 < boundaries.size(); ++n) {
      stepwise->run(boundaries[n], boundaries[n + 1], dt);
    }
    const StepReport report = fused->advance([](double) { return dt; });
    BOOST_TEST(report.counts[counter::inside] + report.counts[counter::tip] +
                   report.counts[counter::surface] ==
               report.particles);
  }
  check_same_bits(stepwise->save(boundary::plasticity, true), fused->save(boundary::plasticity, true));
  check_same_bits(stepwise->save(boundary::step_start, true), fused->save(boundary::step_start, true));
}

BOOST_DATA_TEST_CASE(loading_what_was_saved_at_any_boundary_changes_no_bit, data::make({2, 3}), dim) {
  const Scene scene = busy_scene(dim);
  const auto solver = make_reference_solver(scene);
  const auto copy = make_reference_solver(scene);
  solver->load(busy(scene));
  const std::span<const Boundary> boundaries = solver->boundaries();
  for (std::size_t n = 0; n < boundaries.size(); ++n) {
    const Boundary at = boundaries[n];
    if (n > 0) solver->run(boundaries[n - 1], at, dt);
    copy->load(solver->save(at, true));
    check_same_bits(copy->save(at, true), solver->save(at, true));

    // The copy also goes on as the original does.
    const auto original = make_reference_solver(scene);
    original->load(solver->save(at, true));
    if (at != boundary::plasticity) {
      original->run(at, boundary::plasticity, dt);
      copy->run(at, boundary::plasticity, dt);
      check_same_bits(copy->save(boundary::plasticity, true), original->save(boundary::plasticity, true));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_step_is_the_start_of_the_next) {
  const Scene scene = busy_scene(2);
  const auto solver = make_reference_solver(scene);
  solver->load(busy(scene));
  solver->run(boundary::step_start, boundary::plasticity, dt);
  const Snapshot end = solver->save(boundary::plasticity, false);
  const Snapshot next = solver->save(boundary::step_start, false);
  BOOST_TEST(end.time == 0.0);
  BOOST_TEST(end.step == 0);
  BOOST_TEST(next.time == dt);
  BOOST_TEST(next.step == 1);
  BOOST_TEST(solver->time() == dt);
  BOOST_TEST(solver->steps() == 1);
  BOOST_TEST((next.find(field::plastic_case) == nullptr));
  solver->run(boundary::step_start, boundary::p2g, dt);
  BOOST_CHECK_THROW(solver->save(boundary::plasticity, false), std::logic_error);
}

BOOST_AUTO_TEST_CASE(matrices_are_row_major_and_particles_in_scene_order) {
  const Scene scene = empty_box(3);
  const auto particles = cloud<3>(scene, 3, 5);
  const Snapshot snapshot = start<3>(scene, particles);
  BOOST_TEST(snapshot.get(field::C).components == 9);
  for (std::size_t n = 0; n < 3; ++n) {
    BOOST_TEST(snapshot.get(field::mass).value[n] == particles[n].m);
    BOOST_TEST(snapshot.get(field::x).value[3 * n + 2] == particles[n].x[2]);
    BOOST_TEST(snapshot.get(field::C).value[9 * n + 1] == particles[n].C(0, 1));
    BOOST_TEST(snapshot.get(field::C).value[9 * n + 6] == particles[n].C(2, 0));
  }
}

BOOST_AUTO_TEST_CASE(snapshots_hold_the_fields_of_the_table) {
  using Names = std::vector<std::string>;
  const Names always{"mass", "volume", "material", "x", "v", "C"};
  const std::map<std::string_view, Names> rest{
      {"step_start", {"J", "F", "q", "v_c"}},
      {"p2g", {"J", "F", "q", "v_c", "m_i", "p_i"}},
      {"forces", {"J", "F", "q", "v_c", "m_i", "p_i", "p_star"}},
      {"collisions", {"J", "F", "q", "v_c", "m_i", "p_i", "p_star", "p_bar"}},
      {"friction", {"J", "F", "q", "v_c", "m_i", "p_i", "p_star", "p_bar", "p_tilde"}},
      {"g2p", {"J", "F", "q", "v_c", "v_bar", "grad_v"}},
      {"update", {"J", "F_trial", "q", "v_c"}},
      {"plasticity", {"J", "F", "q", "v_c", "case"}}};
  const Scene scene = busy_scene(3);
  const auto solver = make_reference_solver(scene);
  solver->load(busy(scene));
  const std::span<const Boundary> boundaries = solver->boundaries();
  for (std::size_t n = 0; n < boundaries.size(); ++n) {
    const Boundary at = boundaries[n];
    if (n > 0) solver->run(boundaries[n - 1], at, dt);
    Names expected = always;
    expected.insert(expected.end(), rest.at(at).begin(), rest.at(at).end());
    Names found;
    for (const Field& field : solver->save(at, false).fields) found.push_back(field.name);
    BOOST_TEST(found == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
