#include "experiments/run/inside_solids.h"
#include "experiments/run/simulation.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/experiments/fake_solver.h"
#include "tests/unit/experiments/state_snapshots.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace data = boost::unit_test::data;

using namespace repose;
using namespace repose::experiments;
using namespace repose::test;

namespace {

/// Particles at given places, at a given time.
FakeSolver standing(const Scene& scene, const std::vector<Point>& places, double time = 0.0) {
  Snapshot state;
  state.method = "mpm";
  state.time = time;
  state.set(
      {.name = std::string(field::mass), .unit = "kg", .value = std::vector<double>(places.size(), 1.0)});
  Field x{.name = std::string(field::x), .unit = "m", .components = scene.dim(), .value = {}};
  for (const Point& place : places) x.value.insert(x.value.end(), place.data(), place.data() + scene.dim());
  state.set(x);
  FakeSolver solver(scene);
  solver.load(state);
  return solver;
}

Scene scene_with(const std::vector<Collider>& colliders, int dim) {
  Scene scene;
  scene.grid = {.dim = dim,
                .h = 0.1,
                .domain_min = {-2, -2, dim == 3 ? -2.0 : 0.0},
                .cells = {40, 40, dim == 3 ? 40 : 1}};
  scene.colliders = colliders;
  return scene;
}

const Collider ground{.name = "floor", .shape = HalfSpace{.point = {0, 0, 0}, .normal = {0, 1, 0}}};
const auto dimensions = data::make({2, 3});

}  // namespace

BOOST_AUTO_TEST_SUITE(inside_solids_test)

BOOST_DATA_TEST_CASE(particles_below_a_surface_are_counted_and_the_deepest_is_named, dimensions, dim) {
  const Scene scene = scene_with({ground}, dim);
  // 1e-11 below is what a start on the surface rounds to.
  const FakeSolver solver = standing(
      scene, {{0, 0.5, 0}, {0, 0, 0}, {0.3, -1e-11, 0}, {0.1, -0.03, 0}, {0.2, -0.07, 0}, {0.5, -1e-6, 0}});
  const InsideSolids found = inside_solids(solver, scene);
  BOOST_TEST(found.particles == 3U);
  BOOST_TEST(found.deepest == 0.07, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.collider == "floor");
  const InsideSolids none = inside_solids(standing(scene, {{0, 0.5, 0}, {1, 0, 0}}), scene);
  BOOST_TEST(none.particles == 0U);
  BOOST_TEST(none.deepest == 0.0);
  BOOST_TEST(none.collider.empty());
  BOOST_TEST(inside_solids(standing(scene, {}), scene).particles == 0U);
  BOOST_TEST(inside_solids(standing(scene_with({}, dim), {{0, -1, 0}}), scene_with({}, dim)).particles == 0U);
}

