#include "optimized/nodes/contacts.h"
#include "reference/interface/methods/mpm.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

// Bodies and friction where both solvers could be wrong alike: answers known on paper, in whole steps.
namespace repose::optimized_tests {

namespace data = boost::unit_test::data;

namespace {

std::unique_ptr<Solver> named(const std::string& name, const Scene& scene) {
  return name == "reference" ? make_reference_solver(scene) : solver_of(scene, Precision::double_);
}

/// Runs a scene to the end of its duration by the controller's steps.
Snapshot run(const std::string& name, const Scene& scene) {
  const auto solver = named(name, scene);
  solver->load(sample(scene));
  const StepControl control(scene);
  while (solver->time() < scene.duration) {
    const double time = solver->time();
    solver->advance([&](double fastest) { return control.next(time, fastest, scene.duration).dt; });
  }
  return solver->save(boundary::step_start, false);
}

/// Centre of mass of particles of equal mass.
Point centre_of(const Snapshot& state, int dim) {
  Point sum = Point::Zero();
  const Field& x = state.get(field::x);
  for (std::size_t i = 0; i < x.value.size(); ++i)
    sum[static_cast<Eigen::Index>(i % static_cast<std::size_t>(dim))] += x.value[i];
  return sum / static_cast<double>(state.particles());
}

Material elastic(double density, double youngs_modulus, double poisson_ratio) {
  Material m = rubber();
  m.density = density;
  m.youngs_modulus = youngs_modulus;
  m.poisson_ratio = poisson_ratio;
  return m;
}

Seed box_of_particles(const Point& min, const Point& max) {
  Seed seed;
  seed.name = "block";
  seed.shape = Box{min, max};
  seed.sampling = Sampling::regular;
  return seed;
}

Collider floor_at(double y, Contact contact, double friction) {
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{Point(0.0, y, 0.0), Point::UnitY()};
  floor.contact = contact;
  floor.friction = friction;
  return floor;
}

/// An elastic block on a rough floor in a frame that is tilted by 30°; tan 30° = 0.58 < μ = 0.8.
Scene block_on_slope(Transfer transfer, ParticleMotion motion, double elastic_bound) {
  Scene s = empty_scene(2, Kernel::quadratic, transfer, 1);
  s.grid.h = 0.04;
  s.grid.cells = {20, 8, 1};
  mpm_options(s).motion = motion;
  s.gravity = 9.81 * Point(0.5, -std::sqrt(0.75), 0.0);
  s.materials = {elastic(1500.0, 1e6, 0.3)};
  s.seeds = {box_of_particles(Point(0.2, 0.04, 0.0), Point(0.36, 0.12, 0.0))};
  s.seeds[0].particles_per_cell = 4.0;
  s.colliders = {floor_at(0.04, Contact::separating, 0.8)};
  mpm_options(s).elastic_bound = elastic_bound;
  return s;
}

/// Speed of the block's centre along the slope, 0.1 to 0.2 s after gravity has set in.
double creep(const std::string& name, Scene scene) {
  scene.duration = 0.1;
  const double before = centre_of(run(name, scene), 2).x();
  scene.duration = 0.2;
  return (centre_of(run(name, scene), 2).x() - before) / 0.1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contacts_of_both_solvers)

/// A belt takes the nodes below its surface along; a rough wall of the same place, met before, would have stopped them.
/// The particle takes the share of these nodes: 0.24 h above a node, ½ (½ − 0.24)² + ¾ − 0.24² = 0.7262. The belt sinks,
/// so that a wall behind it pushes and stops what the belt took.
BOOST_DATA_TEST_CASE(a_sticky_belt_takes_sand_along_that_a_rough_wall_met_first,
                     data::make({"reference", "optimized"}) * data::make({"explicit", "implicit"}), name,
                     steps) {
  Scene s = empty_scene(2, Kernel::quadratic, Transfer::pic);
  mpm_options(s).integrator =
      std::string(steps) == "implicit" ? Integrator::implicit_ : Integrator::explicit_;
  s.materials = {elastic(1000.0, 1e-12, 0.3)};  // no stress to speak of
  Collider belt = floor_at(0.505, Contact::sticky, 0.0);
  belt.velocity = Point(2.0, -1.0, 0.0);
  const Collider wall = floor_at(0.505, Contact::separating, 10.0);
  Snapshot state = resting(s, 1);
  state.get(field::x).value = {0.5, 0.515};
  state.get(field::v).value = {0.0, -1.0};
  const auto speed = [&](std::vector<Collider> bodies) {
    s.colliders = std::move(bodies);
    const auto solver = named(name, s);
    solver->load(state);
    solver->advance([](double) { return 1e-3; });
    return solver->save(boundary::step_start, false).get(field::v).value[0];
  };
  const double share = 0.5 * 0.26 * 0.26 + 0.75 - 0.24 * 0.24;
  BOOST_TEST(std::abs(speed({belt}) - 2.0 * share) < 1e-12);
  BOOST_TEST(std::abs(speed({wall, belt}) - 2.0 * share) < 1e-12);
  BOOST_TEST(std::abs(speed({belt, wall})) < 1e-12);
}

/// A turning sticky table on a plane of nodes. Rounding has some of them outside: had it a say, or were φ = 0 outside,
/// the block would sink by 7 mm, drift off and lag behind by a third.
BOOST_DATA_TEST_CASE(a_block_turns_with_a_sticky_table_on_a_plane_of_nodes,
                     data::make({"reference", "optimized"}), name) {
  Scene s = empty_scene(3, Kernel::quadratic, Transfer::apic, 1);
  s.grid.h = 0.04;
  s.grid.domain_min = Point(-0.4, -0.2, -0.4);
  s.grid.cells = {20, 15, 20};
  s.gravity = Point(0.0, -9.81, 0.0);
  s.materials = {elastic(1000.0, 2e5, 0.2)};
  s.seeds = {box_of_particles(Point(0.1, 0.0, -0.04), Point(0.18, 0.06, 0.04))};
  Collider table = floor_at(0.0, Contact::sticky, 0.0);
  table.spin = Point(0.0, 4.0, 0.0);
  s.colliders = {table};
  s.step.max_dt = 2e-3;
  s.duration = 0.2;
  const Snapshot end = run(name, s);
  const Point centre = centre_of(end, 3);
  // A block that is carried along by its foot leans out by some per cent of its height.
  BOOST_TEST(std::hypot(centre.x(), centre.z()) == 0.14, boost::test_tools::tolerance(0.01));
  BOOST_TEST(std::atan2(-centre.z(), centre.x()) == 0.8, boost::test_tools::tolerance(0.03));
  double lowest = 1.0;
  for (std::size_t p = 0; p < end.particles(); ++p)
    lowest = std::min(lowest, end.get(field::x).value[3 * p + 1]);
  BOOST_TEST(lowest > 0.0095);  // at the start 0.01, a quarter of h
}

/// What friction takes from v̄ moves particles before_friction, by a creep in proportion to Δt.
BOOST_DATA_TEST_CASE(a_block_rests_on_a_rough_slope_where_particles_move_after_friction,
                     data::make({"reference", "optimized"}), name) {
  const double with_v_bar = creep(name, block_on_slope(Transfer::pic, ParticleMotion::before_friction, 0.5));
  const double half_step = creep(name, block_on_slope(Transfer::pic, ParticleMotion::before_friction, 0.25));
  BOOST_TEST(with_v_bar > 5e-3);  // premise: g sin θ Δt is 3 mm/s, and the lowest nodes hold all of the block
  BOOST_TEST(half_step == 0.5 * with_v_bar, boost::test_tools::tolerance(0.05));
  for (const Transfer transfer : {Transfer::pic, Transfer::apic}) {
    const double with_v_tilde = creep(name, block_on_slope(transfer, ParticleMotion::after_friction, 0.5));
    BOOST_TEST(std::abs(with_v_tilde) < 1e-2 * with_v_bar, transfer << ": " << with_v_tilde);
  }
  // Too little friction: it slides in either case, on paper by ½ g (sin θ − μ cos θ) (0.2² − 0.1²) m in 0.1 s.
  Scene slides = block_on_slope(Transfer::pic, ParticleMotion::after_friction, 0.5);
  slides.colliders[0].friction = 0.2;
  const double speed = 0.5 * 9.81 * (0.5 - 0.2 * std::sqrt(0.75)) * 0.3;
  BOOST_TEST(creep(name, slides) == speed, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::optimized_tests
