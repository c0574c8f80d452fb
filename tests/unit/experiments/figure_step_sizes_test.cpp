#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/experiments/friction_angle_piles.h"

#include <utility>

using namespace repose;
using namespace repose::experiments;
using repose::test::claimed_piles;
using repose::test::pile;
using repose::test::verdict;

namespace repose::experiments::klar2016 {

namespace {

/// Run-outs 56, 55, 54.5 mm as the step halves twice: 1 and 0.5 mm, as of a first order; the seeds do 0.609 mm.
Series piles_with_smaller_steps(double first, double second) {
  Series series = claimed_piles();
  for (const auto& [courant, runout] : {std::pair{0.3, first}, std::pair{0.15, second}}) {
    series.steps.push_back(pile(30.0, 14.0, runout));
    mpm_options(series.steps.back().scene).elastic_bound = series.steps.back().courant = courant;
  }
  series.outermost = {pile(20.0, 10.0, 58.0), pile(40.0, 18.0, 50.0)};
  return series;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_step_sizes)

BOOST_AUTO_TEST_CASE(a_runout_that_follows_the_step_fails_and_one_that_shrinks_on_has_no_limit) {
  const char* const first = "runout_change_from_courant_0p6_to_0p3";
  const char* const second = "runout_change_from_courant_0p3_to_0p15";
  const char* const limit = "runout_last_halving_over_the_one_before";
  Series series = piles_with_smaller_steps(55.5, 55.0);
  BOOST_TEST((verdict(series, first) == Verdict::pass));
  BOOST_TEST((verdict(series, second) == Verdict::pass));
  BOOST_TEST((verdict(series, limit) == Verdict::undecided));
  series = piles_with_smaller_steps(54.8, 54.0);  // half of 1.2 is less than the seeds do
  BOOST_TEST((verdict(series, first) == Verdict::fail));
  BOOST_TEST((verdict(series, limit) == Verdict::undecided));
  series = piles_with_smaller_steps(54.0, 52.5);  // 1.5 ≤ 0.5 · 2 + 0.609
  BOOST_TEST((verdict(series, first) == Verdict::fail));
  BOOST_TEST((verdict(series, second) == Verdict::fail));
  BOOST_TEST((verdict(series, limit) == Verdict::pass));
  series = piles_with_smaller_steps(54.0, 52.3);
  BOOST_TEST((verdict(series, limit) == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(the_order_of_the_angles_must_hold_with_a_smaller_step_too) {
  Series series = piles_with_smaller_steps(55.0, 54.5);
  for (const char* name :
       {"height_change_from_20_to_40_at_courant_0p6", "runout_change_from_20_to_40_at_courant_0p6",
        "flank_angle_change_from_20_to_40_at_courant_0p6"}) {
    BOOST_TEST((verdict(series, name) == Verdict::pass), name);
  }
  std::swap(series.outermost[0].frames, series.outermost[1].frames);
  BOOST_TEST((verdict(series, "height_change_from_20_to_40_at_courant_0p6") == Verdict::fail));
  BOOST_TEST((verdict(series, "runout_change_from_20_to_40_at_courant_0p6") == Verdict::fail));
}

/// Every run-out says with which step, and in how many, it came about.
BOOST_AUTO_TEST_CASE(every_runout_states_its_step_and_the_number_of_steps) {
  Series series = piles_with_smaller_steps(55.0, 54.5);
  series.printed_dt = pile(30.0, 14.0, 56.0);
  int runouts = 0;
  for (const Number& number : judge(series)) {
    if (number.name.find("runout_") != 0 && number.name.find("printed_step_runout") != 0) continue;
    if (number.name == "runout_drift" || number.name.find("last_halving") != std::string::npos) continue;
    ++runouts;
    BOOST_TEST((number.note.find("c Δt/h 0.") != std::string::npos), number.name);
    BOOST_TEST((number.note.find("in 100 steps") != std::string::npos), number.name);
  }
  BOOST_TEST(runouts == 4 + 1 + 2 + 1 + 1);
}

/// At the preset paper a radius has 18 cells, 16 are needed; the band is 0.41 radii wide.
BOOST_AUTO_TEST_CASE(
    a_runout_is_held_against_measurements_only_on_a_fine_grid_and_if_the_step_leaves_it_alone) {
  Series series = claimed_piles();
  const auto fine = [](Collapse& run) {
    run.scene = column_scene(setup(Preset::paper), run.friction_angle_deg, 1);
  };
  BOOST_TEST((verdict(series, "runout_scaling_phi_20") == Verdict::undecided));
  BOOST_TEST(
      (repose::test::number(judge(series), "runout_scaling_phi_20").open_because.find("resolution") == 0U));
  for (Collapse& run : series.angles) fine(run);
  series.steps = {pile(30.0, 14.0, 56.0)};
  series.steps[0].foot = series.angles[2].foot - 0.2 * 0.018;
  BOOST_TEST((verdict(series, "runout_scaling_phi_20") != Verdict::undecided));
  series.steps[0].foot = series.angles[2].foot - 0.21 * 0.018;
  BOOST_TEST((verdict(series, "runout_scaling_phi_20") == Verdict::undecided));
  BOOST_TEST(
      (repose::test::number(judge(series), "runout_scaling_phi_20").open_because.find("time step") == 0U));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::klar2016