/// One particle in two solids counts once, as deep as it is in the one that holds it deeper; a hollow body's solid is
/// what is around it.
BOOST_DATA_TEST_CASE(solids_that_overlap_count_a_particle_once, dimensions, dim) {
  const Collider ball{.name = "ball", .shape = Sphere{.centre = {0, -0.5, 0}, .radius = 0.7}};
  const Collider bowl{.name = "bowl", .shape = Sphere{.centre = {0, 0, 0}, .radius = 0.8}, .hollow = true};
  const Scene scene = scene_with({ground, ball, bowl}, dim);
  const auto look = [&](const std::vector<Point>& at) { return inside_solids(standing(scene, at), scene); };
  const InsideSolids in_both = look({{0, -0.4, 0}});
  BOOST_TEST(in_both.particles == 1U);
  BOOST_TEST(in_both.deepest == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(in_both.collider == "ball");
  const InsideSolids outside_bowl = look({{0, 1.8, 0}, {0, 0.5, 0}});
  BOOST_TEST(outside_bowl.particles == 1U);
  BOOST_TEST(outside_bowl.deepest == 1.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(outside_bowl.collider == "bowl");
}

/// The pose at the solver's time counts: a wall that moves over a particle, a plate that turns onto one.
BOOST_DATA_TEST_CASE(solids_are_where_they_have_moved_to, dimensions, dim) {
  Collider wall{.name = "wall", .shape = HalfSpace{.point = {-1, 0, 0}, .normal = {1, 0, 0}}};
  wall.velocity = {2, 0, 0};
  Collider plate{.name = "plate", .shape = Box{.min = {-0.1, 0.2, -1}, .max = {0.1, 1.8, 1}}};
  plate.spin = {0, 0, 1.5707963267948966};
  const Scene scene = scene_with({wall, plate}, dim);
  const std::vector<Point> at{{-0.4, 0, 0}, {0.5, 0.98, 0}};
  BOOST_TEST(inside_solids(standing(scene, at, 0.0), scene).particles == 0U);
  const InsideSolids later =
      inside_solids(standing(scene, at, 0.5), scene);  // the wall at 0, the plate at 45°
  BOOST_TEST(later.particles == 1U);
  BOOST_TEST(later.collider == "wall");
  BOOST_TEST(later.deepest == 0.4, boost::test_tools::tolerance(1e-12));
  const InsideSolids turned =
      inside_solids(standing(scene, {at[1], {1.5, 0, 0}}, 1.0), scene);  // at 1, at 90°
  BOOST_TEST(turned.particles == 1U);

  Collider stone{.name = "stone", .shape = Sphere{.centre = {-1.5, 1.5, 0}, .radius = 0.2}};
  stone.velocity = {4, 0, 0};
  const Scene thrown = scene_with({stone}, dim);
  BOOST_TEST(inside_solids(standing(thrown, {{0.45, 1.5, 0}}, 0.0), thrown).particles == 0U);
  const InsideSolids hit = inside_solids(standing(thrown, {{0.45, 1.5, 0}}, 0.5), thrown);
  BOOST_TEST(hit.particles == 1U);
  BOOST_TEST(hit.deepest == 0.15, boost::test_tools::tolerance(1e-12));
}

/// Particles that fly freely over a floor that rises by 1 m/s: the lowest is 0.025 m above its start.
BOOST_DATA_TEST_CASE(a_run_looks_at_the_end_of_every_frame_and_of_itself, dimensions, dim) {
  Scene scene = small_scene(dim);
  scene.colliders[0].velocity = {0, 1, 0};
  FakeSolver solver(scene);
  solver.load(sample(scene));
  std::vector<std::int64_t> looked;
  std::vector<double> deepest;
  const Observers observers{.step = [&](const StepRecord& record) {
    if (!record.solids) return;
    looked.push_back(record.step + 1);
    deepest.push_back(record.solids->deepest);
  }};
  std::vector<std::int64_t> ends;
  Observers both = observers;
  both.frame = [&](std::int64_t frame, const Solver& at) {
    if (frame > 0) ends.push_back(at.steps());
    return Go::on;
  };
  const RunSummary summary = simulate(solver, scene, {}, both);
  BOOST_TEST(looked == ends, boost::test_tools::per_element());
  BOOST_REQUIRE(deepest.size() == 4U);
  const std::vector<double> expected{0.0, 0.015, 0.035, 0.055};
  for (std::size_t n = 0; n < 4; ++n) BOOST_TEST(std::abs(deepest[n] - expected[n]) <= 1e-12);
  BOOST_TEST(summary.solids.deepest.deepest == deepest.back());
  BOOST_TEST(summary.solids.deepest.collider == "collider_1");
  BOOST_TEST(summary.solids.deepest_time == 0.08);
  BOOST_TEST(summary.solids.at_end > 0U);
  BOOST_TEST(summary.solids.most == summary.solids.at_end);
  const nlohmann::json json = to_json(summary);
  BOOST_TEST(json["inside_solids"] == summary.solids.at_end);
  BOOST_TEST(json["most_inside_solids"] == summary.solids.most);
  BOOST_TEST(json["deepest_inside_solids_m"] == deepest.back());
  BOOST_TEST(describe(summary).find("deepest 0.055 m in \"collider_1\" at 0.08 s") != std::string::npos);
}

/// A floor that sinks again: what was deepest stays, what is counted at the end does not.
BOOST_AUTO_TEST_CASE(a_summary_tells_the_most_and_the_end_apart) {
  Scene scene = small_scene(2);
  const Snapshot start = sample(scene);
  scene.colliders[0].shape = HalfSpace{.point = {0, 0.26, 0}, .normal = {0, 1, 0}};
  scene.colliders[0].velocity = {0, -1, 0};
  FakeSolver solver(scene);
  solver.load(start);
  const RunSummary summary = simulate(solver, scene, {}, {});
  BOOST_TEST(summary.solids.at_end == 0U);
  BOOST_TEST(summary.solids.most > 0U);
  BOOST_TEST(summary.solids.deepest_time == 0.02);
  BOOST_TEST(summary.solids.deepest.deepest == 0.015, boost::test_tools::tolerance(1e-9));
  // Without a step, the start.
  FakeSolver still(scene);
  still.load(start);
  const RunSummary at_once = simulate(still, scene, {.frames = 0}, {});
  BOOST_TEST(at_once.solids.deepest.deepest == 0.035, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(at_once.solids.at_end > 0U);
}

/// Interrupted within a frame, while the floor rises: the end is looked at as well, but no row tells of it.
BOOST_AUTO_TEST_CASE(an_interrupted_run_looks_where_it_stops) {
  Scene scene = small_scene(2);
  scene.colliders[0].velocity = {0, 1, 0};
  FakeSolver solver(scene);
  solver.load(sample(scene));
  solver.before_step = [](std::int64_t step) {
    if (step == 70) std::raise(SIGINT);
  };
  int rows = 0;
  const RunSummary summary =
      simulate(solver, scene, {}, {.step = [&](const StepRecord& record) { rows += record.solids ? 1 : 0; }});
  BOOST_REQUIRE(summary.interrupted);
  BOOST_TEST(summary.end_time > 0.06);
  BOOST_TEST(rows == 3);
  BOOST_TEST(summary.solids.deepest_time == summary.end_time);
  BOOST_TEST(std::abs(summary.solids.deepest.deepest - (summary.end_time - 0.025)) <= 1e-12);
}

/// A solver's own way to its positions gives the bits of its state, in the same order, also after particles were sorted.
BOOST_DATA_TEST_CASE(positions_are_those_of_the_saved_state, dimensions* data::make({false, true}), dim,
                     in_float) {
  const Scene scene = small_scene(dim);
  const Precision precision = in_float ? Precision::single_ : Precision::double_;
  for (const std::string name : {"reference", "optimized"}) {
    if (name == "reference" && precision == Precision::single_) continue;
    const auto solver = make_solver(name, scene, {.precision = precision, .threads = 1, .simd = ""});
    solver->load(sample(scene));
    for (int step = 0; step < 40; ++step) {
      BOOST_TEST(solver->positions() == solver->save(boundary::step_start, false).get(field::x).value,
                 boost::test_tools::per_element());
      solver->advance([](double) { return 1e-3; });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
