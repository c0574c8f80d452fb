#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mpm/cases.h"

#include <fmt/format.h>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;

/// What a solve took.
struct Work {
  int newton = 0, gmres = 0, halvings = 0;
  std::size_t contacts = 0;
};

Work work_of(const SolveHistory& history) {
  Work result;
  result.newton = static_cast<int>(history.iterations.size());
  for (const NewtonIteration& one : history.iterations) {
    result.gmres += one.gmres_iterations;
    result.halvings += one.halvings;
  }
  for (const NodeHold& hold : history.holds)
    result.contacts += hold.bodies.size() + (hold.prescribed ? 1 : 0);
  return result;
}

/// By "case solver".
std::map<std::string, Work> kept() {
  std::map<std::string, Work> result;
  std::ifstream file(REPOSE_SOURCE_DIR "/tests/unit/validation/implicit_counts.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind('#', 0) == 0) continue;
    std::istringstream words(line);
    std::string name, solver;
    Work work;
    words >> name >> solver >> work.newton >> work.gmres >> work.halvings >> work.contacts;
    BOOST_REQUIRE(!words.fail());
    result[name + " " + solver] = work;
  }
  return result;
}

/// Scenarios with implicit steps, but that of nothing but rounding, whose iterations follow from the last bits.
std::vector<std::string> implicit_scenarios() {
  std::vector<std::string> result;
  for (const crosscheck::Scenario& one : crosscheck::mpm_scenarios())
    if (one.name.rfind("implicit_", 0) == 0 && one.name != "implicit_flight" &&
        !crosscheck::make_case(one.name, plain_setup()).stops)
      result.push_back(one.name);
  return result;
}

/// One iteration of Newton's method and what it takes of GMRES, and a fiftieth of the products, at least one. A solve with
/// halvings goes on from each in another way: there a quarter.
bool within_one_iteration(const Work& kept, const Work& now) {
  const bool halved = kept.halvings + now.halvings > 0;
  const int newton = halved ? 1 + kept.newton / 4 : 1;
  const int per_iteration = kept.gmres / std::max(kept.newton, 1) + 1;
  const int apart = std::abs(kept.newton - now.newton);
  const int gmres = std::max(1, kept.gmres / (halved ? 4 : 50)) + apart * (per_iteration + 1);
  return apart <= newton && std::abs(kept.gmres - now.gmres) <= gmres && kept.contacts == now.contacts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_counts)

/// A derivative that lost a term, a start from elsewhere, a preconditioner of the wrong node or another way of stopping
/// change no answer, only the work. In exact arithmetic that is one number per case. Rounding turns a decision only where a
/// residual lies beside its tolerance by its own relative error: for states in float some 10⁻⁷ times what the solve makes of
/// it, 10⁴ at most, and each of a case's hundred decisions has odds of 10⁻³ at that. Seen over SSE4, AVX2 and AVX-512: none
/// of these solves differs. So all cases but a few are as kept, and those within one iteration.
BOOST_DATA_TEST_CASE(each_solve_takes_the_work_that_is_kept, data::make({"reference", "optimized"}), solver) {
  const std::map<std::string, Work> all = kept();
  int cases = 0;
  int turned = 0;
  for (const std::string& scenario : implicit_scenarios()) {
    for (const crosscheck::Setup& setup : crosscheck::setups("mpm", 0)) {
      const FirstSolve solve(solver, scenario, setup);
      const Work now = work_of(solve.history);
      const std::string name = solve.c.name + " " + solver;
      const std::string line =
          fmt::format("{} {} {} {} {}", name, now.newton, now.gmres, now.halvings, now.contacts);
      BOOST_TEST_MESSAGE(line);
      const auto found = all.find(name);
      BOOST_TEST_REQUIRE((found != all.end()), "not kept: " << line);
      const Work& before = found->second;
      ++cases;
      if (before.newton != now.newton || before.gmres != now.gmres || before.halvings != now.halvings)
        ++turned;
      BOOST_TEST(within_one_iteration(before, now), "now " << line << "; kept " << before.newton << " "
                                                           << before.gmres << " " << before.halvings << " "
                                                           << before.contacts);
    }
  }
  BOOST_TEST(cases >= 40);
  BOOST_TEST(turned <= cases / 20, turned << " of " << cases << " solves take other work than is kept");
}

/// Both solvers linearize the same balance and stop at the same tolerances: what they take differs by their preconditioner
/// and by their choice of contacts, so that one or two iterations of Newton's method are all, but where it is halved.
BOOST_AUTO_TEST_CASE(both_solvers_take_about_as_many_iterations_of_newtons_method) {
  const std::map<std::string, Work> all = kept();
  int compared = 0;
  for (const auto& [name, one] : all) {
    const std::size_t space = name.find(' ');
    if (name.substr(space + 1) != "reference" || one.halvings > 0) continue;
    const auto other = all.find(name.substr(0, space) + " optimized");
    BOOST_TEST_REQUIRE((other != all.end()));
    if (other->second.halvings > 0) continue;
    BOOST_TEST(std::abs(one.newton - other->second.newton) <= 2, name);
    BOOST_TEST(one.contacts == other->second.contacts, name);
    ++compared;
  }
  BOOST_TEST(compared >= 40);
}

BOOST_AUTO_TEST_SUITE_END()
