#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/crosscheck/mpm/setup.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Levels of the five factors of a setup.
std::array<int, 5> levels(const Setup& s) {
  return {s.dim, static_cast<int>(kernel_of(s)), static_cast<int>(transfer_of(s)),
          static_cast<int>(s.precision), s.threads};
}

constexpr std::array<std::size_t, 5> counts{2, 2, 4, 2, 2};

bool parallel(const CaseName& name) {
  const auto& all = mpm_scenarios();
  return std::any_of(all.begin(), all.end(),
                     [&](const Scenario& one) { return one.name == name.scenario && one.parallel; });
}

/// Blocks of `edge` cells that hold particles.
std::size_t occupied_blocks(const Case& c, int edge) {
  std::set<std::array<int, 3>> blocks;
  const Field& x = c.start.get(field::x);
  const auto d = static_cast<std::size_t>(c.setup.dim);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    std::array<int, 3> block{0, 0, 0};
    for (std::size_t a = 0; a < d; ++a)
      block[a] =
          static_cast<int>((x.value[p * d + a] - c.scene.grid.domain_min[static_cast<Eigen::Index>(a)]) /
                           c.scene.grid.h / edge);
    blocks.insert(block);
  }
  return blocks.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_cases)

BOOST_AUTO_TEST_CASE(every_pair_of_factor_levels_meets) {
  std::map<std::pair<std::size_t, std::size_t>, std::set<std::pair<int, int>>> seen;
  for (const CaseName& name : case_names()) {
    if (parallel(name)) continue;  // theirs are more threads
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

/// One number for all would hide a solver that takes particle 0's.
BOOST_AUTO_TEST_CASE(each_particle_of_a_case_has_its_own_volume_mass_and_density) {
  std::size_t judged = 0;
  for (const CaseName& name : case_names()) {
    // A bed in balance is one of even density, and so is what Newton's method hardly solves.
    if (name.scenario == "implicit_grains_above_bed" || name.scenario == "implicit_release" ||
        name.scenario == "implicit_given_up" || name.scenario == "implicit_kept")
      continue;
    const Case c = make_case(name.scenario, name.setup);
    const std::vector<double>& volume = c.start.get(field::volume).value;
    const std::vector<double>& mass = c.start.get(field::mass).value;
    for (std::size_t p = 1; p < volume.size(); ++p) {
      const bool differ =
          volume[p] != volume[0] && mass[p] != mass[0] && mass[p] / volume[p] != mass[0] / volume[0];
      BOOST_REQUIRE_MESSAGE(differ, name.name << " particle " << p);
      const auto k = static_cast<std::size_t>(c.start.get(field::material).value[p]);
      BOOST_REQUIRE_MESSAGE(mass[p] != c.scene.materials.at(k).density * volume[p], name.name);
      ++judged;
    }
  }
  BOOST_TEST(judged > 10000U);
}

/// Beside the blocks of optimized/layout/block.h: 8 cells wide in 2D, 4 in 3D.
BOOST_AUTO_TEST_CASE(cases_of_many_blocks_have_64_of_them_and_lone_blocks_touch_no_other) {
  for (const CaseName& name : case_names()) {
    const Case c = make_case(name.scenario, name.setup);
    const int edge = c.setup.dim > 2 ? 4 : 8;
    if (name.scenario.rfind("many_blocks", 0) == 0) {
      BOOST_TEST(occupied_blocks(c, edge) >= 64U, name.name);
      BOOST_TEST(name.setup.threads >= 2, name.name);
    }
    if (name.scenario.rfind("lone_blocks", 0) == 0) {
      // More blocks of nodes, 2^d per lone block, than twice the blocks and 64 make room for at first.
      const std::size_t lone = c.start.particles();
      BOOST_TEST((std::size_t{1} << c.setup.dim) * lone > 2 * lone + 64, name.name);
      BOOST_TEST(occupied_blocks(c, 2 * edge) == lone, name.name);
    }
    if (name.scenario == "large" || name.scenario == "large_implicit") BOOST_TEST(name.takes_long, name.name);
  }
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
  BOOST_TEST(matches("", "*"));
  BOOST_TEST(matches("box/apic-2d", "*/apic-2d*"));  // '*' stands for no letter, and for a '/' too
  BOOST_TEST(matches("box/apic-2d", "b**d"));
  BOOST_TEST(!matches("box/apic-2d", "*box"));
  BOOST_TEST(!matches("box/apic-2d", "box*2d-float"));
  BOOST_TEST(!matches("box/apic-2d", "box*apic*apic*"));
  BOOST_TEST(matches("aXbXc", "a*Xc"));  // the shortest beginning is not the right one
  BOOST_TEST(!matches("box/apic-2d", "box\\*"));
  BOOST_TEST(!matches("box/apic-2d", "BOX*"));
}

BOOST_AUTO_TEST_CASE(an_unknown_scenario_is_refused_with_where_the_known_ones_are_listed) {
  BOOST_CHECK_EXCEPTION(make_case("no_such", MpmSetup{}), BadInput, [](const BadInput& error) {
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
