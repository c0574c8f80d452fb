#include "experiments/tampubolon2017/fig08_hourglass_flip/judge.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace repose;
using namespace repose::experiments;
using namespace repose::experiments::tampubolon2017;

constexpr double spacing = 0.01;
constexpr double grains = 0.08;  ///< [m²]
/// Half a cell over 0.4 m of surface, of the grains' volume.
constexpr double half_cell = 0.5 * spacing * 0.4 / grains;

GlassSetup one_spacing() { return {.spacings = {spacing}, .seeds = {1}}; }

/// A glass whose sand takes these volumes at rest, over that of its grains; by density 0.1 less.
GlassRun glass(bool corrects, const std::vector<double>& volumes) {
  GlassRun run;
  run.chosen = {.corrects = corrects, .spacing = spacing};
  run.volume = grains;
  run.frames.push_back({.occupied = {grains, grains}});
  for (const double volume : volumes)
    run.rests.push_back({.occupied = {volume * grains, (volume - 0.1) * grains}});
  return run;
}

Number number(const std::vector<Number>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Number& one) { return one.name == name; });
  BOOST_REQUIRE_MESSAGE(found != all.end(), name);
  return *found;
}

std::vector<Number> judged(const std::vector<double>& off, const std::vector<double>& on) {
  return judge(one_spacing(), {glass(false, off), glass(true, on)}, Preset::desk);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_hourglass)

BOOST_AUTO_TEST_CASE(growth_counts_from_half_a_cell_on) {
  const double more = 1.001 * half_cell, less = 0.999 * half_cell;
  const auto all = judged({1.1, 1.1 + more, 1.1 + more + less}, {1.1, 1.1 + less, 1.1 + less + more});
  BOOST_TEST((number(all, "growth_uncorrected_h_10mm_turn_1").verdict == Verdict::pass));
  BOOST_TEST((number(all, "growth_uncorrected_h_10mm_turn_2").verdict == Verdict::fail));
  BOOST_TEST((number(all, "growth_corrected_h_10mm_turn_1").verdict == Verdict::pass));
  BOOST_TEST((number(all, "growth_corrected_h_10mm_turn_2").verdict == Verdict::fail));
  BOOST_TEST(number(all, "growth_uncorrected_h_10mm_turn_1").decides_claim());
}

BOOST_AUTO_TEST_CASE(sand_that_shrinks_is_not_kept) {
  const auto shrinks = judged({1.0, 1.2, 1.4}, {1.0, 0.9, 0.8});
  BOOST_TEST((number(shrinks, "growth_corrected_h_10mm_turn_2").verdict == Verdict::pass));
  BOOST_TEST((number(shrinks, "volume_kept_h_10mm").verdict == Verdict::fail));
  BOOST_TEST(number(shrinks, "volume_kept_h_10mm").value < -0.15);
  const auto keeps = judged({1.0, 1.2, 1.4}, {1.0, 1.01, 1.0});
  BOOST_TEST((number(keeps, "volume_kept_h_10mm").verdict == Verdict::pass));
}

BOOST_AUTO_TEST_CASE(sand_that_still_moves_has_no_volume_at_rest) {
  std::vector<GlassRun> runs{glass(false, {1.0, 1.2, 1.4}), glass(true, {1.0, 1.0, 1.0})};
  BOOST_TEST((number(judge(one_spacing(), runs, Preset::desk), "moving_at_rest").verdict == Verdict::pass));
  runs[1].rests[1].moving = 0.011;
  BOOST_TEST((number(judge(one_spacing(), runs, Preset::desk), "moving_at_rest").verdict == Verdict::fail));
}

BOOST_AUTO_TEST_CASE(a_measure_that_misses_the_block_is_seen) {
  std::vector<GlassRun> runs{glass(false, {1.0, 1.2, 1.4}), glass(true, {1.0, 1.0, 1.0})};
  // Half a cell along 1.2 m of border and a twentieth of the grains.
  const double slack = 0.5 * spacing * 1.2 + 0.05 * grains;
  for (const double over : {0.99, 1.01}) {
    runs[0].frames[0].occupied.by_density = grains + over * slack;
    const Number found = number(judge(one_spacing(), runs, Preset::desk), "volume_of_the_block_at_the_start");
    BOOST_TEST((found.verdict == (over < 1.0 ? Verdict::pass : Verdict::fail)));
  }
}

BOOST_AUTO_TEST_CASE(smoke_decides_no_turn) {
  const auto all =
      judge(one_spacing(), {glass(false, {1.0, 1.2, 1.4}), glass(true, {1.0, 1.0, 1.0})}, Preset::smoke);
  BOOST_TEST((number(all, "growth_uncorrected_h_10mm_turn_1").verdict == Verdict::undecided));
  BOOST_TEST(!number(all, "growth_uncorrected_h_10mm_turn_1").open_because.empty());
}

BOOST_AUTO_TEST_SUITE_END()
