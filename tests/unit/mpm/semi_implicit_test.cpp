// Steps whose return to the cone waits for their end, and the energy that they minimize.
#include "reference/mpm/implicit_system.h"

#include "reference/mpm/implicit_contacts.h"
#include "reference/mpm/implicit_minres.h"
#include "reference/mpm/implicit_solve.h"
#include "reference/physics/hencky.h"
#include "reference/physics/unilateral.h"
#include "tests/unit/mpm/balance_checks.h"
#include "tests/unit/mpm/implicit_scenes.h"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <map>

namespace repose {
namespace {

using namespace test;

/// A cloud of deformed sand and rubber on its grid, a third of it corrected for volume, in the regions of the unilateral
/// energy.
template <int d>
State<d> strained_cloud(Scene& scene, Energy energy) {
  scene.gravity = {0.3, -9.81, 0};
  scene.materials = {unilateral_sand(), rubber(), unilateral_sand()};
  scene.materials[2].volume_correction = true;
  mpm_options(scene).integrator = Integrator::semi_implicit;
  mpm_options(scene).energy = energy;
  State<d> state(scene.grid);
  state.particles = cloud<d>(scene, 40, 3);
  std::mt19937_64 random(5);
  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    p.material = static_cast<int>(n % 3);
    p.F = std::exp(draw(random, -0.012, 0.004)) * Mat<d>::Identity();
    p.F += draw_matrix<d>(random, -0.01, 0.01);
    if (p.material == 2) p.v_c = 0.01;
  }
  StepReport report;
  transfer_to_grid<d>(state, StepContext{scene, 0.0, 0.0}, report);
  return state;
}

/// Where the shifted strains of sand lie before the step: A, B or C.
template <int d>
void count_regions(const State<d>& state, const Scene& scene, std::map<char, int>& met) {
  for (const Particle<d>& p : state.particles) {
    const Material& material = scene.materials[static_cast<std::size_t>(p.material)];
    if (material.kind != MaterialKind::sand) continue;
    const Vec<d> eps = hencky_strain<d>(decompose<d>(p.F)) + p.v_c / d * Vec<d>::Ones();
    const OfStrain<d> h = multiplier<d>(eps, *material.unilateral, 0.0);
    ++met[h.value == 1.0 ? 'A' : h.value == 0.0 ? 'C' : 'B'];
  }
}

constexpr std::array energies{Energy::hencky, Energy::unilateral};

BOOST_AUTO_TEST_SUITE(semi_implicit_test)

/// The energy's differences along a random way, by Richardson's rule. Sand in all regions, apart and not, and rubber.
BOOST_AUTO_TEST_CASE_TEMPLATE(what_a_node_balances_is_the_slope_of_one_energy, D, Dims) {
  constexpr int d = D::d;
  std::map<char, int> met;
  for (const Energy energy : energies) {
    Scene scene = empty_box(d);
    const State<d> state = strained_cloud<d>(scene, energy);
    count_regions<d>(state, scene, met);
    ImplicitSystem<d> system(state, StepContext{scene, 0.0, 1e-3});
    const Eigen::VectorXd v = random_field<d>(system, 0.3, 11);
    for (std::uint64_t seed = 20; seed < 25; ++seed) {
      const Eigen::VectorXd way = random_field<d>(system, 1.0, seed);
      // Strains move by 2·10⁻⁴ of a fall over 10⁻², whose fifth derivatives are some thousands.
      require_slope_of_energy(system, v, way, 1e-6);
    }
  }
  for (const char part : {'A', 'B', 'C'}) BOOST_TEST(met[part] >= 5);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_matrix_is_symmetric_and_that_of_implicit_steps_is_not, D, Dims) {
  constexpr int d = D::d;
  for (const Energy energy : energies) {
    Scene scene = empty_box(d);
    const State<d> state = strained_cloud<d>(scene, energy);
    const auto asymmetry = [&](Integrator integrator) {
      mpm_options(scene).integrator = integrator;
      ImplicitSystem<d> system(state, StepContext{scene, 0.0, 5e-3});
      BOOST_REQUIRE(!system.move_to(random_field<d>(system, 0.3, 11)));
      double largest = 0.0;
      for (std::uint64_t seed = 30; seed < 35; ++seed) {
        const Eigen::VectorXd a = random_field<d>(system, 1.0, seed);
        const Eigen::VectorXd b = random_field<d>(system, 1.0, seed + 100);
        const Eigen::VectorXd Aa = system.derivative_along(a);
        const double one = b.dot(Aa), other = a.dot(system.derivative_along(b));
        largest = std::max(largest, std::abs(one - other) / (b.norm() * Aa.norm()));
      }
      return largest;
    };
    BOOST_TEST(asymmetry(Integrator::semi_implicit) <= 1e-13);
    BOOST_TEST(asymmetry(Integrator::implicit_) > 1e-6);
  }
}

/// Of semi- and fully implicit steps with the unilateral energy.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_matrix_is_the_derivative_of_the_balance_in_every_region, D, Dims) {
  constexpr int d = D::d;
  std::map<char, int> met;
  for (const Integrator integrator : {Integrator::semi_implicit, Integrator::implicit_}) {
    Scene scene = empty_box(d);
    const State<d> state = strained_cloud<d>(scene, Energy::unilateral);
    mpm_options(scene).integrator = integrator;
    count_regions<d>(state, scene, met);
    ImplicitSystem<d> system(state, StepContext{scene, 0.0, 1e-3});
    const Eigen::VectorXd v = random_field<d>(system, 0.3, 11);
    const Eigen::VectorXd dv = random_field<d>(system, 1.0, 12);
    BOOST_REQUIRE(!system.move_to(v));
    const Eigen::VectorXd product = system.derivative_along(dv);
    constexpr double step = 1e-4;
    BOOST_REQUIRE(!system.move_to(v + step * dv));
    const Eigen::VectorXd ahead = system.residual();
    BOOST_REQUIRE(!system.move_to(v - step * dv));
    const Eigen::VectorXd difference = (ahead - system.residual()) / (2.0 * step);
    // Strains move by 10⁻⁶ of a fall over 10⁻².
    BOOST_TEST((product - difference).cwiseAbs().maxCoeff() <= 1e-6 * product.cwiseAbs().maxCoeff());
  }
  for (const char part : {'A', 'B', 'C'}) BOOST_TEST(met[part] >= 5);
}

