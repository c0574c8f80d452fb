#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

namespace {

double steady(double) { return 1e-3; }

void place(Snapshot& s, std::size_t d, std::size_t p, const Point& x) {
  for (std::size_t a = 0; a < d; ++a) s.get(field::x).value[d * p + a] = x[static_cast<int>(a)];
}
void push(Snapshot& s, std::size_t d, std::size_t p, const Point& v) {
  for (std::size_t a = 0; a < d; ++a) s.get(field::v).value[d * p + a] = v[static_cast<int>(a)];
}

const auto kinds = data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) *
                   data::make({Precision::single_, Precision::double_});

}  // namespace

BOOST_DATA_TEST_CASE(no_particles_step_in_peace, kinds, dim, kernel, precision) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  add_bodies(scene);
  const auto solver = solver_of(scene, precision);
  solver->load(resting(scene, 0));
  const StepReport report = solver->advance(steady);
  BOOST_TEST(report.particles == 0U);
  BOOST_TEST(report.counts[counter::active_nodes] == 0U);
  BOOST_TEST(report.max_speed == 0.0);
  BOOST_TEST(solver->time() == 1e-3);
  BOOST_TEST(solver->steps() == 1);
}

/// A lone particle falls like any body: v = g t, wherever it is in its cell: on a node, between, at the border's corner.
BOOST_DATA_TEST_CASE(one_particle_falls_freely, kinds, dim, kernel, precision) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  scene.gravity = Point(0.25, -0.5, dim == 3 ? -1.0 : 0.0);
  const Point top = scene.grid.domain_max();
  const auto d = static_cast<std::size_t>(dim);
  const double unit = precision == Precision::single_ ? 0x1.0p-24 : 0x1.0p-53;
  for (const Point& x :
       {Point(0.5, 0.5, 0.5), Point(0.53125, 0.5, 0.49), Point(0, top[1], top[2]), Point(0.51, 0.52, 0.53)}) {
    Snapshot s = resting(scene, 1);
    place(s, d, 0, x);
    const auto solver = solver_of(scene, precision);
    solver->load(s);
    const StepReport report = solver->advance(steady);
    BOOST_TEST(
        report.counts[counter::inside] + report.counts[counter::tip] + report.counts[counter::surface] == 1U);
    const Snapshot after = solver->save(boundary::plasticity, false);
    for (std::size_t a = 0; a < d; ++a) {
      const double expected = 1e-3 * scene.gravity[static_cast<int>(a)];
      // Σ w = 1 to rounding of 64 terms.
      BOOST_TEST(std::abs(after.get(field::v).value[a] - expected) <= 100 * unit * std::abs(expected));
      BOOST_TEST(std::abs(after.get(field::x).value[a] - (x[static_cast<int>(a)] + 1e-3 * expected)) <=
                 4 * unit * scene.grid.h + 1e-15);
    }
  }
}

BOOST_DATA_TEST_CASE(leaving_the_domain_names_the_particle, kinds, dim, kernel, precision) {
  const Scene scene = empty_scene(dim, kernel, Transfer::apic);
  const auto d = static_cast<std::size_t>(dim);
  for (const bool far_side : {false, true}) {
    for (const double beyond : {1.0, -1.0}) {
      Snapshot s = resting(scene, 3);
      place(s, d, 0, Point(0.5, 0.5, 0.5));
      place(s, d, 1, Point(0.4, 0.5, 0.5));
      // A thousandth of a cell from the border, moving a little more or a little less than that.
      const double gap = 1e-3 * scene.grid.h;
      place(s, d, 2, Point(far_side ? scene.grid.domain_max()[0] - gap : gap, 0.5, 0.5));
      push(s, d, 2, Point((far_side ? 1.0 : -1.0) * (gap + beyond * 0.1 * gap) / 1e-3, 0, 0));
      const auto solver = solver_of(scene, precision);
      solver->load(s);
      if (beyond < 0) {
        solver->advance(steady);
        BOOST_TEST(solver->steps() == 1);
      } else {
        BOOST_CHECK_EXCEPTION(solver->advance(steady), SimulationError, [](const SimulationError& e) {
          return e.particle == 2 && e.step == 0 && e.boundary == boundary::update;
        });
      }
    }
  }
}

BOOST_DATA_TEST_CASE(an_inverted_particle_is_named, kinds, dim, kernel, precision) {
  const Scene scene = empty_scene(dim, kernel, Transfer::apic);
  const auto d = static_cast<std::size_t>(dim);
  for (const double rate : {-1.1, -0.9}) {
    Snapshot s = resting(scene, 2);
    place(s, d, 0, Point(0.25, 0.25, 0.25));
    place(s, d, 1, Point(0.6, 0.6, 0.6));
    // Alone on its nodes a particle gets back the gradient of its own affine field: det(1 + Δt C) = 1 + Δt C_xx.
    s.get(field::C).value[d * d] = rate / 1e-3;
    const auto solver = solver_of(scene, precision);
    solver->load(s);
    if (rate < -1.0) {
      BOOST_CHECK_EXCEPTION(solver->advance(steady), SimulationError, [](const SimulationError& e) {
        return e.particle == 1 && e.step == 0 && e.boundary == boundary::update;
      });
    } else {
      solver->advance(steady);
      BOOST_TEST(solver->steps() == 1);
    }
  }
}

