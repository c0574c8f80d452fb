#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mpm/solve_nodes.h"

#include <Eigen/Dense>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;
using namespace repose::crosscheck;

const auto solvers = data::make({"reference", "optimized"});
const auto scenes = data::make({"implicit_mixed_states", "implicit_hardening", "implicit_corner",
                                "implicit_squeeze", "implicit_between_bodies"});

/// T of all nodes at the velocities of an iteration, as a matrix.
Eigen::MatrixXd projection(const FirstSolve& solve, const NewtonIteration& one, const Arithmetic& exact) {
  const SolveNodes nodes(solve.c.scene, exact, solve.state, solve.c.dt);
  const Eigen::Index size = static_cast<Eigen::Index>(one.closed.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(size, size);
  const Eigen::Index d = solve.c.setup.dim;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Point v = Point::Zero();
    for (Eigen::Index a = 0; a < d; ++a)
      v[a] = one.closed[n * static_cast<std::size_t>(d) + static_cast<std::size_t>(a)];
    const auto held = SolveNodes::held(nodes.gaps(n, v), one.holds[n]);
    for (Eigen::Index a = 0; a < d; ++a) {
      const Point column =
          one.holds[n].prescribed ? Point(Point::Zero()) : SolveNodes::free_part(held, Point::Unit(a));
      for (Eigen::Index b = 0; b < d; ++b)
        T(static_cast<Eigen::Index>(n) * d + b, static_cast<Eigen::Index>(n) * d + a) = column[b];
    }
  }
  return T;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solvers_newton)

/// Each residual of a solve, made the tolerance: with a little more than it the solve stops there, with a little less it
/// goes on. So the measure that is stated is the one that is tested, and it is tested before each iteration. Residuals
/// depend on the tolerance by rounding/tolerance alone, far below a thousandth where they are above 10⁻⁶.
BOOST_DATA_TEST_CASE(a_solve_stops_at_the_first_residual_within_the_tolerance, solvers* scenes, solver,
                     scene) {
  FirstSolve solve(solver, scene, plain_setup());
  std::vector<double> errors;
  for (const NewtonIteration& one : solve.history.iterations) errors.push_back(one.error);
  errors.push_back(solve.history.error);
  std::size_t asked = 0;
  for (std::size_t k = 1; k < errors.size(); ++k) {
    bool lowest = errors[k] > 1e-6;
    for (std::size_t before = 0; before < k; ++before) lowest = lowest && errors[before] > 1.01 * errors[k];
    if (!lowest) continue;
    ++asked;
    mpm_options(solve.c.scene).implicit.newton_tolerance = 1.001 * errors[k];
    solve.again(solver);
    BOOST_TEST(solve.history.iterations.size() == k);
    mpm_options(solve.c.scene).implicit.newton_tolerance = 0.999 * errors[k];
    solve.again(solver);
    BOOST_TEST(solve.history.iterations.size() > k);
  }
  BOOST_TEST(asked >= 2U);
}

BOOST_DATA_TEST_CASE(a_solve_takes_the_iterations_that_it_may_and_no_more, solvers* scenes, solver, scene) {
  FirstSolve solve(solver, scene, plain_setup());
  const auto needed = static_cast<int>(solve.history.iterations.size());
  BOOST_TEST_REQUIRE(needed >= 2);
  mpm_options(solve.c.scene).implicit.newton_iterations = needed;
  solve.again(solver);
  BOOST_TEST(solve.history.iterations.size() == static_cast<std::size_t>(needed));
  mpm_options(solve.c.scene).implicit.newton_iterations = needed - 1;
  BOOST_CHECK_THROW(solve.again(solver), SimulationError);
}

/// Of one linear system: as many products as are needed, never more than may be, in cycles of any length.
BOOST_DATA_TEST_CASE(gmres_stops_at_its_tolerance_and_at_its_limit, solvers* scenes, solver, scene) {
  FirstSolve solve(solver, scene, plain_setup());
  ImplicitOptions& options = mpm_options(solve.c.scene).implicit;
  const double tolerance = options.gmres_tolerance;
  options.gmres_restart = 500;
  options.gmres_iterations = 500;
  solve.again(solver);
  const NewtonIteration first = solve.history.iterations.front();
  BOOST_TEST_REQUIRE(first.gmres_iterations >= 4);
  BOOST_TEST(first.linear_residual <= tolerance);
  // One product less does not do, and what the last one leaves lies just below the tolerance that it reaches.
  options.gmres_iterations = first.gmres_iterations - 1;
  options.newton_iterations = 200;
  solve.again(solver);
  const NewtonIteration shorter = solve.history.iterations.front();
  BOOST_TEST(shorter.gmres_iterations == first.gmres_iterations - 1);
  BOOST_TEST(shorter.linear_residual > tolerance);
  BOOST_TEST(shorter.linear_residual >= first.linear_residual);
  options.gmres_iterations = 500;
  options.gmres_tolerance = 1.001 * shorter.linear_residual;
  solve.again(solver);
  BOOST_TEST(solve.history.iterations.front().gmres_iterations == first.gmres_iterations - 1);
  // Cycles too short for the system take no fewer.
  options.gmres_tolerance = tolerance;
  options.gmres_restart = 2;
  solve.again(solver);
  BOOST_TEST(solve.history.iterations.front().gmres_iterations >= first.gmres_iterations);
  BOOST_TEST(solve.history.iterations.front().linear_residual <= tolerance);
}

