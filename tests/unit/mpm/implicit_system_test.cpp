#include "reference/mpm/implicit_system.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/forces.h"
#include "reference/mpm/implicit_gmres.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/physics/hardening.h"
#include "tests/unit/mpm/scenes.h"

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

#include <map>

namespace repose {
namespace {

/// A cloud of deformed sand and rubber on its grid, part of it corrected for volume.
template <int d>
State<d> deformed_cloud(Scene& scene, double mean_strain) {
  scene.gravity = {0.3, -9.81, 0};
  scene.materials = {test::sand(), test::rubber(), test::sand(40.0)};
  scene.materials[2].volume_correction = true;
  State<d> state(scene.grid);
  state.particles = test::cloud<d>(scene, 40, 3);
  std::mt19937_64 random(5);
  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    p.material = static_cast<int>(n % 3);
    p.F = (1.0 + mean_strain) * Mat<d>::Identity() + test::draw_matrix<d>(random, -0.05, 0.05);
    if (p.material == 2) p.v_c = 0.04;
  }
  StepReport report;
  transfer_to_grid<d>(state, StepContext{scene, 0.0, 0.0}, report);
  return state;
}

Eigen::VectorXd random_velocity(Eigen::Index size, double speed, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Eigen::VectorXd v(size);
  for (Eigen::Index i = 0; i < size; ++i) v[i] = test::draw(random, -speed, speed);
  return v;
}

/// At v = 0 the returned stress of a state already inside its cone is the explicit stress.
template <int d>
void compare_with_explicit(Kernel kernel) {
  Scene scene = test::empty_box(d, kernel);
  State<d> state = deformed_cloud<d>(scene, -0.1);
  for (Particle<d>& p : state.particles) p.material = 1;
  const StepContext step{scene, 0.0, 1e-3};
  ImplicitSystem<d> system(state, step);
  BOOST_REQUIRE(!system.move_to(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(d * system.nodes()))));
  StepReport report;
  apply_forces<d>(state, step, report);

  // Σ V⁰ (2μ + dλ) ‖∇w‖ + m ‖g‖ and what is subtracted below.
  std::map<std::int64_t, double> by_node;
  const Lame moduli = lame(scene.materials[1]);
  for (const Particle<d>& p : state.particles)
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, kernel, p.x)) {
      by_node[i.id] += p.V0 * (2.0 * moduli.mu + d * moduli.lambda) * i.grad_w.norm();
    }
  std::vector<double> stiffness;
  for (const Node<d>& node : state.nodes) {
    stiffness.push_back(by_node[node.id] + node.m * scene.gravity.norm() + node.p.norm() / step.dt);
  }
  Eigen::Index at = 0;
  for (const Node<d>& node : state.nodes) {
    // The stress is known to some roundings of the modulus, not of itself.
    const double stiff = step.dt * stiffness[static_cast<std::size_t>(at / d)];
    BOOST_TEST((system.impulse().template segment<d>(at) - (node.p_star - node.p)).norm() <=
               50.0 * test::u * stiff);
    at += d;
  }
}

/// Central differences of R; the samples reach every case of the return.
template <int d>
void compare_with_differences(double mean_strain, std::map<Part, int>& seen) {
  Scene scene = test::empty_box(d);
  const State<d> state = deformed_cloud<d>(scene, mean_strain);
  ImplicitSystem<d> system(state, StepContext{scene, 0.0, 2e-3});
  const auto size = static_cast<Eigen::Index>(d * system.nodes());
  const Eigen::VectorXd v = random_velocity(size, 1.0, 11);
  const Eigen::VectorXd dv = random_velocity(size, 1.0, 12);
  BOOST_REQUIRE(!system.move_to(v));
  const Eigen::VectorXd product = system.derivative_along(dv);
  for (const Particle<d>& p : state.particles) {
    // Premise only: the case at rest, before the step.
    const Material& material = scene.materials[static_cast<std::size_t>(p.material)];
    ++seen[returned_stress<d>(p.F, material, friction_to_slope(material.friction.h0), p.v_c).part];
  }

  constexpr double step = 1e-6;
  BOOST_REQUIRE(!system.move_to(v + step * dv));
  const Eigen::VectorXd ahead = system.residual();
  BOOST_REQUIRE(!system.move_to(v - step * dv));
  const Eigen::VectorXd difference = (ahead - system.residual()) / (2.0 * step);
  // Truncation step² and rounding u/step, both below 10⁻⁹ of the largest term; no particle changes its case
  // on the way.
  BOOST_TEST((product - difference).cwiseAbs().maxCoeff() <= 1e-7 * product.cwiseAbs().maxCoeff());
}

BOOST_AUTO_TEST_SUITE(implicit_system_test)

BOOST_AUTO_TEST_CASE(force_at_rest_is_the_explicit_force) {
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
    compare_with_explicit<2>(kernel);
    compare_with_explicit<3>(kernel);
  }
}

BOOST_AUTO_TEST_CASE(derivative_is_that_of_the_residual_in_every_case) {
  std::map<Part, int> seen;
  for (const double mean_strain : {-0.1, -0.02, 0.03}) {
    compare_with_differences<2>(mean_strain, seen);
    compare_with_differences<3>(mean_strain, seen);
  }
  for (const Part part : {Part::elastic, Part::inside, Part::tip, Part::surface}) BOOST_TEST(seen[part] >= 5);
}

