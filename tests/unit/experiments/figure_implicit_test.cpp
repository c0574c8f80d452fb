#include "experiments/klar2016/fig09_kernels/weights.h"
#include "experiments/klar2016/sec5_implicit/solves.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/experiments/number_search.h"

#include <cmath>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::klar2016 {

namespace {

StepReport step_of(std::uint64_t newton, std::uint64_t gmres) {
  StepReport report;
  report.counts[counter::newton_iterations] = newton;
  report.counts[counter::gmres_iterations] = gmres;
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_implicit)

/// 2 systems of 3 on the mean, 1 of 5, 3 of ⌈10/3⌉ = 4.
BOOST_AUTO_TEST_CASE(systems_of_a_step_count_with_their_mean_rounded_up) {
  Iterations iterations;
  BOOST_TEST(std::isnan(iterations.share_above(3)));
  iterations.add(step_of(2, 6));
  iterations.add(step_of(1, 5));
  iterations.add(step_of(3, 10));
  iterations.add(step_of(0, 0));
  BOOST_TEST(iterations.systems() == 6U);
  BOOST_TEST(std::abs(iterations.share_above(3) - 4.0 / 6.0) < 1e-15);
  BOOST_TEST(std::abs(iterations.share_above(4) - 1.0 / 6.0) < 1e-15);
  BOOST_TEST(iterations.mean_newton() == 1.5);
}

BOOST_AUTO_TEST_CASE(claims_on_iterations_and_time_fail_beyond_their_bounds) {
  SolvesPair pair;
  pair.youngs_modulus = 1000.0;
  pair.implicit_seconds = 2.0;
  pair.explicit_seconds = 1.0;
  pair.implicit_run.summary.largest_dt = 7.5e-4;
  pair.explicit_run.summary.largest_dt = 4e-4;
  for (int k = 0; k < 101; ++k) pair.iterations.add(step_of(1, k == 0 ? 5 : 3));
  const auto verdict = [&](const char* name, Verdict expected) {
    demand(judge(std::vector<SolvesPair>{pair}), name, expected);
  };
  verdict("gmres_share_above_3_E_1000", Verdict::pass);
  verdict("gmres_share_above_4_E_1000", Verdict::pass);
  verdict("moduli_with_faster_explicit_steps", Verdict::pass);
  verdict("failed_runs_and_step_cuts", Verdict::pass);
  pair.iterations.add(step_of(1, 5));  // 2 of 102
  pair.explicit_seconds = 3.0;
  pair.implicit_run.summary.total.counts[counter::step_cuts] = 1;
  verdict("gmres_share_above_3_E_1000", Verdict::pass);
  verdict("gmres_share_above_4_E_1000", Verdict::fail);
  verdict("moduli_with_faster_explicit_steps", Verdict::fail);
  verdict("failed_runs_and_step_cuts", Verdict::fail);
  for (int k = 0; k < 101; ++k) pair.iterations.add(step_of(1, 4));
  verdict("gmres_share_above_3_E_1000", Verdict::fail);
  pair.implicit_run.failure = "stuck";
  verdict("moduli_with_faster_explicit_steps", Verdict::undecided);
}

/// With equal steps a step without a solve is the faster one whatever the method.
BOOST_AUTO_TEST_CASE(only_moduli_with_a_shorter_explicit_step_are_compared) {
  std::vector<SolvesPair> pairs(3);
  for (SolvesPair& pair : pairs) {
    pair.implicit_seconds = 2.0;
    pair.explicit_seconds = 1.0;
    pair.implicit_run.summary.largest_dt = pair.explicit_run.summary.largest_dt = 7.5e-4;
  }
  demand(judge(pairs), "moduli_with_faster_explicit_steps", Verdict::undecided);
  pairs[2].explicit_run.summary.largest_dt = 4e-4;
  pairs[2].implicit_seconds = 0.5;
  demand(judge(pairs), "moduli_with_faster_explicit_steps", Verdict::fail);
  pairs[2].implicit_seconds = 1.5;
  demand(judge(pairs), "moduli_with_faster_explicit_steps", Verdict::pass);
}

/// One of a hundred systems is 1 %, which is not below 1 %.
BOOST_AUTO_TEST_CASE(a_share_below_one_per_cent_needs_more_than_a_hundred_systems) {
  std::vector<SolvesPair> pairs(1);
  pairs[0].youngs_modulus = 1000.0;
  for (int k = 0; k < 100; ++k) pairs[0].iterations.add(step_of(1, 5));
  demand(judge(pairs), "gmres_share_above_4_E_1000", Verdict::undecided);
  BOOST_TEST(!repose::test::number(judge(pairs), "gmres_share_above_4_E_1000").open_because.empty());
  pairs[0].iterations.add(step_of(1, 5));
  demand(judge(pairs), "gmres_share_above_4_E_1000", Verdict::fail);
}

/// N̂ of [Klar16 Eq.5] at 0, ½, 1, 3/2: cubic 2/3, 23/48, 1/6, 1/48; quadratic ¾, ½, ⅛, 0.
BOOST_AUTO_TEST_CASE(truncated_powers_give_the_printed_splines) {
  const double cubic[]{2.0 / 3.0, 23.0 / 48.0, 1.0 / 6.0, 1.0 / 48.0};
  const double quadratic[]{0.75, 0.5, 0.125, 0.0};
  for (int k = 0; k < 4; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      BOOST_TEST(std::abs(spline(Kernel::cubic, sign * 0.5 * k) - cubic[k]) < 1e-15);
      BOOST_TEST(std::abs(spline(Kernel::quadratic, sign * 0.5 * k) - quadratic[k]) < 1e-15);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_solver_has_the_kernels_and_a_wrong_one_fails) {
  std::vector<KernelErrors> all;
  for (const Kernel kernel : {Kernel::cubic, Kernel::quadratic}) {
    for (const SolverChoice& solver : all_solvers(method::mpm.name))
      all.push_back(measure_kernel(kernel, solver, 8));
  }
  for (const Number& number : judge(all)) BOOST_TEST((number.verdict == Verdict::pass), number.name);
  // Too small at one place and too large at another by as much.
  std::vector<KernelErrors> uneven = all;
  for (KernelErrors& errors : uneven) {
    errors.least_inertia -= 1e-3;
    errors.most_inertia += 1e-3;
  }
  int failing = 0;
  for (const Number& number : judge(uneven)) failing += number.verdict == Verdict::fail ? 1 : 0;
  BOOST_TEST(failing == 2);  // of each kernel that of the diagonal
  for (KernelErrors& errors : all) {
    // As if the one kernel were the other.
    errors.kernel = errors.kernel == Kernel::cubic ? Kernel::quadratic : Kernel::cubic;
    errors.unity = errors.linear = errors.inertia = errors.values = errors.gradient = errors.affine = 1.01;
  }
  for (const Number& number : judge(all)) BOOST_TEST((number.verdict == Verdict::fail), number.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::klar2016
