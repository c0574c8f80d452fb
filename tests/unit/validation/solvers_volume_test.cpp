// What volume correction takes and gives back over many cycles of opening and closing, with every solver.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/materials.h"
#include "reference/interface/scene/step_control.h"
#include "tests/unit/samples.h"
#include "validation/solvers.h"

#include <Eigen/LU>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;

constexpr double h = 0.08;  // m

/// A block of sand that fills a smooth room but for `gap` above it.
Scene filled_room(int dim, Kernel kernel, double gap) {
  Scene scene;
  scene.grid.dim = dim;
  scene.grid.h = h;
  scene.grid.cells = {10, 12, dim == 3 ? 8 : 1};
  scene.scheme = MpmOptions{.kernel = kernel, .elastic_bound = kernel == Kernel::cubic ? 0.6 : 0.5};
  scene.step = {.max_dt = 2e-3, .cfl = 0.5};
  scene.frame_rate = 4.0;
  scene.duration = 1.0;
  scene.gravity = Point(0.0, -9.81, 0.0);
  Material sand;
  sand.name = "sand";
  sand.density = 1600.0;
  sand.youngs_modulus = 1e5;
  sand.poisson_ratio = 0.3;
  sand.friction.h0 = 0.5;
  sand.volume_correction = true;
  scene.materials = {sand};
  const Box block{Point(2.5, 2.5, 2.5) * h, Point(dim == 3 ? 4.5 : 7.5, 5.5, 4.5) * h};
  Seed seed;
  seed.shape = block;
  seed.sampling = Sampling::regular;
  seed.particles_per_cell = dim == 2 ? 4.0 : 8.0;
  scene.seeds = {seed};
  const auto wall = [&](int axis, double place, double out) {
    HalfSpace plane{Point::Zero(), Point::Zero()};
    plane.point[axis] = place;
    plane.normal[axis] = out;
    Collider collider;
    collider.name = "wall";
    collider.shape = plane;
    scene.colliders.push_back(collider);
  };
  for (int axis = 0; axis < dim; ++axis) {
    wall(axis, block.min[axis], 1.0);
    wall(axis, block.max[axis] + (axis == 1 ? gap : 0.0), -1.0);
  }
  return scene;
}

/// What a run's particles hold, and what they have been through.
struct Book {
  std::size_t steps = 0;
  std::vector<double> taken;  ///< per particle: Σ ln det(1 + Δt ∇v)
  double most_open = 0.0;     ///< largest share of particles with v_c > 0.01 after any step
  double furthest = 0.0;      ///< max |tr ε + v_c − taken| at the end
};

double determinant(const std::vector<double>& value, std::size_t p, int dim, double scale, double diagonal) {
  Mat<3> A = Mat<3>::Identity();
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b)
      A(a, b) =
          (a == b ? diagonal : 0.0) +
          scale * value[static_cast<std::size_t>(dim * dim) * p + static_cast<std::size_t>(dim * a + b)];
  return A.determinant();
}

double open_share(const Snapshot& state) {
  const std::vector<double>& v_c = state.get(field::v_c).value;
  return static_cast<double>(std::count_if(v_c.begin(), v_c.end(), [](double c) { return c > 0.01; })) /
         static_cast<double>(v_c.size());
}

/// Runs `cycles` half cycles of `seconds` each; gravity points the other way in every second one.
Book shake(const std::string& solver_name, Scene scene, int cycles, double seconds) {
  Book book;
  Snapshot state = sample(scene);
  book.taken.assign(state.particles(), 0.0);
  for (int cycle = 0; cycle < cycles; ++cycle, scene.gravity = -scene.gravity) {
    const StepControl control(scene);
    const auto solver = make_solver(solver_name, scene);
    state.time = 0.0;
    state.step = 0;
    solver->load(state);
    while (solver->time() < seconds) {
      const std::vector<double>& v = state.get(field::v).value;
      double speed = 0.0;
      for (const double component : v) speed = std::max(speed, std::sqrt(scene.dim()) * std::abs(component));
      const double dt = control.next(solver->time(), speed, seconds).dt;
      solver->run(boundary::step_start, boundary::g2p, dt);
      const Snapshot moved = solver->save(boundary::g2p, false);
      for (std::size_t p = 0; p < book.taken.size(); ++p) {
        book.taken[p] += std::log(determinant(moved.get(field::grad_v).value, p, scene.dim(), dt, 1.0));
      }
      solver->run(boundary::g2p, boundary::plasticity, dt);
      state = solver->save(boundary::step_start, false);
      book.most_open = std::max(book.most_open, open_share(state));
      ++book.steps;
    }
  }
  for (std::size_t p = 0; p < book.taken.size(); ++p) {
    const double log_J = std::log(determinant(state.get(field::F).value, p, scene.dim(), 1.0, 0.0)) +
                         state.get(field::v_c).value[p];
    book.furthest = std::max(book.furthest, std::abs(log_J - book.taken[p]));
  }
  return book;
}

