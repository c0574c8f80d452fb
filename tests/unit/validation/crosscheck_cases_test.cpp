#include "reference/interface/error.h"
#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/cases.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <map>
#include <set>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Levels of the five factors of a setup.
std::array<int, 5> levels(const Setup& s) {
  return {s.dim, static_cast<int>(s.kernel), static_cast<int>(s.transfer), static_cast<int>(s.precision),
          s.threads};
}

constexpr std::array<std::size_t, 5> counts{2, 2, 4, 2, 2};

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_cases)

BOOST_AUTO_TEST_CASE(every_pair_of_factor_levels_meets) {
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::pair<int, int>>> seen;
  for (const CaseName& name : case_names()) {
    const auto l = levels(name.setup);
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = a + 1; b < 5; ++b) seen[{a, b}].insert({l[a], l[b]});
  }
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = a + 1; b < 5; ++b)
      BOOST_TEST((seen[{a, b}].size() == counts[a] * counts[b]), a << " " << b);
}

BOOST_AUTO_TEST_CASE(every_scenario_meets_every_level_of_every_factor) {
  std::map<std::string, std::array<std::set<int>, 5>> seen;
  for (const CaseName& name : case_names())
    for (std::size_t a = 0; a < 5; ++a) seen[name.scenario][a].insert(levels(name.setup)[a]);
  for (const auto& [scenario, factors] : seen)
    for (std::size_t a = 0; a < 5; ++a)
      BOOST_TEST(factors[a].size() == counts[a], scenario << " factor " << a);
}

BOOST_AUTO_TEST_CASE(names_of_cases_are_unique_and_there_are_enough) {
  std::set<std::string> names;
  std::size_t count = 0;
  for (const CaseName& name : case_names()) count += names.insert(name.name).second ? 1U : 0U;
  BOOST_TEST(count == case_names().size());
  BOOST_TEST(count >= 40U);
  for (const CaseName& name : bit_names()) BOOST_TEST(names.count(name.name) == 0U, name.name);
}

BOOST_AUTO_TEST_CASE(patterns_match_parts_or_globs) {
  BOOST_TEST(matches("box/apic-2d", ""));
  BOOST_TEST(matches("box/apic-2d", "apic"));
  BOOST_TEST(!matches("box/apic-2d", "flip"));
  BOOST_TEST(matches("box/apic-2d", "box/*"));
  BOOST_TEST(!matches("hollow_box/apic-2d", "box/*"));
  BOOST_TEST(matches("hollow_box/apic-2d", "*box*2d"));
  BOOST_TEST(!matches("hollow_box/apic-2d-float", "*box*2d"));
  BOOST_TEST(matches("anything", "*"));
}

BOOST_AUTO_TEST_CASE(an_unknown_scenario_is_refused_with_where_the_known_ones_are_listed) {
  BOOST_CHECK_EXCEPTION(make_case("no_such", {}), BadInput, [](const BadInput& error) {
    return std::string(error.what()) == "unknown scenario 'no_such'; see repose list";
  });
}

BOOST_AUTO_TEST_CASE(cases_start_inside_their_domain) {
  for (const CaseName& name : case_names()) {
    const Case c = make_case(name.scenario, name.setup);
    const Field& x = c.start.get(field::x);
    const Point high = c.scene.grid.domain_max();
    const auto dim = static_cast<std::size_t>(name.setup.dim);
    for (std::size_t i = 0; i < x.value.size(); ++i) {
      const auto axis = static_cast<Eigen::Index>(i % dim);
      BOOST_REQUIRE_MESSAGE(x.value[i] >= c.scene.grid.domain_min[axis] && x.value[i] <= high[axis],
                            name.name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
