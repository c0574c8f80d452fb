#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/invariants/solve_work.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace {

using namespace repose;
using namespace repose::invariants;

constexpr Work plain{.newton = 4, .gmres = 20, .halvings = 0, .contacts = 14};

Work with(int Work::*number, int more) {
  Work result = plain;
  result.*number += more;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_counts)

/// An iteration takes 6 products, and one more may be rounding's.
BOOST_AUTO_TEST_CASE(one_iteration_more_or_less_is_rounding_and_two_are_not) {
  for (const int sign : {-1, 1}) {
    BOOST_TEST(within_one_iteration(plain, with(&Work::gmres, sign)));
    BOOST_TEST(!within_one_iteration(plain, with(&Work::gmres, 2 * sign)));
    Work other = with(&Work::newton, sign);
    other.gmres += 8 * sign;
    BOOST_TEST(within_one_iteration(plain, other));
    other.gmres += sign;
    BOOST_TEST(!within_one_iteration(plain, other));
    BOOST_TEST(!within_one_iteration(plain, with(&Work::newton, 2 * sign)));
    BOOST_TEST(!within_one_iteration(plain, with(&Work::contacts, sign)));
  }
}

BOOST_AUTO_TEST_CASE(solves_that_are_halved_may_go_another_way) {
  Work kept = plain;
  kept.halvings = 2;
  Work other = kept;
  other.newton = 6;
  other.gmres = 39;
  BOOST_TEST(within_one_iteration(kept, other));
  other.gmres = 40;
  BOOST_TEST(!within_one_iteration(kept, other));
  other.newton = 7;
  BOOST_TEST(!within_one_iteration(kept, other));
}

BOOST_AUTO_TEST_CASE(work_is_the_sum_over_iterations_and_what_holds_in_the_end) {
  SolveHistory history;
  history.iterations.resize(2);
  history.iterations[0].gmres_iterations = 3;
  history.iterations[1].gmres_iterations = 5;
  history.iterations[1].halvings = 2;
  history.iterations[0].holds.resize(9, {.prescribed = true, .bodies = {}});
  history.holds = {{.prescribed = true, .bodies = {}}, {.prescribed = false, .bodies = {0, 2}}, {}};
  BOOST_TEST((work_of(history) == Work{.newton = 2, .gmres = 8, .halvings = 2, .contacts = 3}));
}

/// Nothing is kept that is not run, nor twice.
BOOST_AUTO_TEST_CASE(work_is_kept_of_each_case_by_each_solver_once) {
  std::size_t cases = 0;
  for (const int dim : {2, 3})
    for (const crosscheck::CaseName& one : cases_of_work(dim))
      for (const std::string& solver : solver_names()) {
        ++cases;
        const auto same = [&](const KeptWork& kept) {
          return kept.case_name == one.name && kept.solver == solver;
        };
        BOOST_TEST(std::count_if(kept_work().begin(), kept_work().end(), same) == 1,
                   one.name << " " << solver);
      }
  BOOST_TEST(kept_work().size() == cases);
}

/// The rows of kept_work.cpp as they are now; `--run_test=crosscheck_counts/rows_of_today --log_level=message` after a change
/// that is meant to change them.
BOOST_AUTO_TEST_CASE(rows_of_today, *boost::unit_test::disabled()) {
  for (const std::string_view method : {method::mpm.name, method::mixture.name})
    for (const crosscheck::Scenario& scenario : crosscheck::scenarios(method))
      for (const int dim : {2, 3})
        for (const crosscheck::CaseName& one : cases_of_work(dim)) {
          if (one.scenario != scenario.name) continue;
          for (const std::string solver : {"reference", "optimized"}) {
            const Work now = first_work(solver, one);
            BOOST_TEST_MESSAGE(fmt::format("    {{\"{}\", \"{}\", {{{}, {}, {}, {}}}}},", one.name, solver,
                                           now.newton, now.gmres, now.halvings, now.contacts));
          }
        }
}

BOOST_AUTO_TEST_SUITE_END()
