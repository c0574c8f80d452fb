#include "experiments/tampubolon2017/fig04_dam_2d/reversible.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/experiments/dam_run.h"
#include "tests/unit/experiments/number_search.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string_view>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::tampubolon2017 {

namespace {

template <class Change>
std::vector<Number> judged_2d(std::string_view name, Change&& change) {
  ReversibleSetup setup = reversible_setup(Preset::desk);
  std::vector<DamRun> runs;
  for (const DamCase& one : reversible_cases(setup)) {
    runs.push_back(dam_run(setup.dam, one));
    if (one.name == name && one.seed == 1) change(runs.back());
  }
  return judge_reversible(setup, runs, Preset::desk);
}

/// A grain that moves beside a compressed drop at rest, .04 m apart along x, at step_start.
Snapshot pair_of(const Point& grain, const Point& velocity, double cohesion) {
  Snapshot state;
  state.method = method::mixture.name;
  state.fields = method::state_at_rest(method::mixture, 2, 2);
  state.get(field::x).value = {grain.x(), grain.y(), grain.x() + 0.04, grain.y() + 0.01};
  state.get(field::mass).value = {1.0, 2.0};
  state.get(field::volume).value = {5e-4, 1e-3};
  state.get(field::material).value = {0.0, 1.0};
  state.get(field::c_C).value = {cohesion, 0.0};
  state.get(field::v).value = {velocity.x(), velocity.y(), 0.0, 0.0};
  state.get(field::J).value = {1.0, 0.98};
  return state;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_dams)

BOOST_AUTO_TEST_CASE(dams_that_hardly_differ_hold_the_claim_and_others_refute_it) {
  const auto same = judged_2d("mass", [](DamRun&) {});
  for (const Number& one : same)
    if (one.decides_claim()) BOOST_TEST((one.verdict == Verdict::pass), one.name);
  const auto with = [](std::string_view name, auto change) { return judged_2d(name, change); };
  for (const double share : {0.29, 0.31}) {  // in one of three frames: a mean of .097 and .103
    const auto moved = with("mass", [&](DamRun& run) {
      run.frames.back().columns[of_water] = {1.0 - share, share};
    });
    demand(moved, "water_elsewhere_mass_h_40mm", share < 0.3 ? Verdict::pass : Verdict::fail);
    demand(moved, "sand_elsewhere_mass_h_40mm", Verdict::pass);
    demand(moved, "water_elsewhere_volume_h_40mm", Verdict::pass);
  }
  for (const double way : {0.89, 0.91, 1.09, 1.11})
    demand(with("volume", [&](DamRun& run) { run.frames.back().front[of_sand] = 2.4 + way; }),
           "front_of_sand_volume_h_20mm", std::abs(way - 1.0) < 0.1 ? Verdict::pass : Verdict::fail);
  for (const double mixed : {0.09, 0.11, 0.29, 0.31})
    demand(with("volume", [&](DamRun& run) { run.frames.back().mixed = mixed; }), "mixing_volume_h_20mm",
           std::abs(mixed - 0.2) < 0.1 ? Verdict::pass : Verdict::fail);
  demand(with("without", [](DamRun& run) { run.frames.back().cohesion = 0.91; }), "cohesion_left_h_40mm",
         Verdict::fail);
}

BOOST_AUTO_TEST_CASE(momentum_beyond_rounding_and_terms_that_give_none_are_seen) {
  const auto with = [](auto change) {
    return judged_2d("volume", [&](DamRun& run) { change(run.balances.front()); });
  };
  demand(with([](Balance&) {}), "momentum_kept_by_the_reversible_term", Verdict::pass);
  demand(with([](Balance& b) { b.reversible_error = 1.1; }), "momentum_kept_by_the_reversible_term",
         Verdict::fail);
  demand(with([](Balance& b) { b.drag_error = 1.1; }), "momentum_kept_by_drag", Verdict::fail);
  demand(with([](Balance& b) { b.step_error = 1.1; }), "momentum_of_a_step", Verdict::fail);
  demand(with([](Balance& b) { b.mass_error[of_water] = 1.1; }), "mass_on_the_grids", Verdict::fail);
  demand(with([](Balance& b) { b.reach = 4.1; }), "reach_of_water", Verdict::fail);
  ReversibleSetup setup = reversible_setup(Preset::desk);
  std::vector<DamRun> idle;
  for (const DamCase& one : reversible_cases(setup)) {
    idle.push_back(dam_run(setup.dam, one));
    idle.back().balances.front().reversible_given = idle.back().balances.front().drag_given = 0.0;
  }
  demand(judge_reversible(setup, idle, Preset::desk), "momentum_kept_by_the_reversible_term",
         Verdict::undecided);
  demand(judge_reversible(setup, idle, Preset::desk), "momentum_kept_by_drag", Verdict::undecided);
}

BOOST_AUTO_TEST_CASE(scenes_of_flat_dams_are_those_of_their_cases) {
  const ReversibleSetup flat = reversible_setup(Preset::desk);
  for (const DamCase& one : reversible_cases(flat)) {
    const Scene scene = dam_scene(flat.dam, one);
    BOOST_TEST((mixture_options(scene).reversible == one.reversible));
    if (one.drag != Drag::printed) continue;
    // Nodes full of both: c_E m_s m_w = κ h².
    const double full = 2000.0 * one.printed_at * one.printed_at;
    BOOST_TEST(mixture_options(scene).c_E * full * full == 1.57e5 * one.printed_at * one.printed_at,
               boost::test_tools::tolerance(1e-12));
  }
}

/// Two grains and two drops: one cell holds a grain of .02 m³ with a drop of .01, another a grain alone.
BOOST_AUTO_TEST_CASE(a_frame_tells_where_sand_and_water_are) {
  const ReversibleSetup setup = reversible_setup(Preset::desk);
  const Scene scene = dam_scene(setup.dam, reversible_cases(setup).front());
  Snapshot state;
  state.fields = method::state_at_rest(method::mixture, 2, 4);
  state.get(field::x).value = {2.05, 0.05, 3.05, 0.35, 2.07, 0.02, 0.55, 0.85};
  state.get(field::mass).value = {40.0, 60.0, 20.0, 20.0};
  state.get(field::volume).value = {0.02, 0.03, 0.01, 0.01};
  state.get(field::material).value = {0.0, 0.0, 1.0, 1.0};
  state.get(field::c_C).value = {0.0, 3000.0, 0.0, 0.0};
  const DamFrame frame = dam_frame(state, scene, 2.6, 1.0);
  BOOST_TEST(frame.mixed == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(frame.cohesion == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(frame.past[of_sand] == 0.6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(frame.past[of_water] == 0.0);
  BOOST_TEST(frame.farthest[of_water] == 2.07);
  BOOST_TEST(frame.front[of_sand] == 3.05);
  BOOST_TEST(frame.crest == 0.35);
  BOOST_TEST(frame.columns[of_water].at(22) == 0.5);  // from −.2 m on
}

/// In the air and on the floor, which stops the grain: drag and the term act, and nothing of mass and momentum is lost. With the
/// solver of another scene in its place the term's impulse is seen as one that only one phase has, and so is a weight that is not
/// that of the step.
BOOST_AUTO_TEST_CASE(a_step_of_a_grain_and_a_drop_balances_to_rounding) {
  const ReversibleSetup setup = reversible_setup(Preset::desk);
  DamCase one = reversible_cases(setup).front(), plain = one;
  one.reversible = ReversibleTerm::volume;
  const Scene scene = dam_scene(setup.dam, one), other = dam_scene(setup.dam, plain);
  const auto solver = make_solver("reference", scene, {}), without = make_solver("reference", other, {});
  Scene heavier = other;
  heavier.gravity *= 2.0;
  const auto wrong = make_solver("reference", heavier, {});
  for (const Snapshot& state : {pair_of(Point(2.01, 0.51, 0.0), Point(1.0, 0.0, 0.0), 1000.0),
                                pair_of(Point(2.01, 0.01, 0.0), Point(1.0, -1.0, 0.0), 1000.0)}) {
    const Balance balance = balance_of(*solver, without.get(), scene, state, 1e-3);
    BOOST_TEST(balance.drag_given > 0.0);
    BOOST_TEST(balance.reversible_given > 0.0);
    for (const double error : {balance.mass_error[of_sand], balance.mass_error[of_water], balance.drag_error,
                               balance.reversible_error, balance.step_error})
      BOOST_TEST(error <= 1.0);
    BOOST_TEST(balance.reach == 1.0, boost::test_tools::tolerance(1e-9));  // h 40 mm
    BOOST_TEST(balance_of(*solver, wrong.get(), scene, state, 1e-3).reversible_error > 1e6);
    BOOST_TEST(balance_of(*solver, without.get(), heavier, state, 1e-3).step_error > 1e6);
  }
}

BOOST_AUTO_TEST_CASE(only_grains_that_lost_cohesion_count_as_reached_by_water) {
  const ReversibleSetup setup = reversible_setup(Preset::desk);
  const Scene scene = dam_scene(setup.dam, reversible_cases(setup).front());
  const auto solver = make_solver("reference", scene, {});
  const Snapshot dry = pair_of(Point(2.01, 0.51, 0.0), Point::Zero(), 3000.0);
  BOOST_TEST(balance_of(*solver, nullptr, scene, dry, 1e-3).reach == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
