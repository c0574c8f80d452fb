// Water in steps that solve for their velocities: the pressure of J (1 + Δt tr ∇v), and nothing else of its deformation.
#include "reference/mpm/implicit_solve.h"
#include "reference/mpm/implicit_system.h"
#include "reference/physics/water.h"
#include "tests/unit/mpm/balance_checks.h"
#include "tests/unit/mpm/implicit_scenes.h"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

Scene solved_pool(int dim, Integrator integrator, Kernel kernel = Kernel::quadratic) {
  Scene scene = pool(dim, kernel);
  scene.gravity = {0.3, -9.81, 0};
  mpm_options(scene).integrator = integrator;
  mpm_options(scene).implicit = {
      .newton_tolerance = 1e-11, .gmres_restart = 300, .gmres_iterations = 300, .gmres_tolerance = 1e-6};
  return scene;
}

template <int d>
State<d> wetted(const Scene& scene, double speed = 0.3) {
  State<d> state(scene.grid);
  state.particles = cloud<d>(scene, 40, 71, speed, 2.0);
  std::mt19937_64 random(72);
  for (Particle<d>& p : state.particles) p.J = draw(random, 0.8, 1.1);
  StepReport report;
  transfer_to_grid<d>(state, {scene, 0.0, 0.0}, report);
  return state;
}

BOOST_AUTO_TEST_SUITE(water_solved)

/// Of semi-implicit and of implicit steps alike: water does not yield. Differences by Richardson's rule.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_water_balances_is_the_slope_of_the_energy_of_J, D, Dims) {
  constexpr int d = D::d;
  for (const Integrator integrator : {Integrator::semi_implicit, Integrator::implicit_}) {
    const Scene scene = solved_pool(d, integrator, d == 2 ? Kernel::cubic : Kernel::quadratic);
    const State<d> state = wetted<d>(scene);
    ImplicitSystem<d> system(state, {scene, 0.0, 5e-3});
    const Eigen::VectorXd v = random_field<d>(system, 0.3, 11);
    const Eigen::VectorXd a = random_field<d>(system, 1.0, 12), b = random_field<d>(system, 1.0, 13);
    BOOST_REQUIRE(!system.move_to(v + 1e-4 * a));
    const Eigen::VectorXd ahead = system.residual();
    BOOST_REQUIRE(!system.move_to(v - 1e-4 * a));
    const Eigen::VectorXd difference = (ahead - system.residual()) / 2e-4;
    require_slope_of_energy(system, v, a, 1e-8);

    const Eigen::VectorXd Aa = system.derivative_along(a);
    BOOST_TEST((Aa - difference).cwiseAbs().maxCoeff() <= 1e-6 * Aa.cwiseAbs().maxCoeff());
    BOOST_TEST(std::abs(b.dot(Aa) - a.dot(system.derivative_along(b))) <= 1e-13 * b.norm() * Aa.norm());
    BOOST_TEST(a.dot(Aa) > 0.0);
  }
}

/// One drop in a linear field v = A x: its weights see A exactly. k 50, γ 3, Δt A = ((−.11, .3), (−.3, −.06)) and J = .9934: Ĵ by
/// the trace is .8245, by the determinant another [ERRATA T14].
BOOST_AUTO_TEST_CASE(the_pressure_is_that_of_the_trace_not_of_the_determinant) {
  Scene scene = solved_pool(2, Integrator::semi_implicit);
  scene.gravity = Point::Zero();
  scene.materials[0].water_stiffness = 50.0;
  State<2> state(scene.grid);
  state.particles = {particle_at<2>(Vec<2>(0.63, 0.58), 2.0, 1e-3)};
  state.particles[0].J = 0.9934;
  StepReport report;
  transfer_to_grid<2>(state, {scene, 0.0, 0.0}, report);
  constexpr double dt = 1e-2;
  ImplicitSystem<2> system(state, {scene, 0.0, dt});
  Mat<2> A;
  A << -11.0, 30.0, -30.0, -6.0;
  Eigen::VectorXd v(static_cast<Eigen::Index>(2 * system.nodes()));
  Eigen::Index at = 0;
  for (const Node<2>& node : state.nodes) {
    v.segment<2>(at) = A * in_plane<2>(scene.grid.node_position(node.id));
    at += 2;
  }
  BOOST_REQUIRE(!system.move_to(v));
  const double by_trace = (1.0 + dt * A.trace()) * 0.9934;
  const double by_determinant = (Mat<2>::Identity() + dt * A).determinant() * 0.9934;
  BOOST_TEST(std::abs(by_trace - by_determinant) > 0.05);  // premise
  const double pressure = 50.0 * (std::pow(by_trace, -3.0) - 1.0);
  const Stencil<2> stencil(scene.grid, Kernel::quadratic, state.particles[0].x);
  at = 0;
  for (const Node<2>& node : state.nodes) {
    for (const StencilNode<2>& i : stencil)
      if (i.id == node.id) {
        const Vec<2> given = dt * 1e-3 * pressure * 0.9934 * i.grad_w;
        BOOST_TEST((system.impulse().segment<2>(at) - given).norm() <= 1e-12 * pressure * dt * 1e-3 / 0.1);
      }
    at += 2;
  }
}

