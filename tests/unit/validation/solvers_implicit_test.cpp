#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/materials.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;

constexpr double eps = std::numeric_limits<double>::epsilon();

enum class Motion : unsigned char { rest, drift, faint_drift, spin };
std::ostream& operator<<(std::ostream& out, Motion m) {
  constexpr const char* names[] = {"rest", "drift", "faint drift", "spin"};
  return out << names[static_cast<int>(m)];
}

std::unique_ptr<Solver> started(const std::string& name, const Scene& scene, const Snapshot& start) {
  auto solver = make_solver(name, scene);
  solver->load(start);
  return solver;
}

Scene box_scene(int dim, const std::string& law) {
  Scene scene;
  scene.grid = {.dim = dim, .h = 0.05, .cells = {20, 20, dim == 3 ? 20 : 1}};
  scene.scheme = MpmOptions{.kernel = Kernel::cubic, .integrator = Integrator::implicit_};
  mpm_options(scene).implicit.step_cuts = 0;
  scene.step.max_dt = 2e-3;
  scene.frame_rate = 100.0;
  scene.duration = 1.0;
  Material m;
  m.name = law;
  m.kind = law == "sand" ? MaterialKind::sand : MaterialKind::elastic;
  m.density = 2200.0;
  m.youngs_modulus = 3.537e5;
  m.poisson_ratio = 0.3;
  m.friction.h0 = 0.5;
  scene.materials = {m};
  return scene;
}

/// Particles of a lattice of two per axis and cell, in [low, high).
void fill(Scene& scene, const Point& low, const Point& high, const Point& velocity, double spin) {
  Seed seed;
  seed.shape = Box{low, high};
  seed.sampling = Sampling::regular;
  seed.velocity = velocity;
  seed.spin = Point(0, 0, spin);
  seed.particles_per_cell = scene.dim() == 3 ? 8.0 : 4.0;
  scene.seeds.push_back(seed);
}

Point momentum(const Snapshot& s, int dim) {
  Point sum = Point::Zero();
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t p = 0; p < s.particles(); ++p)
    for (std::size_t a = 0; a < d; ++a)
      sum[static_cast<Eigen::Index>(a)] += s.get(field::mass).value[p] * s.get(field::v).value[p * d + a];
  return sum;
}

BOOST_AUTO_TEST_SUITE(solvers_implicit)

/// Without gravity and strain v = vⁿ solves every step. What rounding makes of it is a velocity of some roundings of v
/// and of the strain of 1 that flight does not have: c² Δt/h, over which the speed of sound c lets a body ring.
BOOST_DATA_TEST_CASE(free_flight_without_gravity_is_uniform_to_rounding,
                     data::make(solver_names()) * data::make({2, 3}) *
                         data::make({std::string("sand"), std::string("elastic")}) *
                         data::make({Motion::rest, Motion::drift, Motion::faint_drift, Motion::spin}),
                     name, dim, law, motion) {
  Scene scene = box_scene(dim, law);
  const double speed = motion == Motion::drift ? 1.0 : motion == Motion::faint_drift ? 1e-9 : 0.0;
  const Point v = speed * Point(0.7, 0.3, dim == 3 ? -0.2 : 0.0);
  const double last = dim == 3 ? 0.55 : 0.0;
  fill(scene, Point(0.4, 0.4, dim == 3 ? 0.4 : 0.0), Point(0.6, 0.6, last), v,
       motion == Motion::spin ? 5.0 : 0.0);
  const Snapshot start = sample(scene);
  const auto solver = started(name, scene, start);
  constexpr int steps = 10;
  std::uint64_t newton = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = solver->advance([](double) { return 2e-3; });
    newton += report.counts[counter::newton_iterations];
    if (k == 0 && motion != Motion::spin) BOOST_TEST(report.counts[counter::newton_iterations] == 0U);
  }
  const Snapshot end = solver->save(boundary::plasticity, false);

  const double c2 = wave_speed(scene.materials[0]) * wave_speed(scene.materials[0]);
  const double allowed = 64.0 * eps * steps * (5.0 * speed + c2 * 2e-3 / scene.grid.h);
  const double mass =
      2200.0 * std::pow(0.05, dim) / std::pow(2.0, dim) * static_cast<double>(end.particles());
  BOOST_TEST((momentum(end, dim) - mass * v).norm() <= mass * allowed);
  if (motion == Motion::spin) {
    // A turn of a step stretches everything by its square: rubber resists, sand separates and does not.
    BOOST_TEST((newton > 0U) == (law == "elastic"));
    return;
  }
  const auto d = static_cast<std::size_t>(dim);
  double apart = 0.0;
  for (std::size_t n = 0; n < end.get(field::v).value.size(); ++n)
    apart = std::max(apart, std::abs(end.get(field::v).value[n] - v[static_cast<Eigen::Index>(n % d)]));
  BOOST_TEST(apart <= allowed);
  if (motion == Motion::rest) BOOST_TEST(apart == 0.0);
}

