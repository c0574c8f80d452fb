#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"
#include "tests/unit/experiments/dam_run.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::tampubolon2017 {

BOOST_AUTO_TEST_SUITE(figure_breach)

/// Ritter's front over a dry floor, 2 √(9.81 · 0.9) = 5.94 m/s, goes .8 m in .1346 s.
BOOST_AUTO_TEST_CASE(a_dam_must_hold_longer_than_none_and_break_at_all) {
  const DamSetup setup = breach_setup(Preset::desk);
  DamCase one = erosion_cases(Preset::desk).front();
  BOOST_TEST(flood_time(dam_scene(setup, one), setup.past) == 0.1346, boost::test_tools::tolerance(1e-3));
  const auto with = [&](double breach, double cohesion) {
    DamRun run = dam_run(setup, one);
    run.frames.clear();
    for (const double time : {0.0, 0.05, 0.1, 0.2, 3.0, 4.0})
      run.frames.push_back(
          {.time = time, .past = {0.0, time >= breach ? 0.1 : 0.0}, .cohesion = 0.9, .crest = 0.7});
    for (DamFrame& frame : run.frames)
      if (frame.time == breach) frame.cohesion = cohesion;
    return judge_erosion({run}, setup.past, Preset::desk);
  };
  demand(with(3.0, 0.8), "breach_h_80mm_seed_1", Verdict::pass);
  demand(with(0.1, 0.8), "breach_h_80mm_seed_1", Verdict::fail);
  demand(with(9.0, 0.8), "breach_h_80mm_seed_1", Verdict::fail);
  demand(with(3.0, 0.8), "cohesion_at_breach_h_80mm_seed_1", Verdict::pass);
  demand(with(3.0, 0.91), "cohesion_at_breach_h_80mm_seed_1", Verdict::fail);
  for (const double crest : {0.74, 0.76}) {  // three quarters of the height, 1 m
    DamRun run = dam_run(setup, one);
    run.frames.back().crest = crest;
    demand(judge_erosion({run}, setup.past, Preset::desk), "crest_falls_h_80mm_seed_1",
           crest < 0.75 ? Verdict::pass : Verdict::fail);
  }
}

BOOST_AUTO_TEST_CASE(smoke_decides_no_claim_of_a_dam_breach) {
  const DamSetup setup = breach_setup(Preset::smoke);
  const auto numbers =
      judge_erosion({dam_run(setup, erosion_cases(Preset::smoke).front())}, setup.past, Preset::smoke);
  BOOST_TEST(numbers.size() > 3);
  for (const Number& one : numbers)
    if (one.kind == Kind::paper_claim) BOOST_TEST(!one.open_because.empty(), one.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