BOOST_DATA_TEST_CASE(values_that_are_not_finite_are_named, kinds, dim, kernel, precision) {
  const Scene scene = empty_scene(dim, kernel, Transfer::apic);
  Snapshot s = random_state(scene, 20, 0.3, 0.6, 5);
  s.get(field::v).value[7 * static_cast<std::size_t>(dim)] = std::numeric_limits<double>::quiet_NaN();
  const auto solver = solver_of(scene, precision);
  BOOST_CHECK_EXCEPTION(solver->load(s), SimulationError,
                        [](const SimulationError& e) { return e.particle == 7; });
  // Finite on the way in, too large to square: the strain overflows.
  Snapshot large = random_state(scene, 1, 0.3, 0.6, 5, 0.0, 0.0);
  large.get(field::F).value[0] = precision == Precision::single_ ? 1e18 : 1e153;
  large.get(field::material).value[0] = 1;  // elastic: no return mapping takes the strain back
  large.get(field::C).value[0] = 1e12;      // F grows by 10⁹, b by 10¹⁸
  const auto other = solver_of(scene, precision);
  other->load(large);
  BOOST_CHECK_EXCEPTION(other->advance(steady), SimulationError, [](const SimulationError& e) {
    return e.particle == 0 && e.boundary == boundary::update;
  });
}

/// Along x their momenta overflow with both signs, so that what moves the particles there is no number; along y they leave
/// their cell. No cell may be made of both.
BOOST_DATA_TEST_CASE(particles_moved_by_what_is_no_number_end_the_step_with_an_error, kinds, dim, kernel,
                     precision) {
  const Scene scene = empty_scene(dim, kernel, Transfer::pic);
  Snapshot s = random_state(scene, 2, 0.4, 0.41, 5, 0.0, 0.0);
  const auto d = static_cast<std::size_t>(dim);
  const double large = precision == Precision::single_ ? 1e38 : 1e308;
  for (std::size_t p = 0; p < 2; ++p) {
    s.get(field::mass).value[p] = 1e4;
    s.get(field::v).value[d * p] = p == 0 ? large : -large;
    s.get(field::v).value[d * p + 1] = 100.0;
  }
  const auto solver = solver_of(scene, precision);
  solver->load(s);
  BOOST_CHECK_THROW(solver->advance(steady), SimulationError);
}

BOOST_DATA_TEST_CASE(a_particle_flattened_to_nothing_is_named_when_it_is_loaded, kinds, dim, kernel,
                     precision) {
  const Scene scene = empty_scene(dim, kernel, Transfer::apic);
  Snapshot s = random_state(scene, 20, 0.3, 0.6, 5);
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t k = 0; k < d; ++k) s.get(field::F).value[7 * d * d + k] = 0.0;
  const auto solver = solver_of(scene, precision);
  BOOST_CHECK_EXCEPTION(solver->load(s), SimulationError,
                        [](const SimulationError& e) { return e.particle == 7; });
}

/// Particle 0 shares one node with a moving particle 1, at the far end of its stencil: its velocity is that node's times a
/// weight of 2⁻¹⁵ or less, and has as many true digits as any.
BOOST_DATA_TEST_CASE(what_a_small_weight_hands_on_is_as_exact_as_the_rest, kinds, dim, kernel, precision) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic);
  scene.gravity = Point::Zero();
  const bool cubic = kernel == Kernel::cubic;
  const double h = scene.grid.h, t = 0x1p-7;
  // In units of h: the stencils are nodes 7 to 9 and 9 to 11 (cubic: 7 to 10 and 10 to 13).
  const Point first((cubic ? 8.0 + t : 7.5 + t) * h, 8.25 * h, 8.25 * h);
  const Point second((cubic ? 11.0 : 10.0) * h, 8.25 * h, 8.25 * h);
  Snapshot s = resting(scene, 2);
  const auto d = static_cast<std::size_t>(dim);
  place(s, d, 0, first);
  place(s, d, 1, second);
  s.get(field::v).value[d] = 1.0;
  const auto solver = solver_of(scene, precision);
  solver->load(s);
  solver->advance(steady);
  const Snapshot after = solver->save(boundary::plasticity, false);

  const double weight = cubic ? t * t * t / 6.0 : t * t / 2.0;
  const double share =
      cubic ? t * t * t : 4.0 * t * t;  // of particle 0 in the node's mass, against particle 1's
  const double v = weight / (1.0 + share);
  const double reach = cubic ? 2.0 - t : 1.5 - t;  // from particle 0 to the node
  const double exact = precision == Precision::single_ ? 2e-6 : 4e-15;
  BOOST_TEST(after.get(field::v).value[0] == v, boost::test_tools::tolerance(exact));
  BOOST_TEST(after.get(field::C).value[0] == (cubic ? 3.0 : 4.0) * reach / h * v,
             boost::test_tools::tolerance(exact));
}