/// Bodies hold nodes where that keeps the energy from falling further, and the rest lies in its minimum: what no body holds
/// is balanced, separating bodies push only, and no way that they allow leads down.
BOOST_AUTO_TEST_CASE(the_solution_is_a_minimum_of_the_energy_among_what_bodies_allow) {
  for (const Contact contact : {Contact::separating, Contact::slipping, Contact::sticky})
    for (const Energy energy : energies) {
      Scene scene = with_floor(contact, unilateral_sand());
      mpm_options(scene).integrator = Integrator::semi_implicit;
      mpm_options(scene).energy = energy;
      const State<2> state = block(scene, {0.4, 0.35}, {0.2, -0.5}, 1.0);
      const StepContext step{scene, 0.0, 5e-3};
      const ImplicitSolution solution = solve_implicit<2>(state, step);
      BOOST_TEST(solution.contacts > 0U);

      ImplicitSystem<2> system(state, step);
      BOOST_REQUIRE(!system.move_to(solution.v_bar));
      const Eigen::VectorXd R = system.residual();
      const double least = system.energy().value, rounding = system.energy().rounding;
      Eigen::VectorXd allowed = Eigen::VectorXd::Ones(R.size());  // 0: held, 2: may rise only
      int pushed = 0;
      Eigen::Index at = 0;
      for (const Node<2>& node : state.nodes) {
        const double scale = 1e-10 * system.impulse_magnitude()[static_cast<std::size_t>(at / 2)] + 1e-13;
        const bool in_floor = scene.grid.node_position(node.id).y() < 0.35;
        if (in_floor) allowed[at + 1] = contact == Contact::separating ? 2.0 : 0.0;
        if (in_floor && contact == Contact::sticky) allowed[at] = 0.0;
        if (allowed[at] == 1.0) BOOST_TEST(std::abs(R[at]) <= scale);
        if (allowed[at + 1] == 1.0) BOOST_TEST(std::abs(R[at + 1]) <= scale);
        if (allowed[at + 1] == 2.0) BOOST_TEST(R[at + 1] >= -scale);
        if (in_floor && R[at + 1] > 1e3 * scale) ++pushed;
        at += 2;
      }
      BOOST_TEST(pushed > 5);
      for (std::uint64_t seed = 1; seed < 40; ++seed) {
        Eigen::VectorXd way = random_field<2>(system, 1.0, seed);
        for (Eigen::Index i = 0; i < way.size(); ++i)
          way[i] = allowed[i] == 2.0 ? std::abs(way[i]) : allowed[i] * way[i];
        BOOST_REQUIRE(!system.move_to(solution.v_bar + 0.01 * way));
        BOOST_TEST(system.energy().value > least + rounding);
      }
    }
}