/// Every linear system of a solve, once more as a dense matrix from the judge's own derivative, solved by elimination.
/// GMRES left 10⁻¹¹ of it, its condition is below 10⁵: dv agrees to 10⁻⁵ of its norm, in √m dv.
BOOST_DATA_TEST_CASE(linear_systems_are_solved_as_by_elimination, solvers* scenes, solver, scene) {
  FirstSolve solve(solver, scene, plain_setup());
  ImplicitOptions& options = mpm_options(solve.c.scene).implicit;
  options.gmres_tolerance = 1e-11;
  options.gmres_restart = options.gmres_iterations = 500;
  solve.again(solver);
  const PlainBalance balance(solve.c.scene, solve.state, solve.c.dt);
  const Arithmetic exact = arithmetic(solve.c.scene, solve.solver->rounding(), solve.solver->rounding());
  const auto d = static_cast<std::size_t>(solve.c.setup.dim);
  for (const NewtonIteration& one : solve.history.iterations) {
    const Eigen::Index size = static_cast<Eigen::Index>(one.closed.size());
    const auto impulses = balance.impulses(one.closed);
    BOOST_TEST_REQUIRE(impulses.has_value());
    Eigen::VectorXd root(size), R(size), dv(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double m = solve.state.get(field::m_i).value[at / d];
      root[i] = std::sqrt(m);
      R[i] = (m * one.closed[at] - solve.state.get(field::p_i).value[at] - impulses->impulse[at]) / root[i];
      dv[i] = root[i] * one.dv[at];
    }
    Eigen::MatrixXd J(size, size);
    std::vector<double> unit(one.closed.size(), 0.0);
    for (Eigen::Index i = 0; i < size; ++i) {
      unit[static_cast<std::size_t>(i)] = 1.0 / root[i];
      const std::vector<double> change = balance.change(one.closed, unit).impulse;
      for (Eigen::Index k = 0; k < size; ++k)
        J(k, i) = (k == i ? 1.0 : 0.0) - change[static_cast<std::size_t>(k)] / root[k];
      unit[static_cast<std::size_t>(i)] = 0.0;
    }
    const Eigen::MatrixXd T = projection(solve, one, exact);
    const Eigen::MatrixXd A = T * J * T + Eigen::MatrixXd::Identity(size, size) - T;
    const Eigen::VectorXd wanted = A.partialPivLu().solve(-T * R);
    BOOST_TEST((A * wanted + T * R).norm() <= 1e-10 * R.norm());
    BOOST_TEST((dv - wanted).norm() <= 1e-5 * wanted.norm());
  }
}

/// With n iterations and no test of what they leave, the step is that of the velocities which a longer solve has after n.
BOOST_DATA_TEST_CASE(a_solve_that_is_kept_ends_where_a_longer_one_was_after_as_many_iterations, solvers,
                     solver) {
  FirstSolve solve(solver, "implicit_release", plain_setup());
  const std::vector<NewtonIteration> all = solve.history.iterations;
  BOOST_TEST_REQUIRE(all.size() >= 5U);
  ImplicitOptions& options = mpm_options(solve.c.scene).implicit;
  options.unconverged = Unconverged::keep;
  for (std::size_t n = 1; n <= 4; ++n) {
    options.newton_iterations = static_cast<int>(n);
    solve.again(solver);
    BOOST_TEST(solve.history.v_bar == all[n].tested, boost::test_tools::per_element());
    BOOST_TEST(solve.history.error == all[n].error);
    const StepReport report = solve.solver->run(boundary::p2g, boundary::collisions, solve.c.dt);
    BOOST_TEST(report.counts[counter::newton_iterations] == n);
    BOOST_TEST(report.counts[counter::unconverged] == 1U);
    BOOST_TEST(report.counts[counter::step_cuts] == 0U);
  }
  // One that has the iterations it needs is not counted.
  options.newton_iterations = static_cast<int>(all.size());
  solve.again(solver);
  BOOST_TEST(solve.history.iterations.size() == all.size());
  const StepReport report = solve.solver->run(boundary::p2g, boundary::collisions, solve.c.dt);
  BOOST_TEST(report.counts[counter::unconverged] == 0U);
}

/// What is kept is what is left behind iterations: velocities that invert a particle are none, and the step is cut.
BOOST_DATA_TEST_CASE(a_step_that_inverts_particles_is_cut_also_where_solves_are_kept, solvers, solver) {
  Case c = make_case("implicit_cut", plain_setup());
  mpm_options(c.scene).implicit.newton_iterations = 1;
  mpm_options(c.scene).implicit.unconverged = Unconverged::keep;
  const auto moved = make_solver(solver, c.scene);
  moved->load(c.start);
  BOOST_TEST(moved->advance([&](double) { return 4.0 * c.dt; }).counts[counter::step_cuts] == 2U);
}

/// Asked for four times what can be solved for, a step is cut twice and takes what is left; one cut less stops the run.
BOOST_DATA_TEST_CASE(a_step_is_cut_as_often_as_it_may, solvers, solver) {
  Case c = make_case("implicit_cut", plain_setup());
  const auto step = [&] {
    const auto moved = make_solver(solver, c.scene);
    moved->load(c.start);
    return moved->advance([&](double) { return 4.0 * c.dt; });
  };
  mpm_options(c.scene).implicit.step_cuts = 2;
  const StepReport report = step();
  BOOST_TEST(report.counts[counter::step_cuts] == 2U);
  BOOST_TEST(report.dt == c.dt);
  mpm_options(c.scene).implicit.step_cuts = 1;
  BOOST_CHECK_THROW(step(), SimulationError);
}

BOOST_AUTO_TEST_SUITE_END()