/// A bed of rubber in balance from the start, ln F_yy = −ρ g (top − y)/E at ν = 0, and far above it a few light grains.
/// In a norm over all nodes their weight is less than the tolerance of what the bed balances.
BOOST_DATA_TEST_CASE(light_grains_above_a_deep_bed_fall_freely,
                     data::make(solver_names()) * data::make({2, 3}), name, dim) {
  Scene scene = box_scene(dim, "elastic");
  scene.gravity = Point(0, -9.81, 0);
  scene.materials[0].poisson_ratio = 0.0;
  constexpr double tolerance = 1e-2;
  mpm_options(scene).implicit.newton_tolerance = tolerance;
  // All nodes that reach below the bed, whose stress ends there, are held.
  const double ground = 0.15 + 1e-6;
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{.point = Point(0, ground, 0), .normal = Point::UnitY()};
  floor.contact = Contact::slipping;
  const bool deep = dim == 3;
  fill(scene, Point(0.4, 0.1, deep ? 0.4 : 0.0), Point(0.5, 0.6, deep ? 0.5 : 0.0), Point::Zero(), 0.0);
  const Point grain(0.43, 0.82, deep ? 0.43 : 0.0);
  fill(scene, grain, grain + Point(0.05, 0.05, deep ? 0.05 : 0.0), Point(0, -0.5, 0), 0.0);
  Snapshot start = sample(scene);
  scene.colliders = {floor};  // not before: the bed reaches into it
  const auto d = static_cast<std::size_t>(dim);
  std::vector<std::size_t> grains;
  for (std::size_t p = 0; p < start.particles(); ++p) {
    const double y = start.get(field::x).value[p * d + 1];
    if (y > 0.7) {
      grains.push_back(p);
      start.get(field::mass).value[p] *= 1e-2;
      start.get(field::volume).value[p] *= 1e-2;
    } else {
      start.get(field::F).value[p * d * d + d + 1] = std::exp(-2200.0 * 9.81 * (0.6 - y) / 3.537e5);
    }
  }
  const double dt = 2e-3;
  const double fall = 9.81 * dt;

  // The premise: grains are there, the bed is in balance, and a sum over nodes does not see them.
  BOOST_TEST_REQUIRE(grains.size() == (deep ? 8U : 4U));
  const auto probe = started(name, scene, start);
  probe->run(boundary::step_start, boundary::p2g, dt);
  const Snapshot nodes = probe->save(boundary::p2g, false);
  std::vector<double> v = nodes.get(field::p_i).value;
  for (std::size_t n = 0; n < v.size(); ++n) v[n] /= nodes.get(field::m_i).value[n / d];
  const NodeImpulses acts = impulses_at(*probe, scene.dim(), v, dt);
  double seen = 0.0, all = 0.0;
  for (std::size_t n = 0; n < nodes.count(Place::node); ++n) {
    const double m = nodes.get(field::m_i).value[n];
    const double y = scene.grid.node_position(nodes.ids(Place::node)[n]).y();
    all += acts.magnitude[n] * acts.magnitude[n] / m;
    if (y < ground) continue;
    for (std::size_t a = 0; a < d; ++a) seen += acts.impulse[n * d + a] * acts.impulse[n * d + a] / m;
  }
  BOOST_TEST(std::sqrt(seen) < tolerance * std::sqrt(all));

  const auto solver = started(name, scene, start);
  for (int k = 1; k <= 3; ++k) {
    solver->advance([&](double) { return dt; });
    const Snapshot now = solver->save(boundary::plasticity, false);
    for (const std::size_t p : grains) {
      // The weights of a particle's nodes sum to 1: its velocity lacks no more than its nodes' do.
      const double gained = -0.5 - now.get(field::v).value[p * d + 1];
      BOOST_TEST(std::abs(gained - k * fall) <= tolerance * k * fall);
    }
    double bed = 0.0;
    for (std::size_t p = 0; p < now.particles(); ++p)
      if (start.get(field::x).value[p * d + 1] < 0.7)
        bed = std::max(bed, std::abs(now.get(field::v).value[p * d + 1]));
    BOOST_TEST(bed < 0.5 * fall);
  }
}