/// MINRES or GMRES, the velocities are the same; and a step beyond the speed of sound needs a few iterations.
BOOST_AUTO_TEST_CASE_TEMPLATE(implicit_and_semi_implicit_steps_of_water_are_the_same, D, Dims) {
  constexpr int d = D::d;
  Eigen::VectorXd found[2];
  for (const int n : {0, 1}) {
    Scene scene = solved_pool(d, n == 0 ? Integrator::semi_implicit : Integrator::implicit_);
    scene.colliders = {
        {.name = "floor", .shape = HalfSpace{.point = {0, 0.5, 0}}, .contact = Contact::slipping}};
    const State<d> state = wetted<d>(scene);
    constexpr double dt = 0.02;
    BOOST_TEST(dt > 4.0 * elastic_dt(scene, 0.5));  // premise
    const ImplicitSolution solution = solve_implicit<d>(state, {scene, 0.0, dt});
    BOOST_TEST(solution.newton_iterations > 1U);
    BOOST_TEST(solution.newton_iterations < 20U);
    BOOST_TEST(solution.contacts > 0U);
    found[n] = solution.v_bar;
  }
  BOOST_TEST((found[0] - found[1]).cwiseAbs().maxCoeff() <= 1e-7 * found[0].cwiseAbs().maxCoeff());
}

/// Half of Δt leaves a quarter of the difference in one step.
BOOST_AUTO_TEST_CASE(short_steps_of_water_tend_to_explicit_ones_in_first_order) {
  double apart[2] = {};
  for (const int half : {0, 1}) {
    const double dt = half == 1 ? 1e-5 : 2e-5;
    std::vector<double> p_bar[2];
    for (const int n : {0, 1}) {
      const Scene scene = solved_pool(2, n == 0 ? Integrator::semi_implicit : Integrator::explicit_);
      const auto solver = make_reference_solver(scene);
      solver->load(start<2>(scene, wetted<2>(scene).particles));
      solver->run(boundary::step_start, boundary::collisions, dt);
      p_bar[n] = solver->save(boundary::collisions, false).get(field::p_bar).value;
    }
    for (std::size_t i = 0; i < p_bar[0].size(); ++i)
      apart[half] = std::max(apart[half], std::abs(p_bar[0][i] - p_bar[1][i]));
  }
  BOOST_TEST(apart[0] / apart[1] > 3.7);
  BOOST_TEST(apart[0] / apart[1] < 4.3);
}

/// A velocity that leaves a drop no volume is refused, with its particle.
BOOST_AUTO_TEST_CASE(a_velocity_that_takes_all_volume_is_none) {
  const Scene scene = solved_pool(2, Integrator::semi_implicit);
  const State<2> state = wetted<2>(scene);
  ImplicitSystem<2> system(state, {scene, 0.0, 1e-2});
  Eigen::VectorXd v(static_cast<Eigen::Index>(2 * system.nodes()));
  Eigen::Index at = 0;
  for (const Node<2>& node : state.nodes) {
    v.segment<2>(at) = -60.0 * in_plane<2>(scene.grid.node_position(node.id));  // 1 + Δt tr ∇v = −0.2
    at += 2;
  }
  const auto inverted = system.move_to(v);
  BOOST_TEST_REQUIRE(inverted.has_value());
  BOOST_TEST(*inverted == 0U);
  BOOST_TEST(!system.move_to(0.5 * v).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
