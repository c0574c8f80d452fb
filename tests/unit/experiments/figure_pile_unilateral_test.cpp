#include "experiments/tampubolon2017/fig10_pile_unilateral/judge.h"
#include "experiments/tampubolon2017/fig11_fully_implicit/schemes.h"
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

CollapseSetup ten_millimetres() {
  CollapseSetup setup = cohesion_setup(Preset::desk);
  setup.spacing = 0.01;
  return setup;
}

/// A thousand grains in the middle column, of which some lie in another, 0.195 m away.
CollapseRun fallen(const CollapseSetup& setup, const CollapseCase& one, int away) {
  CollapseRun run;
  run.chosen = one;
  run.scene = collapse_scene(setup, one);
  run.volume.assign(1000, 1e-4);
  CollapseShot shot{.time = 0.6, .grains = std::vector<Point>(1000, Point(0.005, 0.005, 0.0))};
  run.shots.push_back(shot);
  for (int k = 0; k < away; ++k) shot.grains[static_cast<std::size_t>(k)].x() = 0.2;
  run.shots.push_back(shot);
  const bool coheres = one.integrator == Integrator::semi_implicit && one.energy == Energy::hencky;
  run.looks = {{.time = 0.6, .dt = one.max_dt, .tension = coheres ? 1.0 : 0.0, .friction = 0.9}};
  return run;
}

/// As the paper says: explicit runs lie 0.05 apart, regular ones further from them and closer to the middle, the unilateral one not.
std::vector<CollapseRun> as_printed() {
  std::vector<CollapseRun> runs;
  for (const CollapseCase& one : cohesion_cases(Preset::desk)) {
    const int away = one.name.starts_with("regular_1e_2")   ? 0
                     : one.name.starts_with("regular_1e_3") ? 40
                     : one.seed == 2                        ? 150
                                                            : 110;
    runs.push_back(fallen(
        ten_millimetres(), one,
        one.name.starts_with("explicit") && one.name.find("unilateral") == std::string::npos && one.seed == 1
            ? 100
            : away));
  }
  return runs;
}

std::vector<LoneGrain> lone(const std::vector<CollapseRun>& runs, double off) {
  std::vector<LoneGrain> grains;
  for (const CollapseRun& run : runs)
    if (run.chosen.seed == 1) {
      const bool coheres =
          run.chosen.integrator == Integrator::semi_implicit && run.chosen.energy == Energy::hencky;
      grains.push_back(
          {.chosen = run.chosen, .courant = 1.0, .taken = (coheres ? 0.8 : 0.0) + off, .lagged = 0.8});
    }
  return grains;
}

std::vector<Number> judged_with(const std::string& which, int away) {
  std::vector<CollapseRun> runs = as_printed();
  for (CollapseRun& run : runs)
    if (run.chosen.name == which) run = fallen(ten_millimetres(), run.chosen, away);
  return judge_cohesion(runs, lone(runs, 0.0), Preset::desk);
}

std::vector<CollapseRun> schemes_as_printed() {
  std::vector<CollapseRun> runs;
  for (const CollapseCase& one : scheme_cases()) {
    const bool regular = one.name == "semi_implicit_regular";
    const bool first = one.name == "implicit_unilateral" && one.seed == 1;
    runs.push_back(fallen(scheme_setup(Preset::desk), one,
                          regular         ? 0
                          : first         ? 100
                          : one.seed == 2 ? 150
                                          : 110));
  }
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_pile_unilateral)

BOOST_AUTO_TEST_CASE(piles_as_printed_hold_the_claim_in_every_number) {
  const std::vector<CollapseRun> runs = as_printed();
  for (const Number& one : judge_cohesion(runs, lone(runs, 0.0), Preset::desk))
    if (one.decides_claim()) BOOST_TEST((one.verdict == Verdict::pass), one.name);
  for (const Number& one : judge_schemes(schemes_as_printed(), Preset::desk))
    if (one.decides_claim()) BOOST_TEST((one.verdict == Verdict::pass), one.name);
}