/// A grain whose strain lies where the unilateral energy softens, 5/6 < u/a < 20/21, and steps that are long enough for that
/// to outweigh its inertia: what MINRES finds leads uphill. Each iteration goes down all the same, and the solve ends.
BOOST_AUTO_TEST_CASE_TEMPLATE(each_iteration_lowers_the_energy_also_where_it_softens, D, Dims) {
  constexpr int d = D::d;
  int climbing = 0;
  for (const double x : {0.85, 0.9, 0.94})
    for (const double courant : {1.0, 10.0, 50.0}) {
      Scene scene = empty_box(d, Kernel::quadratic);
      scene.materials = {unilateral_sand()};
      Material& material = scene.materials[0];
      material.unilateral->c0 = 0.0;
      mpm_options(scene).integrator = Integrator::semi_implicit;
      mpm_options(scene).energy = Energy::unilateral;
      mpm_options(scene).implicit.newton_tolerance = 1e-8;
      State<d> state(scene.grid);
      state.particles = {particle_at<d>(Vec<d>::Constant(0.63), 2.2, 1e-3)};
      const double strain = x * material.unilateral->a / std::sqrt(static_cast<double>(d));
      state.particles[0].F = std::exp(strain) * Mat<d>::Identity();
      StepReport report;
      transfer_to_grid<d>(state, StepContext{scene, 0.0, 0.0}, report);
      const StepContext step{scene, 0.0, courant * scene.grid.h / wave_speed(material)};

      ImplicitSystem<d> system(state, step);
      BOOST_REQUIRE(!system.move_to(system.velocity_before()));
      const Eigen::VectorXd R = system.residual();
      const auto product = [&](const Eigen::VectorXd& v) { return system.derivative_along(v); };
      if (R.dot(minres(product, -R, 15, 1e-3).x) > 0.0) ++climbing;

      SolveHistory history;
      solve_implicit<d>(state, step, &history);
      BOOST_TEST(history.error <= 1e-8);
      BOOST_TEST(history.iterations.size() >= 2U);
      const auto energy_at = [&](const std::vector<double>& v) {
        BOOST_REQUIRE(!system.move_to(
            Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()))));
        return system.energy();
      };
      for (std::size_t k = 0; k < history.iterations.size(); ++k) {
        const auto before = energy_at(history.iterations[k].tested);
        const auto after =
            energy_at(k + 1 < history.iterations.size() ? history.iterations[k + 1].tested : history.v_bar);
        BOOST_TEST(after.value <= before.value + before.rounding + after.rounding);
        if (k == 0) BOOST_TEST(after.value < before.value - before.rounding);
      }
    }
  BOOST_TEST(climbing >= 4);  // premise
}

BOOST_AUTO_TEST_CASE(minres_solves_indefinite_systems_and_keeps_its_limits) {
  constexpr Eigen::Index n = 40;
  std::mt19937_64 random(1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) = i % 3 == 0 ? -2.0 : 3.0;
    for (Eigen::Index j = 0; j < i; ++j) A(i, j) = A(j, i) = draw(random, -0.2, 0.2);
  }
  Eigen::VectorXd b(n);
  for (double& one : b) one = draw(random, -1.0, 1.0);
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
  BOOST_TEST((eigenvalues.minCoeff() < -0.5 && eigenvalues.maxCoeff() > 0.5));  // premise
  int products = 0;
  const auto product = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    ++products;
    return A * x;
  };
  const KrylovResult whole = minres(product, b, 400, 1e-10);
  BOOST_TEST(whole.residual <= 2e-10);
  BOOST_TEST(std::abs((b - A * whole.x).norm() / b.norm() - whole.residual) <= 1e-14);
  BOOST_TEST(whole.iterations < 100);

  // As far as it comes: the residual falls from product to product.
  double before = 1.0;
  for (const int most : {1, 3, 9, 20}) {
    products = 0;
    const KrylovResult cut = minres(product, b, most, 1e-10);
    BOOST_TEST(cut.iterations == most);
    BOOST_TEST(products == most + 2);  // and those for the residuals of x = 0 and x
    BOOST_TEST(cut.residual < before);
    before = cut.residual;
  }
  BOOST_TEST(minres(product, Eigen::VectorXd::Zero(n), 5, 1e-3).x.norm() == 0.0);
  const KrylovResult one =
      minres([](const Eigen::VectorXd& x) -> Eigen::VectorXd { return -2.0 * x; }, b, 50, 1e-15);
  BOOST_TEST((one.x + 0.5 * b).norm() <= 1e-14 * b.norm());
  BOOST_TEST(one.iterations == 1);
  const KrylovResult none =
      minres([](const Eigen::VectorXd& x) -> Eigen::VectorXd { return 0.0 * x; }, b, 50, 1e-3);
  BOOST_TEST((none.x.norm() == 0.0 && none.residual == 1.0));
}

