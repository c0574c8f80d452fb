// Semi-implicit steps of the fast solver, and implicit ones with the unilateral energy.
#include "optimized/implicit/kernels.h"
#include "optimized/implicit/minres.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/optimized/states.h"

#include <Eigen/Dense>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace data = boost::unit_test::data;

namespace repose::optimized_tests {

using namespace repose::optimized;

namespace {

constexpr double dt = 2e-3;

Eigen::Map<const Eigen::VectorXd> as_eigen(const NodeVector& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

/// Wet sand and rubber among bodies.
Scene solved_scene(int dim, Kernel kernel, Integrator integrator, Energy energy, int cells = 16) {
  Scene scene = empty_scene(dim, kernel, Transfer::apic, cells);
  add_bodies(scene);
  scene.materials[0] = wet_sand();
  scene.materials[0].volume_correction = energy == Energy::unilateral;
  MpmOptions& options = mpm_options(scene);
  options.integrator = integrator;
  options.energy = energy;
  options.implicit.newton_tolerance = 1e-3;
  options.implicit.newton_iterations = 60;
  options.implicit.gmres_iterations = 60;
  return scene;
}

struct Steps {
  Integrator integrator;
  Energy energy;
};
std::ostream& operator<<(std::ostream& out, const Steps& s) {
  return out << (s.integrator == Integrator::implicit_ ? "implicit " : "semi-implicit ")
             << (s.energy == Energy::hencky ? "hencky" : "unilateral");
}
const std::array<Steps, 3> steps{{{Integrator::semi_implicit, Energy::hencky},
                                  {Integrator::semi_implicit, Energy::unilateral},
                                  {Integrator::implicit_, Energy::unilateral}}};

Snapshot after(const Scene& scene, const Snapshot& start, Precision precision, int threads) {
  const auto solver = solver_of(scene, precision, threads);
  solver->load(start);
  for (int k = 0; k < 2; ++k) solver->advance([](double) { return dt; });
  return solver->save(boundary::plasticity, true);
}

/// A symmetric matrix with eigenvalues of both signs.
struct Indefinite {
  static constexpr Eigen::Index size = 1500;
  Eigen::VectorXd diagonal{size};
  Eigen::VectorXd across = Eigen::VectorXd::Constant(size - 1, 0.3);
  NodeVector b;

  Indefinite() {
    std::mt19937_64 random(3);
    for (Eigen::Index k = 0; k < size; ++k) {
      diagonal[k] = k % 3 == 0 ? -2.0 : 3.0;
      b.push_back(test::draw(random, -1.0, 1.0));
    }
  }
  void times(const NodeVector& v, NodeVector& out) const {
    out.resize(v.size());
    for (Eigen::Index k = 0; k < size; ++k) {
      double sum = diagonal[k] * v[static_cast<std::size_t>(k)];
      if (k > 0) sum += across[k - 1] * v[static_cast<std::size_t>(k - 1)];
      if (k + 1 < size) sum += across[k] * v[static_cast<std::size_t>(k + 1)];
      out[static_cast<std::size_t>(k)] = sum;
    }
  }
  LinearSolution solve(double tolerance, int most, int threads = 1, int* products = nullptr) const {
    const ImplicitKernels<2>& kernels = implicit_kernels<2>("");
    const NodeAlgebra algebra(size, Team(threads, true), kernels.dots, kernels.add);
    ImplicitOptions options;
    options.gmres_tolerance = tolerance;
    options.gmres_iterations = most;
    const auto product = [&](const NodeVector& v, NodeVector& out) {
      if (products != nullptr) ++*products;
      times(v, out);
    };
    return solve_by_minres(algebra, {.exact = product}, b, options);
  }
  double left(const NodeVector& x) const {
    NodeVector Ax;
    times(x, Ax);
    return (as_eigen(b) - as_eigen(Ax)).norm() / as_eigen(b).norm();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(minres_solves_indefinite_systems_to_what_it_says) {
  const Indefinite system;
  for (const double tolerance : {1e-3, 1e-8, 1e-13}) {
    const LinearSolution found = system.solve(tolerance, 400);
    BOOST_TEST(found.residual <= tolerance);
    BOOST_TEST(found.residual >= 1e-4 * tolerance);
    BOOST_TEST(std::abs(system.left(found.x) - found.residual) <= 1e-14);
    BOOST_TEST(found.iterations < 200);
  }
  const LinearSolution none = [] {
    Indefinite empty;
    std::fill(empty.b.begin(), empty.b.end(), 0.0);
    return empty.solve(1e-3, 5);
  }();
  BOOST_TEST((none.iterations == 0 && none.residual == 0.0));
}

/// What is left after k products is the least that a polynomial of that degree leaves: found once more by least squares over the
/// Krylov space.
BOOST_AUTO_TEST_CASE(minres_leaves_the_least_after_each_product) {
  const Indefinite system;
  Eigen::MatrixXd space(Indefinite::size, 12), image(Indefinite::size, 12);
  NodeVector v = system.b, next;
  double before = 1.0;
  for (int k = 0; k < 12; ++k) {
    // Perpendicular vectors, so that the columns stay independent.
    Eigen::VectorXd w = as_eigen(v);
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < k; ++j) w -= space.col(j).dot(w) * space.col(j);
    space.col(k) = w.normalized();
    v.assign(space.col(k).begin(), space.col(k).end());
    system.times(v, next);
    image.col(k) = as_eigen(next);
    v = next;
    const auto A = image.leftCols(k + 1);
    const Eigen::VectorXd y = A.colPivHouseholderQr().solve(as_eigen(system.b));
    const double least = (as_eigen(system.b) - A * y).norm() / as_eigen(system.b).norm();
    int products = 0;
    const LinearSolution found = system.solve(1e-13, k + 1, 1, &products);
    BOOST_TEST(found.iterations == k + 1);
    BOOST_TEST(products == k + 2);  // and the one that forms what is left
    BOOST_TEST(std::abs(found.residual - least) <= 1e-12);
    BOOST_TEST(found.residual <= before);
    before = found.residual;
  }
}

/// Rounding takes the right angles of Lanczos' vectors where eigenvalues are as far apart as this: the first pass ends above
/// the tolerance, and another adds what is missing to what it found.
BOOST_AUTO_TEST_CASE(minres_goes_on_from_what_a_pass_found) {
  constexpr Eigen::Index n = 60;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  Eigen::MatrixXd any(n, n);
  for (double& one : any.reshaped()) one = draw(random);
  const Eigen::MatrixXd turn = Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ();
  Eigen::VectorXd eigenvalues(n);
  for (Eigen::Index i = 0; i < n; ++i)
    eigenvalues[i] = (i % 3 == 0 ? -1.0 : 1.0) * std::pow(1e6, -static_cast<double>(i) / (n - 1));
  const Eigen::MatrixXd A = turn * eigenvalues.asDiagonal() * turn.transpose();
  const ImplicitKernels<2>& kernels = implicit_kernels<2>("");
  const NodeAlgebra algebra(n, Team(1, true), kernels.dots, kernels.add);
  ImplicitOptions options;
  options.gmres_iterations = 4000;
  for (const double tolerance : {1e-8, 1e-10}) {
    options.gmres_tolerance = tolerance;
    int products = 0;
    const auto product = [&](const NodeVector& v, NodeVector& out) {
      ++products;
      const Eigen::VectorXd Av = 0.5 * (A * as_eigen(v) + A.transpose() * as_eigen(v));
      out.assign(Av.begin(), Av.end());
    };
    const LinearSolution found = solve_by_minres(algebra, {.exact = product}, NodeVector(n, 1.0), options);
    BOOST_TEST(products - found.iterations >= 2);  // premise: each pass forms what is left
    BOOST_TEST((found.residual <= tolerance && found.residual > 0.01 * tolerance), found.residual);
  }
}

BOOST_AUTO_TEST_CASE(minres_gives_the_same_bits_for_any_number_of_threads) {
  const Indefinite system;
  const LinearSolution one = system.solve(1e-9, 400);
  for (const int threads : {2, 3, 8}) BOOST_TEST((system.solve(1e-9, 400, threads).x == one.x));
}

BOOST_DATA_TEST_CASE(solved_steps_of_each_energy_give_the_same_bits_for_any_number_of_threads,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) * data::make(steps) *
                         data::make({Precision::single_, Precision::double_}),
                     dim, kernel, by, precision) {
  const Scene scene = solved_scene(dim, kernel, by.integrator, by.energy);
  const Snapshot start = random_state(scene, dim == 3 ? 1500 : 500, 0.3, 0.6, 11, 0.5, 0.005);
  require_equal(after(scene, start, precision, 1), after(scene, start, precision, 3));
}

/// Loops so long that each is shared.
BOOST_AUTO_TEST_CASE(large_semi_implicit_steps_give_the_same_bits_for_any_number_of_threads) {
  Scene scene = solved_scene(2, Kernel::cubic, Integrator::semi_implicit, Energy::unilateral, 160);
  mpm_options(scene).implicit.newton_tolerance = 1e-2;
  const Snapshot start = random_state(scene, 12000, 0.2, 0.8, 11, 0.5, 0.005);
  const Snapshot one = after(scene, start, Precision::double_, 1);
  for (const int threads : {2, 4, 8}) require_equal(one, after(scene, start, Precision::double_, threads));
}

/// At velocities given to both solvers, in all regions, with v_c, cohesion and rubber: strains of some 10⁻², falls over 5·10⁻³.
BOOST_DATA_TEST_CASE(impulses_and_their_change_are_those_of_the_readable_solver,
                     data::make({2, 3}) * data::make({Kernel::quadratic, Kernel::cubic}) * data::make(steps),
                     dim, kernel, by) {
  const Scene scene = solved_scene(dim, kernel, by.integrator, by.energy);
  const Snapshot start = random_state(scene, 400, 0.3, 0.6, 5, 0.5, 0.004);
  const auto fast = solver_of(scene, Precision::double_, 1);
  const auto readable = make_reference_solver(scene);
  for (Solver* solver : {fast.get(), readable.get()}) {
    solver->load(start);
    solver->run(boundary::step_start, boundary::p2g, dt);
  }
  const std::size_t count =
      readable->save(boundary::p2g, false).count(Place::node) * static_cast<std::size_t>(dim);
  std::vector<double> v(count), dv(count), other(count);
  for (std::size_t k = 0; k < count; ++k) {
    v[k] = 0.1 * std::sin(static_cast<double>(k));
    dv[k] = std::cos(static_cast<double>(3 * k));
    other[k] = std::sin(static_cast<double>(5 * k));
  }
  const auto apart = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0, off = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k]));
      off = std::max(off, std::abs(a[k] - b[k]));
    }
    BOOST_TEST(largest > 0.0);
    return off / largest;
  };
  const auto change = impulse_change(*fast, dim, v, dv, dt);
  BOOST_TEST(apart(impulses_at(*readable, dim, v, dt).impulse, impulses_at(*fast, dim, v, dt).impulse) <=
             1e-11);
  BOOST_TEST(apart(impulse_change(*readable, dim, v, dv, dt), change) <= 1e-10);

  const auto change_of_other = impulse_change(*fast, dim, v, other, dt);
  double one = 0.0, two = 0.0, size = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    one += other[k] * change[k];
    two += dv[k] * change_of_other[k];
    size += std::abs(other[k] * change[k]);
  }
  if (by.integrator == Integrator::semi_implicit)
    BOOST_TEST(std::abs(one - two) <= 1e-12 * size);
  else
    BOOST_TEST(std::abs(one - two) > 1e-9 * size);
}

}  // namespace repose::optimized_tests