BOOST_AUTO_TEST_CASE(velocities_that_invert_a_particle_are_told) {
  Scene scene = test::empty_box(2);
  State<2> state(scene.grid);
  state.particles = {test::particle_at<2>({0.6, 0.6})};
  StepReport report;
  transfer_to_grid<2>(state, StepContext{scene, 0.0, 0.1}, report);
  ImplicitSystem<2> system(state, StepContext{scene, 0.0, 0.1});
  Eigen::VectorXd v(static_cast<Eigen::Index>(2 * system.nodes()));
  Eigen::Index at = 0;
  for (const Node<2>& node : state.nodes) {
    v.segment<2>(at) =
        -11.0 * (in_plane<2>(scene.grid.node_position(node.id)) - state.particles[0].x).x() * Vec<2>::UnitX();
    at += 2;
  }
  // ∂v_x/∂x = −11 /s over 0.1 s: the stretch is −0.1; with nine tenths of it, 0.01.
  BOOST_TEST(system.move_to(v).value() == 0U);
  BOOST_TEST(!system.move_to(0.9 * v).has_value());
}

BOOST_AUTO_TEST_CASE(gmres_solves_unsymmetric_systems_and_keeps_its_limits) {
  constexpr Eigen::Index n = 40;
  std::mt19937_64 random(1);
  Eigen::MatrixXd A = 3.0 * Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) A(i, j) += test::draw(random, -0.3, 0.3);
  const Eigen::VectorXd b = random_velocity(n, 1.0, 2);
  int products = 0;
  const auto product = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    ++products;
    return A * x;
  };
  for (const int restart : {5, 15, 100}) {
    const KrylovResult found = gmres(product, b, n, restart, 500, 1e-12);
    BOOST_TEST((b - A * found.x).norm() <= 2e-12 * b.norm());
    BOOST_TEST(found.residual <= 1e-12);
  }
  // Without restart the space is full after n vectors.
  BOOST_TEST(gmres(product, b, n, 100, 500, 1e-12).iterations <= n);

  products = 0;
  const KrylovResult cut = gmres(product, b, n, 4, 7, 1e-12);
  BOOST_TEST(cut.iterations == 7);
  BOOST_TEST(products == 9);  // one for the residual after each cycle
  BOOST_TEST(cut.residual < 1.0);
  BOOST_TEST(std::abs((b - A * cut.x).norm() / b.norm() - cut.residual) <= 1e-12);

  BOOST_TEST(gmres(product, Eigen::VectorXd::Zero(n), n, 5, 5, 1e-3).x.norm() == 0.0);
  // A multiple of 1: exact after one vector.
  const KrylovResult one =
      gmres([](const Eigen::VectorXd& x) -> Eigen::VectorXd { return 2.0 * x; }, b, n, 5, 50, 1e-15);
  BOOST_TEST(one.iterations == 1);
  BOOST_TEST((one.x - 0.5 * b).norm() <= 1e-15 * b.norm());
}

/// As held nodes do: A acts in a part of the space alone, and products round in all of it. Once the part is used up,
/// a cycle of many more vectors would go on with rounding, and its own count of what is left would fall to nothing.
BOOST_AUTO_TEST_CASE(gmres_tells_what_its_solution_leaves_however_long_the_cycle) {
  constexpr Eigen::Index n = 60;
  constexpr Eigen::Index part = 20;
  std::mt19937_64 random(3);
  Eigen::MatrixXd columns(n, part), B(n, n);
  for (double& entry : columns.reshaped()) entry = test::draw(random, -1.0, 1.0);
  for (double& entry : B.reshaped()) entry = test::draw(random, -1.0, 1.0);
  const Eigen::MatrixXd Q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(columns).householderQ() * Eigen::MatrixXd::Identity(n, part);
  // Stretches over six powers of ten, so that large numbers cancel.
  Eigen::VectorXd stretch(part);
  for (Eigen::Index k = 0; k < part; ++k)
    stretch[k] = std::pow(10.0, 6.0 * static_cast<double>(k) / static_cast<double>(part - 1));
  const Eigen::MatrixXd turned =
      stretch.asDiagonal() * (Eigen::MatrixXd::Identity(part, part) + 0.01 * B.topLeftCorner(part, part));
  const auto product = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    return Q * (turned * (Q.transpose() * x));
  };
  const Eigen::VectorXd b = Q * random_velocity(part, 1.0, 4);
  for (const double tolerance : {1e-3, 1e-8, 1e-12, 1e-18}) {
    const KrylovResult found = gmres(product, b, part, 300, 300, tolerance);
    const double left = (b - product(found.x)).norm() / b.norm();
    BOOST_TEST_MESSAGE("tolerance " << tolerance << ": " << found.iterations << " iterations, " << left);
    BOOST_TEST(std::abs(left - found.residual) <= 1e-3 * left);
    if (tolerance >= 1e-8) BOOST_TEST(left <= tolerance);
    BOOST_TEST(left <= std::max(tolerance, 1e-9));  // 10⁶ ε, ten times
  }

  // What has no solution is left as it is.
  const KrylovResult none =
      gmres([&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return 0.0 * x; }, b, part, 5, 50, 1e-3);
  BOOST_TEST(none.x.norm() == 0.0);
  BOOST_TEST(none.residual == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
