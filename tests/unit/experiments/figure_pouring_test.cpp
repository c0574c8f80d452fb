#include "experiments/tampubolon2017/fig09_pouring/spout.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double poured = 0.06;  ///< [m²]
constexpr double floor_covered = 0.6;
/// Half a cell over the floor that is covered, of the grains' volume, at h 10 and 5 mm.
constexpr double half_cell[] = {0.05, 0.025};

/// A pile that takes this much more than its grains by either measure: cells overstate it by half a cell.
PourRun poured_pile(bool corrects, std::size_t grid, double by_cells, double by_density) {
  PourRun run;
  run.chosen = {.corrects = corrects, .spacing = grid == 0 ? 0.01 : 0.005};
  run.scene = pour_scene(run.chosen);
  run.surface = floor_covered;
  run.grains = {{Point(0.0, 0.1, 0.0), 0.0}};
  run.frames = {{.time = 4.0,
                 .poured = poured,
                 .occupied = {poured * (1.0 + by_cells + half_cell[grid]), poured * (1.0 + by_density)}}};
  return run;
}

/// Without and with correction at both spacings, and the loose stream.
std::vector<PourRun> poured_piles() {
  std::vector<PourRun> runs{poured_pile(false, 0, 0.2, 0.2), poured_pile(true, 0, 0.0, 0.0),
                            poured_pile(false, 1, 0.1, 0.1), poured_pile(true, 1, 0.0, 0.0),
                            poured_pile(true, 0, 0.0, 0.0)};
  runs.back().chosen.loose = true;
  return runs;
}

const PourSetup both_spacings{.spacings = {0.01, 0.005}, .seeds = {1}};

void must_give(const char* name, Verdict verdict, std::size_t which, const PourRun& other) {
  demand(judge(both_spacings, poured_piles(), Preset::desk), name, Verdict::pass);
  std::vector<PourRun> runs = poured_piles();
  const bool loose = runs[which].chosen.loose;
  runs[which] = other;
  runs[which].chosen.loose = loose;
  demand(judge(both_spacings, runs, Preset::desk), name, verdict);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_pouring)

BOOST_AUTO_TEST_CASE(sand_that_one_measure_sees_swell_is_not_kept_and_one_alone_is_no_gain) {
  must_give("gain_uncorrected_h_10mm", Verdict::fail, 0, poured_pile(false, 0, 0.2, 0.049));
  must_give("gain_uncorrected_h_10mm", Verdict::pass, 0, poured_pile(false, 0, 0.2, 0.051));
  must_give("gain_corrected_h_10mm", Verdict::fail, 1, poured_pile(true, 0, 0.0, 0.051));
  must_give("gain_corrected_h_10mm", Verdict::fail, 1, poured_pile(true, 0, 0.051, 0.0));
  must_give("gain_corrected_h_10mm", Verdict::pass, 1, poured_pile(true, 0, 0.049, 0.049));
  must_give("gain_corrected_h_5mm", Verdict::fail, 3, poured_pile(true, 1, 0.0, 0.026));
}

BOOST_AUTO_TEST_CASE(what_is_taken_back_and_what_a_finer_grid_saves_are_the_least_of_both_measures) {
  must_give("taken_back_h_5mm", Verdict::fail, 2, poured_pile(false, 1, 0.1, 0.024));
  must_give("taken_back_h_5mm", Verdict::pass, 2, poured_pile(false, 1, 0.1, 0.026));
  must_give("gain_at_coarse_less_gain_at_fine", Verdict::fail, 2, poured_pile(false, 1, 0.1, 0.21));
  must_give("gain_at_coarse_less_gain_at_fine", Verdict::pass, 2, poured_pile(false, 1, 0.1, 0.19));
}

/// The static strain of a pile 0.1 m high is 0.0183.
BOOST_AUTO_TEST_CASE(a_pile_may_shrink_by_its_weight_and_half_a_cell) {
  must_give("volume_kept_h_10mm", Verdict::pass, 1, poured_pile(true, 0, 0.0, -0.067));
  must_give("volume_kept_h_10mm", Verdict::fail, 1, poured_pile(true, 0, 0.0, -0.070));
}

BOOST_AUTO_TEST_CASE(loose_sand_is_judged_apart) {
  must_give("gain_corrected_of_loose_sand", Verdict::fail, 4, poured_pile(true, 0, 0.5, 0.5));
  std::vector<PourRun> runs = poured_piles();
  runs[4] = poured_pile(true, 0, 0.5, 0.5);
  runs[4].chosen.loose = true;
  demand(judge(both_spacings, runs, Preset::desk), "gain_corrected_h_10mm", Verdict::pass);
  const Scene usual = pour_scene({.spacing = 0.01}), loose = pour_scene({.spacing = 0.01, .loose = true});
  BOOST_TEST(loose.emitters[0].rate == 0.5 * usual.emitters[0].rate);
  BOOST_TEST(loose.emitters[0].stop == 2.0 * usual.emitters[0].stop);
}

BOOST_AUTO_TEST_CASE(smoke_decides_no_claim_of_a_pile) {
  const auto numbers = judge(both_spacings, poured_piles(), Preset::smoke);
  for (const Number& number : numbers)
    if (number.decides_claim()) BOOST_TEST(!number.open_because.empty(), number.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
