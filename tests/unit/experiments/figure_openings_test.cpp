#include "experiments/tampubolon2017/fig06_c0/openings.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;
using repose::test::number;

namespace repose::experiments::tampubolon2017 {

namespace {

const OpeningReading& per_cent_strains = opening_readings()[0];
const OpeningReading& plain_strains = opening_readings()[1];
const OpeningReading& dense_sand = opening_readings()[2];

/// Half a cell of 8 mm over 0.188 m, of 0.0376 m² of grains: 0.02 is resolved.
OpeningRun collapsed(const OpeningCase& chosen, double loss) {
  OpeningRun run;
  run.chosen = chosen;
  run.scene = opening_scene(opening_setup(Preset::desk), chosen);
  run.grains = 0.0376;
  const double left = run.grains * (1.0 - loss);
  run.frames = {{.time = 0.0, .occupied = {run.grains, run.grains}, .width = 0.188, .height = 0.1},
                {.time = 0.15, .occupied = {left, left}, .width = 0.188, .height = 0.08, .unborne = 0.02},
                {.time = 0.5, .occupied = {left, left}, .width = 0.188, .height = 0.08}};
  return run;
}

/// Each c₀ loses 0.1 more than the one before.
std::vector<OpeningRun> losses_as_claimed() {
  std::vector<OpeningRun> runs;
  for (const OpeningCase& one : opening_cases(opening_setup(Preset::desk)))
    runs.push_back(collapsed(one, one.c0 ? 0.1 * (*one.c0 > 1.5 ? 2.0 * *one.c0 - 2.0 : 1.0) : 0.0));
  return runs;
}

OpeningRun& the_run(std::vector<OpeningRun>& runs, const OpeningCase& chosen) {
  return *std::find_if(runs.begin(), runs.end(), [&](const OpeningRun& run) { return run.chosen == chosen; });
}

std::vector<Number> judged_with_loss(const OpeningCase& chosen, double loss) {
  std::vector<OpeningRun> runs = losses_as_claimed();
  the_run(runs, chosen) = collapsed(chosen, loss);
  return judge(runs, Preset::desk);
}

void end_at(OpeningRun& run, std::size_t frames) {
  run.failure = "inverted particle";
  run.frames.resize(frames);
  run.summary.end_time = run.frames.back().time + 0.04;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_openings)

BOOST_AUTO_TEST_CASE(losses_as_claimed_hold_the_claim_by_the_adopted_reading_alone) {
  int deciding = 0;
  for (const Number& one : judge(losses_as_claimed(), Preset::desk))
    if (one.decides_claim()) {
      ++deciding;
      BOOST_TEST((one.verdict == Verdict::pass), one.name);
      BOOST_TEST((one.name.find("_per_cent_") != std::string::npos), one.name);
    }
  BOOST_TEST(deciding == 8);
  for (const Number& one : judge(losses_as_claimed(), Preset::smoke))
    if (one.decides_claim()) BOOST_TEST(!one.open_because.empty(), one.name);
}

/// The first loses 0.1, the last 0.4, the third 0.3.
BOOST_AUTO_TEST_CASE(losses_count_from_half_a_cell_over_the_free_surface_on) {
  for (const char* when : {"at_0p15s", "at_the_end"}) {
    const std::string grows = "loss_grows_from_c0_1p1_to_3_plain_" + std::string(when);
    const std::string falls = "loss_falls_from_one_c0_to_the_next_plain_" + std::string(when);
    demand(judged_with_loss({plain_strains, 3.0}, 0.121), grows, Verdict::pass);
    demand(judged_with_loss({plain_strains, 3.0}, 0.119), grows, Verdict::fail);
    demand(judged_with_loss({plain_strains, 3.0}, 0.281), falls, Verdict::pass);
    demand(judged_with_loss({plain_strains, 3.0}, 0.279), falls, Verdict::fail);
  }
  // Of two measures the one that sees less growth decides.
  std::vector<OpeningRun> runs = losses_as_claimed();
  for (OpeningFrame& frame : the_run(runs, {plain_strains, 3.0}).frames)
    frame.occupied.by_density = runs[0].grains;
  demand(judge(runs, Preset::desk), "loss_grows_from_c0_1p1_to_3_plain_at_0p15s", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(a_run_that_ended_early_is_counted_and_is_no_point_of_what_it_did_not_reach) {
  std::vector<OpeningRun> runs = losses_as_claimed();
  end_at(the_run(runs, {per_cent_strains, 2.5}), 2);
  auto numbers = judge(runs, Preset::desk);
  demand(numbers, "loss_grows_from_c0_1p1_to_3_per_cent_at_0p15s", Verdict::pass);
  demand(numbers, "loss_grows_from_c0_1p1_to_3_per_cent_at_the_end", Verdict::undecided);
  demand(numbers, "loss_falls_from_one_c0_to_the_next_per_cent_at_the_end", Verdict::undecided);
  const Number& ended = number(numbers, "runs_ended_early_per_cent");
  BOOST_TEST(ended.value == 1.0);
  BOOST_TEST((ended.verdict == Verdict::fail));
  BOOST_TEST((ended.note.find("c₀ 2.5 at 0.190 s: inverted particle") != std::string::npos), ended.note);
  demand(numbers, "runs_ended_early_plain", Verdict::pass);
  end_at(the_run(runs, {per_cent_strains, 2.5}), 1);
  demand(judge(runs, Preset::desk), "loss_grows_from_c0_1p1_to_3_per_cent_at_0p15s", Verdict::undecided);
}

/// Hencky's block comes down by 0.02 of the 0.08 m of free fall; half a cell is 0.05 of these.
BOOST_AUTO_TEST_CASE(a_block_falls_as_hencky_s_up_to_half_a_cell) {
  const auto with = [](double height) {
    std::vector<OpeningRun> runs = losses_as_claimed();
    the_run(runs, {per_cent_strains, 1.1}).frames[1].height = height;
    return judge(runs, Preset::desk);
  };
  demand(with(0.0761), "fallen_until_0p15s_c0_1p1_per_cent", Verdict::pass);
  demand(with(0.0759), "fallen_until_0p15s_c0_1p1_per_cent", Verdict::fail);
}

/// Largest stresses by a program of its own, with 200 000 strains on each way.
BOOST_AUTO_TEST_CASE(the_cone_bears_a_block_of_plain_strains_and_none_in_per_cent) {
  const std::array<double, 4> confined{0.739, 0.408, 0.352, 0.311}, on_cone{0.0870, 0.0410, 0.0311, 0.0248},
      of_dense{1.1953, 0.5248, 0.3899, 0.3066};
  for (std::size_t k = 0; k < 4; ++k) {
    const double c0 = opening_c0()[k];
    const Bearing light = bearing({per_cent_strains, c0});
    BOOST_TEST(std::abs(light.confined - confined[k]) < 6e-4);
    BOOST_TEST(std::abs(light.on_the_cone - on_cone[k]) < 6e-5);
    BOOST_TEST(std::abs(bearing({dense_sand, c0}).on_the_cone - of_dense[k]) < 6e-5);
  }
  const auto numbers = judge(losses_as_claimed(), Preset::desk);
  demand(numbers, "borne_on_the_cone_per_cent", Verdict::fail);
  BOOST_TEST(std::abs(number(numbers, "borne_on_the_cone_per_cent").value - on_cone[0]) < 6e-5);
  demand(numbers, "borne_on_the_cone_plain", Verdict::pass);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