/// Costs follow the occupied blocks: 4096³ cells hold 7·10¹⁰ nodes, which no dense grid could.
BOOST_AUTO_TEST_CASE(a_huge_sparse_domain_runs) {
  Scene scene = empty_scene(3, Kernel::cubic, Transfer::apic, 4096);
  Snapshot s = resting(scene, 100000);
  std::mt19937_64 random(9);
  for (std::size_t p = 0; p < 100000; ++p) {
    // Eight clouds at the corners of the domain.
    const Point corner(p % 2 == 0 ? 2 : 240, p % 4 < 2 ? 2 : 240, p % 8 < 4 ? 2 : 240);
    Point x;
    for (int a = 0; a < 3; ++a) x[a] = corner[a] + draw(random, 0.0, 1.0);
    place(s, 3, p, x);
  }
  const auto solver = solver_of(scene, Precision::single_, 2);
  solver->load(s);
  for (int k = 0; k < 3; ++k) solver->advance(steady);
  const auto storage = solver->storage();
  BOOST_TEST(storage.particle_bytes <= 200U * 100000U);
  BOOST_TEST(storage.grid_bytes < 100U << 20);
}

/// 1000 steps of a column that settles under its own weight, E = 3.5·10⁷ Pa: strains of 10⁻⁴, of which float keeps
/// what ε keeps. Float against double, of the same positions.
BOOST_AUTO_TEST_CASE(float_keeps_the_digits_of_small_strains) {
  Scene scene = empty_scene(2, Kernel::quadratic, Transfer::apic, 16);
  scene.materials.resize(1);
  scene.materials[0].youngs_modulus = 3.5e7;
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{Point(0, 0.25, 0), Point(0, 1, 0)};
  scene.colliders.push_back(floor);
  for (const double side : {0.375, 0.625}) {
    Collider wall;
    wall.name = "wall";
    wall.shape = HalfSpace{Point(side, 0, 0), Point(side < 0.5 ? 1 : -1, 0, 0)};
    scene.colliders.push_back(wall);
  }
  const int nx = 8, ny = 12;
  Snapshot s = resting(scene, nx * ny);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      place(s, 2, static_cast<std::size_t>(i * ny + j),
            Point(0.375 + (i + 0.5) / 32.0, 0.25 + (j + 0.5) / 32.0, 0));
  for (auto& v : s.get(field::volume).value) v = 1.0 / 1024;
  for (auto& m : s.get(field::mass).value) m = 2200.0 / 1024;
  const auto single = solver_of(scene, Precision::single_);
  const auto twice = solver_of(scene, Precision::double_);
  single->load(s);
  twice->load(s);
  const auto dt = [](double) { return 2e-4; };
  for (int k = 0; k < 1000; ++k) {
    single->advance(dt);
    twice->advance(dt);
  }
  const Snapshot a = single->save(boundary::plasticity, false);
  const Snapshot b = twice->save(boundary::plasticity, false);
  double strain = 0.0, strain_error = 0.0, place_error = 0.0;
  for (std::size_t k = 0; k < a.get(field::F).value.size(); ++k) {
    const double one = k % 4 == 0 || k % 4 == 3 ? 1.0 : 0.0;
    strain = std::max(strain, std::abs(b.get(field::F).value[k] - one));
    strain_error = std::max(strain_error, std::abs(a.get(field::F).value[k] - b.get(field::F).value[k]));
  }
  for (std::size_t k = 0; k < a.get(field::x).value.size(); ++k)
    place_error = std::max(place_error, std::abs(a.get(field::x).value[k] - b.get(field::x).value[k]));
  BOOST_TEST_MESSAGE("largest strain " << strain << ", float differs by " << strain_error << "; positions by "
                                       << place_error / scene.grid.h << " h");
  BOOST_TEST(strain > 5e-5);  // ρ g H/E = 2200 · 9.81 · 0.375/3.5·10⁷ = 2.3·10⁻⁴
  // With F or b itself in float each step would round by 6·10⁻⁸: a thousandth of the strain per step, random over 1000
  // steps. Kept as ε a step rounds by 6·10⁻⁸ of the strain.
  BOOST_TEST(strain_error < 0.02 * strain);
  BOOST_TEST(place_error < 1e-3 * scene.grid.h);
}

}  // namespace repose::optimized_tests
