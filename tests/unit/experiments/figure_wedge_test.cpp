#include "experiments/tampubolon2017/fig03_wedge/drops.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;
using repose::test::number;

namespace repose::experiments::tampubolon2017 {

namespace {

WedgeSetup ten_millimetre_cells() {
  return {.spacing = 0.01, .tips = {0.0, 0.002, 0.005, 0.01}, .seeds = {1, 2}};
}

/// At the end every size is `size`, and so is the share of neighbours that were kept.
WedgeRun wedge_landed(const WedgeCase& chosen, double size) {
  WedgeRun run;
  run.chosen = chosen;
  run.scene = wedge_scene(ten_millimetre_cells(), chosen);
  const ClumpSizes whole{.mean = 1.0, .largest = 1.0, .count = 1},
      parted{.mean = size, .largest = size, .count = 9};
  run.frames = {
      {.clumps = {whole, whole, whole}, .spread = 0.04, .farthest = 0.1},
      {.time = 0.6, .clumps = {parted, parted, parted}, .kept = size, .spread = 0.4 - size, .farthest = 0.9}};
  run.grains = {std::vector<Point>(900, Point::Zero())};
  return run;
}

/// Sizes 0.1, 0.14, 0.2 and 0.3 without and with cohesion; the second seed is 0.02 larger; the dry block falls to single grains.
std::vector<WedgeRun> wedges_as_claimed(double largest = 0.3, double middle = 0.2) {
  std::vector<WedgeRun> runs;
  for (const WedgeCase& one : wedge_cases(ten_millimetre_cells())) {
    const double size = one.tip > 0.009 ? largest : one.tip > 0.004 ? middle : 0.1 + 20.0 * one.tip;
    runs.push_back(wedge_landed(one, series_of(one) == "dry" ? 0.01 : size + (one.seed == 2 ? 0.02 : 0.0)));
  }
  return runs;
}

std::vector<Number> judged_wedges(const std::vector<WedgeRun>& runs) {
  return judge(ten_millimetre_cells(), runs, Preset::desk);
}

Point in_cell(int i, int j) { return {0.005 + 0.01 * i, 0.005 + 0.01 * j, 0.0}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_wedge)

BOOST_AUTO_TEST_CASE(sizes_as_claimed_hold_the_claim_by_semi_implicit_steps_alone) {
  int deciding = 0;
  for (const Number& one : judged_wedges(wedges_as_claimed())) {
    BOOST_TEST((one.verdict == Verdict::pass), one.name);
    if (!one.decides_claim()) continue;
    ++deciding;
    BOOST_TEST(one.name.ends_with("_semi_implicit"), one.name);
  }
  BOOST_TEST(deciding == 6);
  for (const Number& one : judge(ten_millimetre_cells(), wedges_as_claimed(), Preset::smoke))
    if (one.decides_claim()) BOOST_TEST(!one.open_because.empty(), one.name);
}

/// The bound is 0.02, by which the seeds differ.
BOOST_AUTO_TEST_CASE(clumps_grow_by_more_than_seeds_differ_by_and_never_shrink_by_as_much) {
  for (const char* of : {"clump_size_cells", "clump_size_half_full_cells", "clump_size_neighbours",
                         "neighbours_kept", "nearness"}) {
    const std::string grows = std::string(of) + "_grows_explicit",
                      falls = std::string(of) + "_falls_on_the_way_explicit";
    demand(judged_wedges(wedges_as_claimed(0.121, 0.12)), grows, Verdict::pass);
    demand(judged_wedges(wedges_as_claimed(0.119, 0.12)), grows, Verdict::fail);
    demand(judged_wedges(wedges_as_claimed(0.3, 0.121)), falls, Verdict::pass);
    demand(judged_wedges(wedges_as_claimed(0.3, 0.119)), falls, Verdict::fail);
  }
}

/// The reach of a kernel is 36 grains, 0.04 of 900.
BOOST_AUTO_TEST_CASE(dry_sand_has_no_clump_beyond_the_reach_of_a_kernel) {
  const auto with = [](double largest) {
    std::vector<WedgeRun> runs = wedges_as_claimed();
    for (WedgeRun& run : runs)
      if (series_of(run.chosen) == "dry" && run.chosen.seed == 2)
        run.frames.back().clumps[2].largest = largest;
    return judged_wedges(runs);
  };
  demand(with(0.0399), "largest_clump_dry", Verdict::pass);
  demand(with(0.0401), "largest_clump_dry", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(grains_near_the_end_of_the_grid_or_a_block_in_pieces_unmake_the_run) {
  std::vector<WedgeRun> runs = wedges_as_claimed();
  runs.back().frames.back().farthest = 1.181;  // of 1.2 m, less two cells
  demand(judged_wedges(runs), "farthest_grain", Verdict::fail);
  runs.back().frames.back().farthest = 1.179;
  demand(judged_wedges(runs), "farthest_grain", Verdict::pass);
  runs.front().frames.front().clumps[1].mean = 0.89;
  demand(judged_wedges(runs), "clump_size_at_the_start", Verdict::fail);
}

/// e_c of the scene's own cohesion, and T34's and T35's numbers of the two blocks: c Δt/h .106 and 1.20, ρgL/(λ + 2μ) .145 and .114.
BOOST_AUTO_TEST_CASE(blocks_have_the_material_of_table_2) {
  const WedgeSetup printed = wedge_setup(Preset::paper);
  const Scene dry = wedge_scene(printed, {.integrator = Integrator::explicit_, .youngs_modulus = 1.9e4}),
              wet = wedge_scene(printed, {.tip = 0.005});
  BOOST_TEST(std::abs(wave_speed(dry.materials[0]) * dry.step.max_dt / dry.grid.h - 0.106) < 5e-4);
  BOOST_TEST(std::abs(wave_speed(wet.materials[0]) * wet.step.max_dt / wet.grid.h - 1.195) < 1e-3);
  const auto strain = [](const Scene& scene) {
    return 9.81 * 0.15 / std::pow(wave_speed(scene.materials[0]), 2);
  };
  BOOST_TEST(std::abs(strain(dry) - 0.145) < 5e-4);
  BOOST_TEST(std::abs(strain(wet) - 0.114) < 5e-4);
  // α = √(2/3) · 2 sin 30°/(3 − sin 30°), 2λ + 2μ = E/((1 + ν)(1 − 2ν))
  const double due = 0.005 * std::sqrt(2.0 / 3.0) * 0.4 * 2.4e4 / (1.4 * 0.2);
  BOOST_TEST(std::abs(wet.materials[0].cohesion - due) < 1e-9 * due);
  BOOST_TEST(dry.materials[0].cohesion == 0.0);
}

/// A cell of six, one of two that shares a face with it, one of two that shares a corner with that.
BOOST_AUTO_TEST_CASE(clumps_of_cells_are_joined_by_faces_and_thin_cells_fall_to_single_grains) {
  const Scene scene = wedge_scene(ten_millimetre_cells(), {});
  std::vector<Point> grains(6, in_cell(0, 0));
  grains.insert(grains.end(), 2, in_cell(1, 0));
  grains.insert(grains.end(), 2, in_cell(2, 1));
  const ClumpSizes all = clumps_of_cells(grains, scene, 1);
  BOOST_TEST(all.mean == 0.68, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(all.largest == 0.8, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(clumps_of_cells(grains, scene, 2).mean == 0.68, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(clumps_of_cells(grains, scene, 3).mean == 0.40, boost::test_tools::tolerance(1e-12));
}

/// Cells that lie one above the other, of eight grains each; four full cells are sixteen.
BOOST_AUTO_TEST_CASE(clumps_count_from_four_full_cells_on) {
  const Scene scene = wedge_scene(ten_millimetre_cells(), {});
  std::vector<Point> grains(8, in_cell(0, 0));
  grains.insert(grains.end(), 7, in_cell(0, 1));
  BOOST_TEST(clumps_of_cells(grains, scene, 1).count == 0U);
  grains.push_back(in_cell(0, 1));
  BOOST_TEST(clumps_of_cells(grains, scene, 1).count == 1U);
}

/// Three grains 9 mm apart in a row; the last is drawn away.
BOOST_AUTO_TEST_CASE(neighbours_are_kept_up_to_a_distance_and_grains_that_meet_later_are_none) {
  const Scene scene = wedge_scene(ten_millimetre_cells(), {});
  std::vector<Point> grains{Point(0.0, 0.0, 0.0), Point(0.009, 0.0, 0.0), Point(0.018, 0.0, 0.0)};
  const std::vector<GrainPair> pairs = neighbours_within(grains, 0.01);
  BOOST_TEST(pairs.size() == 2U);
  BOOST_TEST(clumps_of_pairs(grains, scene, pairs, 0.015).mean == 1.0);
  grains[2].x() = 0.0241;
  BOOST_TEST(pairs_kept(grains, pairs, 0.015) == 0.5);
  BOOST_TEST(clumps_of_pairs(grains, scene, pairs, 0.015).mean == 5.0 / 9.0,
             boost::test_tools::tolerance(1e-12));
  grains[2].x() = 0.0239;
  BOOST_TEST(pairs_kept(grains, pairs, 0.015) == 1.0);
  grains[2].x() = -0.005;  // beside the first, whose neighbour it never was
  BOOST_TEST(clumps_of_pairs(grains, scene, pairs, 0.015).mean == 1.0);
  grains[2] = Point(-0.007, 0.0, 0.0);
  BOOST_TEST(pairs_kept(grains, pairs, 0.015) == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
