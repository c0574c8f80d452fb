#include "experiments/liu2021/fig02_sand/block.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/experiments/number_search.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::liu2021 {

namespace {

/// The block on the floor of the box, driven into it and along it.
Snapshot landed(const Scene& scene) {
  Snapshot state = sample(scene);
  Field& x = state.get(field::x);
  Field& v = state.get(field::v);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    x.value[2 * p + 1] -= 41.5;
    v.value[2 * p] = 3.0 + 0.05 * static_cast<double>(p % 20);
    v.value[2 * p + 1] = -1.0;
  }
  return state;
}

std::vector<BlockRun> piles() {
  std::vector<BlockRun> runs;
  for (const bool printed : {false, true})
    for (const std::uint64_t sample : {0U, 1U, 2U}) {
      BlockRun run;
      run.chosen = {.printed_lambda = printed, .sample = sample};
      run.scene = block_scene(run.chosen);
      run.grains.resize(400);
      const double scatter = 0.1 * static_cast<double>(sample);
      run.heaps = {{.time = 20.0, .height = 12.5 + scatter, .runout = 60.0, .moving = 0.0},
                   {.time = 30.0, .height = 12.0 + scatter, .runout = 60.0 + scatter, .moving = 0.0}};
      run.walls = {
          {.nodes = 4, .before = 2.0, .after = {1.0, 3.0}, .beyond = {1.0, 7.0}, .solver_error = 0.5}};
      runs.push_back(run);
    }
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_liu_sand)

/// Departs from [Liu21 Eq.15, Eq.16], whose conditions are swapped.
BOOST_AUTO_TEST_CASE(printed_friction_turns_slow_nodes_round_and_stops_fast_ones) {
  const Point slow(0.4, 0.0, 0.0), fast(5.0, 0.0, 0.0);
  BOOST_TEST(after_friction(FrictionRule::adopted, slow, 1.0).norm() == 0.0);
  BOOST_TEST((after_friction(FrictionRule::adopted, fast, 1.0) - Point(4.0, 0.0, 0.0)).norm() < 1e-15);
  BOOST_TEST((after_friction(FrictionRule::printed, slow, 1.0) - Point(-0.6, 0.0, 0.0)).norm() < 1e-15);
  BOOST_TEST(after_friction(FrictionRule::printed, fast, 1.0).norm() == 0.0);
  for (const FrictionRule rule : {FrictionRule::adopted, FrictionRule::printed})
    BOOST_TEST(after_friction(rule, Point::Zero(), 1.0).norm() == 0.0);
  // 10 m/s, μ 0.5, g 10: 10 m in 2 s.
  BOOST_TEST(std::abs(slide(FrictionRule::adopted, 10.0, 0.5, 10.0, 1e-3, 4000).distance - 10.0) < 0.01);
  BOOST_TEST(slide(FrictionRule::adopted, 10.0, 0.5, 10.0, 1e-3, 4000).speed == 0.0);
  BOOST_TEST(slide(FrictionRule::printed, 10.0, 0.5, 10.0, 1e-3, 4000).distance < 0.011);
}

/// Departs from [Liu21 §4.1], whose λ is ten times that of its modulus.
BOOST_AUTO_TEST_CASE(printed_lambda_means_another_material_than_its_modulus) {
  const Lame corrected = lame(block_scene({}).materials.front());
  BOOST_TEST(std::abs(corrected.lambda - 2.04e5) < 0.005e5);
  BOOST_TEST(std::abs(corrected.mu - 1.36e5) < 0.005e5);
  const Material material = block_scene({.printed_lambda = true}).materials.front();
  BOOST_TEST(std::abs(lame(material).lambda - 2.04e6) < 1e-9 * 2.04e6);
  BOOST_TEST(std::abs(lame(material).mu - 1.36e5) < 1e-9 * 1.36e5);
  BOOST_TEST(std::abs(material.poisson_ratio - 0.469) < 0.0005);
}

BOOST_AUTO_TEST_CASE(every_solver_rubs_walls_by_the_adopted_rule_and_no_other_friction) {
  const Scene scene = block_scene({});
  const Snapshot state = landed(scene);
  for (const std::string& name : solvers_of(method::mpm.name)) {
    const auto solver = make_solver(name, scene);
    const WallNodes seen = look_at_walls(*solver, scene, state, 1e-3);
    BOOST_TEST(seen.nodes > 5U);
    BOOST_TEST(seen.solver_error <= 1.0);
    BOOST_TEST(seen.after[0] < seen.before);
    BOOST_TEST(seen.beyond[0] <= 1.0 + 1e-12);
    BOOST_TEST(seen.beyond[1] > 1.5);
    Scene other = scene;
    for (Collider& wall : other.colliders) wall.friction *= 1.001;
    const auto rougher = make_solver(name, other);
    BOOST_TEST(look_at_walls(*rougher, scene, state, 1e-3).solver_error > 1.0);
  }
}

BOOST_AUTO_TEST_CASE(each_fault_of_a_pile_fails_its_own_number) {
  const std::vector<BlockRun> good = piles();
  const auto gives = [&](const char* name, Verdict verdict, void (*spoil)(BlockRun&)) {
    demand(judge(good, Preset::desk), name, Verdict::pass);
    std::vector<BlockRun> runs = good;
    for (BlockRun& run : runs)
      if (run.chosen.printed_lambda) spoil(run);
    demand(judge(runs, Preset::desk), name, verdict);
  };
  // An even layer is 800/192 = 4.17 high: more than a cell above it is 6.17.
  gives("height_above_an_even_layer_printed_lambda", Verdict::fail,
        [](BlockRun& run) { run.heaps.back().height = 6.1; });
  gives("height_above_an_even_layer_printed_lambda", Verdict::pass,
        [](BlockRun& run) { run.heaps.back().height = 6.3; });
  gives("height_printed_over_corrected_lambda", Verdict::fail,
        [](BlockRun& run) { run.heaps.back().height -= 1.1; });
  gives("height_printed_over_corrected_lambda", Verdict::pass,
        [](BlockRun& run) { run.heaps.back().height -= 0.9; });
  gives("runout_printed_over_corrected_lambda", Verdict::fail,
        [](BlockRun& run) { run.heaps.back().runout += 1.1; });
  gives("sinking_printed_lambda", Verdict::fail, [](BlockRun& run) { run.heaps.back().height -= 1.0; });
  gives("tangential_energy_after_adopted_friction", Verdict::fail,
        [](BlockRun& run) { run.walls[0].after[0] = 2.1; });
  gives("tangential_energy_after_printed_friction", Verdict::pass,
        [](BlockRun& run) { run.walls[0].after[1] = 0.0; });
  gives("impulse_of_adopted_friction", Verdict::fail, [](BlockRun& run) { run.walls[0].beyond[0] = 1.01; });
  gives("friction_of_the_solver", Verdict::fail, [](BlockRun& run) { run.walls[0].solver_error = 1.01; });
  gives("moving_or_outside_at_the_end", Verdict::fail, [](BlockRun& run) { run.outside = 1; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::liu2021