const auto solvers = data::make(solver_names());
const auto dimensions = data::make({2, 3});
const auto kernels = data::make({Kernel::quadratic, Kernel::cubic});

}  // namespace
}  // namespace repose::test

namespace repose {
static std::ostream& operator<<(std::ostream& out, Kernel kernel) {
  return out << (kernel == Kernel::cubic ? "cubic" : "quadratic");
}
}  // namespace repose

namespace repose::test {

BOOST_AUTO_TEST_SUITE(solvers_volume)

/// Sand that is thrown from the floor to the lid and back opens by far more than a kernel reaches and tumbles. Whatever is
/// left of that is what the grid's gradient told each particle: strain and v_c lose and gain nothing by themselves.
BOOST_DATA_TEST_CASE(strain_and_correction_keep_what_the_gradient_gave_over_many_cycles,
                     solvers* dimensions* kernels, name, dim, kernel) {
  const Book book = shake(name, filled_room(dim, kernel, 2.5 * h), 4, 0.25);
  BOOST_TEST(book.most_open > 0.2);
  BOOST_TEST(book.steps > 300);
  // Per step some thirty roundings of numbers near 1: the determinant, F̂ = (1 + Δt ∇v) F, its singular values, their
  // logarithms and exponentials. Their signs vary, but the bound does not count on it.
  BOOST_TEST(book.furthest < 30 * u * static_cast<double>(book.steps));
}

/// A cloud whose velocities are those of a uniform expansion and of its inverse: the grid sees both exactly, so that a
/// hundred cycles leave nothing behind. Stiffness is next to nothing, lest stress bends the field.
BOOST_DATA_TEST_CASE(a_uniform_expansion_and_its_inverse_leave_no_volume_behind_over_a_hundred_cycles,
                     solvers* dimensions* kernels, name, dim, kernel) {
  Scene scene = filled_room(dim, kernel, 0.0);
  scene.colliders.clear();
  scene.gravity = Point::Zero();
  scene.materials[0].youngs_modulus = 1e-12;
  const auto solver = make_solver(name, scene);
  Snapshot state = sample(scene);
  const Point fixed = centre(scene.seeds[0].shape);
  constexpr double dt = 1e-3;
  constexpr double open = 20.0;  // 1/s
  constexpr int steps = 4;       // of either half of a cycle
  const double shut = -open / (1.0 + dt * open);
  const auto step_at = [&](double rate) {
    const auto axes = static_cast<std::size_t>(dim);
    std::vector<double>& v = state.get(field::v).value;
    std::vector<double>& C = state.get(field::C).value;
    const std::vector<double>& x = state.get(field::x).value;
    for (std::size_t n = 0; n < v.size(); ++n) v[n] = rate * (x[n] - fixed[static_cast<int>(n % axes)]);
    for (std::size_t n = 0; n < C.size(); ++n) C[n] = n % (axes * axes) % (axes + 1) == 0 ? rate : 0.0;
    solver->load(state);
    solver->run(boundary::step_start, boundary::plasticity, dt);
    state = solver->save(boundary::step_start, false);
  };
  const auto ends_at = [&](double v_c, double bound) {
    for (std::size_t p = 0; p < state.particles(); ++p) {
      BOOST_REQUIRE(std::abs(state.get(field::v_c).value[p] - v_c) < bound);
      BOOST_REQUIRE(std::abs(std::log(determinant(state.get(field::F).value, p, dim, 1.0, 0.0))) < bound);
    }
  };
  for (int cycle = 0; cycle < 100; ++cycle) {
    // Some thirty roundings a step, and what a place is rounded by, relative to the distance of two nodes.
    const double bound = 100 * u * 2 * steps * (cycle + 1);
    for (int n = 0; n < steps; ++n) step_at(open);
    ends_at(dim * steps * std::log1p(dt * open), bound);
    for (int n = 0; n < steps; ++n) step_at(shut);
    ends_at(0.0, bound);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::test
