#include "validation/faults/zoo.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <set>
#include <tuple>
#include <vector>

namespace {

using namespace repose;
using namespace repose::faults;

/// Each fault in both precisions. Sanitizers look at the code, which most faults share: a fifth of them, each in one, in turn.
std::vector<faults::Trial> try_all() {
  const crosscheck::Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  std::vector<faults::Trial> trials;
  fmt::print("{}\n", faults::table_head());
  std::size_t place = 0;
  for (const Fault& fault : faults::faults())
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const std::string_view base = usual_solver(fault.setup.method);
      if (!has_precision(base, precision)) continue;
      if (REPOSE_SANITIZED != 0 && place++ % 10 % 7 != 0) continue;
      trials.push_back(try_fault(fault, precision, base, reference));
      fmt::print("{}\n", row(trials.back()));
    }
  return trials;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(faults_zoo)

BOOST_AUTO_TEST_CASE(every_fault_is_seen_first_where_it_is_and_nothing_is_seen_without_it) {
  for (const faults::Trial& trial : try_all()) {
    BOOST_TEST(trial.control_passes(), "without its fault: " << row(trial));
    BOOST_TEST(trial.well_placed(), row(trial));
  }
}

BOOST_AUTO_TEST_CASE(faults_have_unique_names_and_are_many) {
  std::set<std::string> names;
  std::set<std::tuple<std::string_view, std::size_t, std::string, std::vector<std::size_t>>> planted;
  for (const Fault& fault : faults::faults()) {
    BOOST_TEST(names.insert(fault.name).second, fault.name);
    planted.insert({fault.setup.method,
                    fault.mistake,
                    fault.scenario,
                    {fault.setup.variant.begin(), fault.setup.variant.end()}});
  }
  BOOST_TEST(names.size() >= 15U);
  // One mistake may be planted for either kernel, or in several scenarios.
  BOOST_TEST(planted.size() == names.size());
}

BOOST_AUTO_TEST_SUITE_END()