/// Rounding takes the right angles of Lanczos' vectors where eigenvalues are as far apart as this: the first pass ends above
/// the tolerance, and the next looks for what is missing and no more.
BOOST_AUTO_TEST_CASE(minres_starts_anew_for_what_is_missing_alone) {
  constexpr Eigen::Index n = 40;
  std::mt19937_64 random(3);
  Eigen::MatrixXd any(n, n);
  for (double& one : any.reshaped()) one = draw(random, -1.0, 1.0);
  const Eigen::MatrixXd turn = Eigen::HouseholderQR<Eigen::MatrixXd>(any).householderQ();
  Eigen::VectorXd eigenvalues(n);
  for (Eigen::Index i = 0; i < n; ++i)
    eigenvalues[i] = (i % 3 == 0 ? -1.0 : 1.0) * std::pow(1e6, -static_cast<double>(i) / (n - 1));
  const Eigen::MatrixXd A = turn * eigenvalues.asDiagonal() * turn.transpose();
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
  int products = 0;
  const auto product = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    ++products;
    return 0.5 * (A * x + A.transpose() * x);
  };
  for (const double tolerance : {1e-8, 1e-10}) {
    products = 0;
    const KrylovResult solved = minres(product, b, 2000, tolerance);
    BOOST_TEST(products - solved.iterations >= 4);  // premise: each pass forms two residuals
    BOOST_TEST((solved.residual <= tolerance && solved.residual > 0.01 * tolerance), solved.residual);
    // The limit is of all passes together: one product less than it takes, and the last pass ends before its goal.
    const int less = static_cast<int>(solved.iterations) - 1;
    const KrylovResult cut = minres(product, b, less, tolerance);
    BOOST_TEST((cut.iterations == less && cut.residual > tolerance), cut.iterations << " of " << less);
  }
}

/// What is solved is what is told: steps end in the return to the cone, as explicit ones do, and count as implicit ones.
BOOST_AUTO_TEST_CASE(steps_end_in_the_cone_and_are_counted) {
  Scene scene = falling_block(unilateral_sand(), Integrator::semi_implicit);
  mpm_options(scene).energy = Energy::unilateral;
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  const auto boundaries = solver->boundaries();
  const auto expected = method::boundaries(method::mpm, Integrator::semi_implicit);
  BOOST_TEST(std::equal(boundaries.begin(), boundaries.end(), expected.begin(), expected.end()));
  StepReport total;
  for (int n = 0; n < 10; ++n)
    method::add(method::mpm, total.counts, solver->advance([](double) { return 2e-3; }).counts);
  for (const auto what :
       {counter::newton_iterations, counter::gmres_iterations, counter::contacts, counter::surface})
    BOOST_TEST(total.counts[what] > 0U, "counter " << what);
  BOOST_TEST(total.counts[counter::gmres_iterations] > total.counts[counter::newton_iterations]);

  // Two iterations of four products each are too few for a long step.
  mpm_options(scene).implicit = {
      .newton_tolerance = 1e-3, .newton_iterations = 2, .gmres_iterations = 4, .step_cuts = 12};
  const auto hasty = make_reference_solver(scene);
  hasty->load(sample(scene));
  const StepReport cut = hasty->advance([](double) { return 0.05; });
  BOOST_TEST((cut.counts[counter::step_cuts] > 0U && cut.counts[counter::step_cuts] < 12U));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
