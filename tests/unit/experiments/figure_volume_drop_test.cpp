#include "experiments/tampubolon2017/sec434_volume_drop/dropped_block.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::tampubolon2017 {

namespace {

const DropSetup one_drop_spacing{.spacings = {0.04}, .readable = true};

/// All runs; sand lies as high as the block, but for those without correction.
std::vector<DropRun> drops() {
  std::vector<DropRun> runs;
  for (const DropCase& one : drop_cases(one_drop_spacing)) {
    DropRun run;
    run.chosen = one;
    run.scene = drop_scene(one);
    run.frames = {{.time = 4.0, .fill = one.corrects ? 1.0 : 2.0}};
    runs.push_back(run);
  }
  return runs;
}

/// Of the runs that `which` picks the fill is another.
void gives(const char* name, Verdict verdict, bool (*which)(const DropCase&), double fill) {
  demand(judge(one_drop_spacing, drops(), Preset::desk), name, Verdict::pass);
  std::vector<DropRun> runs = drops();
  std::size_t met = 0;
  for (DropRun& run : runs)
    if (run.chosen.kernel == Kernel::cubic && which(run.chosen)) {
      run.frames.back().fill = fill;
      ++met;
    }
  BOOST_TEST(met == 1U);
  demand(judge(one_drop_spacing, runs, Preset::desk), name, verdict);
}

bool usual(const DropCase& c) { return c == DropCase{.kernel = Kernel::cubic}; }
bool uncorrected(const DropCase& c) { return !c.corrects; }
bool hardens_both_ways(const DropCase& c) {
  return c.hardens && c.apart == HardeningApart::opening_and_closing;
}
bool constant_both_ways(const DropCase& c) {
  return !c.hardens && c.apart == HardeningApart::opening_and_closing;
}
bool half_step(const DropCase& c) { return c.step_share < 1.0; }
bool by_readable(const DropCase& c) { return c.readable; }

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_volume_drop)

/// Half a cell of 0.04 m is 0.05 of the block's height.
BOOST_AUTO_TEST_CASE(each_comparison_of_drops_counts_from_half_a_cell_on) {
  gives("taken_back_cubic_h_40mm", Verdict::fail, uncorrected, 1.049);
  gives("taken_back_cubic_h_40mm", Verdict::pass, uncorrected, 1.051);
  gives("fill_cubic_h_40mm", Verdict::fail, usual, 1.049);
  gives("fill_cubic_h_40mm", Verdict::pass, usual, 1.047);
  gives("fill_cubic_h_40mm", Verdict::fail, usual, 0.947);
  gives("hardening_while_closing_cubic_h_40mm", Verdict::fail, hardens_both_ways, 1.051);
  gives("hardening_while_closing_cubic_h_40mm", Verdict::pass, hardens_both_ways, 0.951);
  gives("half_the_step_cubic_h_40mm", Verdict::fail, half_step, 0.949);
  gives("half_the_step_cubic_h_40mm", Verdict::pass, half_step, 1.049);
  gives("readable_solver_cubic_h_40mm", Verdict::fail, by_readable, 1.051);
}

BOOST_AUTO_TEST_CASE(a_rule_of_hardening_that_moves_sand_of_a_constant_cone_is_seen) {
  gives("hardening_of_a_constant_cone_cubic_h_40mm", Verdict::fail, constant_both_ways, 1.0 + 1e-15);
}

BOOST_AUTO_TEST_CASE(sand_that_takes_more_room_with_the_correction_is_not_taken_back) {
  std::vector<DropRun> runs = drops();
  for (DropRun& run : runs) run.frames.back().fill = run.chosen.corrects ? 1.5 : 1.4;
  demand(judge(one_drop_spacing, runs, Preset::desk), "taken_back_quadratic_h_40mm", Verdict::fail);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