/// The explicit run has a tenth of its sand away from the middle, other seeds differ from it by 0.05.
BOOST_AUTO_TEST_CASE(a_profile_counts_as_that_of_the_explicit_run_up_to_what_seeds_differ_by) {
  demand(judged_with("unilateral_1e_2", 149), "profile_distance_unilateral_1e_2", Verdict::pass);
  demand(judged_with("unilateral_1e_2", 151), "profile_distance_unilateral_1e_2", Verdict::fail);
  demand(judged_with("regular_1e_3", 49), "profile_distance_regular_1e_3", Verdict::pass);
  demand(judged_with("regular_1e_3", 51), "profile_distance_regular_1e_3", Verdict::fail);
  demand(judged_with("unilateral_1e_2", 159), "unilateral_is_nearer_than_regular_1e_3", Verdict::pass);
  demand(judged_with("unilateral_1e_2", 161), "unilateral_is_nearer_than_regular_1e_3", Verdict::fail);
  demand(judged_with("unilateral_1e_2", 201), "unilateral_is_nearer_than_regular_1e_2", Verdict::fail);
  demand(judged_with("regular_1e_3", 201), "smaller_steps_are_nearer", Verdict::fail);
}

/// Half a cell is 0.005 of 0.005 + 0.195/10 m: 25.6 grains fewer in the far column.
BOOST_AUTO_TEST_CASE(cohesion_shortens_a_pile_by_half_a_cell_and_never_lengthens_it) {
  demand(judged_with("unilateral_1e_2", 75), "spread_lost_unilateral_1e_2", Verdict::pass);
  demand(judged_with("unilateral_1e_2", 74), "spread_lost_unilateral_1e_2", Verdict::fail);
  demand(judged_with("unilateral_1e_2", 900), "spread_lost_unilateral_1e_2", Verdict::pass);
  demand(judged_with("regular_1e_3", 74), "spread_lost_regular_1e_3", Verdict::pass);
  demand(judged_with("regular_1e_3", 75), "spread_lost_regular_1e_3", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(lone_grains_lose_what_t44_says_and_dry_sand_bears_no_tension) {
  std::vector<CollapseRun> runs = as_printed();
  for (const double off : {-1.1e-3, 1.1e-3})
    for (const Number& one : judge_cohesion(runs, lone(runs, off), Preset::desk))
      if (one.name.starts_with("parting_")) BOOST_TEST((one.verdict == Verdict::fail), one.name);
  for (CollapseRun& run : runs)
    run.looks = {{.tension = 2e-6 * block_pressure(run.scene), .friction = 1.002}};
  for (const Number& one : judge_cohesion(runs, lone(runs, 0.0), Preset::desk)) {
    const bool regular = one.name.find("_regular_") != std::string::npos;
    if (one.name.starts_with("tension_"))
      BOOST_TEST((one.verdict == (regular ? Verdict::pass : Verdict::fail)), one.name);
    if (one.name.starts_with("friction_in_a_step_")) BOOST_TEST((one.verdict == Verdict::fail), one.name);
  }
}

/// With C = c Δt/h of T44, c² = (λ + 2μ)/ρ: .985626 and .999854 at h 2.5 mm. Along both axes λ + 2μ gives way to 2λ + 2μ.
BOOST_AUTO_TEST_CASE(the_share_of_a_lone_grain_is_that_of_t44_with_the_stiffness_of_two_axes) {
  const CollapseSetup setup = cohesion_setup(Preset::paper);
  const Scene scene = collapse_scene(setup, {.name = "explicit"});
  for (const double dt : {1e-3, 1e-2}) {
    const double c = courant_of(scene, dt), uniaxial = 4.0 * c * c / (1.0 + 4.0 * c * c);
    BOOST_TEST(std::abs(uniaxial - (dt < 5e-3 ? 0.985626 : 0.999854)) < 1e-6);
    const double both = lagged_share(scene, dt);
    // ν = .4: (2λ + 2μ)/(λ + 2μ) = 5/3
    BOOST_TEST(std::abs(both / (1.0 - both) / (uniaxial / (1.0 - uniaxial)) - 5.0 / 3.0) < 1e-9);
  }
  BOOST_TEST(std::abs(static_strain(scene) - 0.0247) < 1e-4);
}

BOOST_AUTO_TEST_CASE(a_step_takes_the_share_of_a_lone_grain_that_is_expected_of_it) {
  FigureRequest request;
  request.method = "mpm";
  request.solver = "reference";
  const CollapseSetup setup = cohesion_setup(Preset::smoke);
  for (const Energy energy : {Energy::hencky, Energy::unilateral}) {
    const Scene scene = collapse_scene(
        setup, {.name = "one", .integrator = Integrator::semi_implicit, .energy = energy, .max_dt = 1e-3});
    const double due = energy == Energy::hencky ? lagged_share(scene, 1e-3) : 0.0;
    BOOST_TEST(std::abs(parting_speed_taken(scene, request, 1e-3) - due) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(sand_of_the_printed_density_is_judged_beside_its_own_explicit_run_and_decides_nothing) {
  std::vector<CollapseRun> runs = as_printed();
  for (CollapseRun& run : runs)
    if (run.chosen.name == "explicit_printed_density") run = fallen(ten_millimetres(), run.chosen, 500);
  const std::vector<Number> numbers = judge_cohesion(runs, lone(runs, 0.0), Preset::desk);
  demand(numbers, "profile_distance_unilateral_1e_2", Verdict::pass);
  demand(numbers, "profile_distance_unilateral_1e_2_printed_density", Verdict::fail);
  demand(numbers, "spread_lost_unilateral_1e_2_printed_density", Verdict::fail);
  int dense = 0;
  for (const Number& one : numbers) {
    if (!one.name.ends_with("_printed_density")) continue;
    ++dense;
    BOOST_TEST(!one.decides_claim(), one.name);
  }
  BOOST_TEST(dense >= 20);
  for (const CollapseRun& run : runs)
    BOOST_TEST(std::abs(static_strain(run.scene) - (run.chosen.density ? 0.247 : 0.0247)) < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_run_that_ended_early_is_told_and_has_no_profile) {
  for (const bool dense : {false, true}) {
    std::vector<CollapseRun> runs = as_printed();
    for (CollapseRun& run : runs)
      if (run.chosen.name == std::string("unilateral_1e_2") + (dense ? "_printed_density" : ""))
        run.failure = "no velocities";
    const std::vector<Number> numbers = judge_cohesion(runs, lone(runs, 0.0), Preset::desk);
    demand(numbers, "runs_ended_early", dense ? Verdict::pass : Verdict::fail);
    demand(numbers, "runs_ended_early_printed_density", dense ? Verdict::fail : Verdict::pass);
    for (const std::string what : {"profile_distance_", "spread_lost_", "clumps_"}) {
      demand(numbers, what + "unilateral_1e_2", dense ? Verdict::pass : Verdict::undecided);
      demand(numbers, what + "unilateral_1e_2_printed_density", dense ? Verdict::undecided : Verdict::pass);
    }
  }
}

/// Cells of 10 mm: two that share a face, and one that shares a corner with them.
BOOST_AUTO_TEST_CASE(clumps_are_cells_joined_by_faces_with_the_grains_of_four_cells_at_least) {
  CollapseRun run = fallen(ten_millimetres(), {.name = "explicit"}, 0);
  const auto cell = [](int i, int j) { return Point(0.005 + 0.01 * i, 0.005 + 0.01 * j, 0.0); };
  std::vector<Point>& grains = run.shots.back().grains;
  grains.assign(8, cell(0, 0));
  grains.insert(grains.end(), 7, cell(0, 1));
  BOOST_TEST(clumps(run, 1) == 0);
  grains.push_back(cell(0, 1));
  BOOST_TEST(clumps(run, 1) == 1);
  grains.insert(grains.end(), 15, cell(1, 2));
  BOOST_TEST(clumps(run, 1) == 1);
  grains.push_back(cell(1, 2));
  BOOST_TEST(clumps(run, 1) == 2);
}

BOOST_AUTO_TEST_CASE(semi_implicit_piles_count_as_fully_implicit_up_to_what_seeds_differ_by) {
  std::vector<CollapseRun> runs = schemes_as_printed();
  const auto with = [&](int away) {
    for (CollapseRun& run : runs)
      if (run.chosen.name == "semi_implicit_unilateral")
        run = fallen(scheme_setup(Preset::desk), run.chosen, away);
    return judge_schemes(runs, Preset::desk);
  };
  demand(with(149), "distance_from_implicit_semi_implicit_unilateral", Verdict::pass);
  demand(with(151), "distance_from_implicit_semi_implicit_unilateral", Verdict::fail);
  demand(with(199), "unilateral_is_nearer_than_regular", Verdict::pass);
  demand(with(201), "unilateral_is_nearer_than_regular", Verdict::fail);
  BOOST_TEST(number(with(110), "distance_from_implicit_semi_implicit_regular").value == 0.1,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(smoke_decides_no_claim_of_a_collapse) {
  const std::vector<CollapseRun> runs = as_printed();
  for (const Number& one : judge_cohesion(runs, lone(runs, 0.0), Preset::smoke))
    if (one.kind == Kind::paper_claim) BOOST_TEST(!one.open_because.empty(), one.name);
  for (const Number& one : judge_schemes(schemes_as_printed(), Preset::smoke))
    if (one.decides_claim()) BOOST_TEST(!one.open_because.empty(), one.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