/// Sand and rubber that meet a moving slope and a turning paddle: some hundred unknowns, of which bodies hold a part.
/// A cycle as long as there are unknowns finds what restarted ones find, in as many iterations of Newton's method.
BOOST_DATA_TEST_CASE(long_cycles_of_gmres_solve_what_restarted_ones_solve, data::make(solver_names()), name) {
  const std::string text = R"(
method = "mpm"
dimension = 2
spacing = 0.0625
gravity = [1.5, -9.81]
frame_rate = 256
duration = 0.015625
max_dt = 0.00390625
[mpm]
kernel = "quadratic"
transfer = "apic"
integrator = "implicit"
[domain]
min = [0, 0]
max = [1, 1]
[mpm.implicit]
step_cuts = 0
newton_tolerance = 1e-11
gmres_tolerance = 1e-12
gmres_iterations = 300
gmres_restart = 300
[[material]]
name = "sand"
density = 2200
youngs_modulus = 3.537e5
poisson_ratio = 0.3
h0_deg = 35
h1_deg = 9
h2 = 0.3
h3_deg = 10
volume_correction = true
[[material]]
name = "rubber"
kind = "elastic"
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.4
[[seed]]
shape = "box"
min = [0.3, 0.25]
max = [0.42, 0.38]
material = "sand"
sampling = "jittered"
seed = 3
particles_per_cell = 4
velocity = [0.5, -2]
spin = 8
[[seed]]
shape = "box"
min = [0.42, 0.25]
max = [0.5, 0.35]
material = "rubber"
sampling = "jittered"
seed = 5
velocity = [-1, -1]
[[collider]]
name = "floor"
shape = "half_space"
point = [0.5, 0.2]
normal = [0.2, 1]
contact = "slipping"
friction = 0.3
velocity = [0.5, 0]
[[collider]]
name = "paddle"
shape = "box"
min = [0.1, 0.1]
max = [0.29, 0.45]
contact = "sticky"
velocity = [1, 0.5]
spin = -3
)";
  Scene scene = parse_scene(text, "long_cycles");
  const Snapshot start = sample(scene);
  const auto iterations = [&](int restart) {
    mpm_options(scene).implicit.gmres_restart = restart;
    const auto solver = started(name, scene, start);
    std::vector<std::uint64_t> result;
    for (int k = 0; k < 4; ++k) {
      const StepReport report = solver->advance([](double) { return 0.00390625; });
      BOOST_TEST(report.counts[counter::step_cuts] == 0U);
      result.push_back(report.counts[counter::newton_iterations]);
    }
    return result;
  };
  const std::vector<std::uint64_t> whole = iterations(300);
  const std::vector<std::uint64_t> restarted = iterations(20);
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(restarted[k] >= 3U);  // premise: a hard step
    // One more or less where the last one ends beside the tolerance.
    BOOST_TEST(std::max(whole[k], restarted[k]) - std::min(whole[k], restarted[k]) <= 1U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
