#include "experiments/tampubolon2017/fig01_dam_breach_3d/erosion.h"
#include "experiments/tampubolon2017/fig02_levee/failure.h"
#include "reference/interface/methods/mixture.h"
#include "tests/unit/experiments/dam_run.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;
using repose::test::number;

namespace repose::experiments::tampubolon2017 {

namespace {

/// Levees of the desk preset that breach and fall at given times, the stronger ones later; by drag, then by cohesion.
std::vector<Number> judged_levees(double strong, double less_cohesion, double less_drag, double least) {
  const DamSetup setup = breach_setup(Preset::desk);
  std::vector<DamRun> runs;
  for (const DamCase& one : levee_cases(Preset::desk)) {
    DamRun run = dam_run(setup, one);
    const bool drags = one.kappa > 1e5, coheres = one.cohesion > 2000.0;
    const double time = drags ? (coheres ? strong : less_cohesion) : coheres ? less_drag : least;
    run.frames.clear();
    for (int n = 0; n <= 400; ++n) {
      DamFrame frame{.time = 0.02 * n, .crest = 1.0};
      if (frame.time >= time) frame.past[of_water] = 0.1;
      if (frame.time >= time) frame.crest = 0.7;
      run.frames.push_back(frame);
    }
    runs.push_back(run);
  }
  return judge_levees(runs, Preset::desk);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_levee)

BOOST_AUTO_TEST_CASE(weaker_levees_must_fail_sooner_by_more_than_a_frame) {
  const double never = 100.0;
  for (const Number& one : judged_levees(4.0, 3.0, 2.0, 1.0))
    if (one.decides_claim()) BOOST_TEST((one.verdict == Verdict::pass), one.name);
  const auto swapped = judged_levees(3.0, 4.0, 2.0, 1.0);
  demand(swapped, "less_cohesion_breaches_sooner_kappa_157", Verdict::fail);
  demand(swapped, "less_cohesion_falls_sooner_kappa_157", Verdict::fail);
  demand(swapped, "less_cohesion_breaches_sooner_kappa_39", Verdict::pass);
  demand(swapped, "less_drag_breaches_sooner_c_3kpa", Verdict::pass);
  demand(judged_levees(4.0, 3.0, 5.0, 1.0), "less_drag_falls_sooner_c_3kpa", Verdict::fail);
  // In the same frame, and two frames sooner.
  demand(judged_levees(4.0, 4.0, 2.0, 1.0), "less_cohesion_falls_sooner_kappa_157", Verdict::fail);
  demand(judged_levees(4.0, 3.96, 2.0, 1.0), "less_cohesion_falls_sooner_kappa_157", Verdict::pass);
  // What outlasts the run counts as its end, and nothing is known of two that do.
  demand(judged_levees(never, 3.0, 2.0, 1.0), "less_cohesion_falls_sooner_kappa_157", Verdict::pass);
  BOOST_TEST(number(judged_levees(never, 3.0, 2.0, 1.0), "less_cohesion_falls_sooner_kappa_157").value == 5.0,
             boost::test_tools::tolerance(1e-9));
  demand(judged_levees(never, never, 2.0, 1.0), "less_cohesion_breaches_sooner_kappa_157",
         Verdict::undecided);
  demand(judged_levees(3.0, never, 2.0, 1.0), "less_cohesion_breaches_sooner_kappa_157", Verdict::fail);
}

/// c_C 3 kPa: .6124 per cent along each axis, of 1 kPa a third (E 100 kPa, ν .4, φ 30°: T18).
BOOST_AUTO_TEST_CASE(scenes_of_levees_are_those_of_their_cases) {
  const DamSetup setup = breach_setup(Preset::desk);
  for (const DamCase& one : levee_cases(Preset::desk)) {
    const Scene scene = dam_scene(setup, one);
    BOOST_TEST(mixture_options(scene).kappa == one.kappa);
    BOOST_TEST(scene.materials.front().cohesion == one.cohesion);
    BOOST_TEST(scene.materials.front().unilateral->b == 0.6124 * one.cohesion / 3000.0,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(static_strain_of_dam(scene) == 0.0916, boost::test_tools::tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(smoke_decides_no_claim_of_levees) {
  const DamSetup setup = breach_setup(Preset::smoke);
  std::vector<DamRun> runs;
  for (const DamCase& one : levee_cases(Preset::smoke)) runs.push_back(dam_run(setup, one));
  const auto numbers = judge_levees(runs, Preset::smoke);
  BOOST_TEST(numbers.size() > 8);
  for (const Number& one : numbers)
    if (one.kind == Kind::paper_claim) BOOST_TEST(!one.open_because.empty(), one.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
