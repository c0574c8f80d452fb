#include "experiments/figures/scene_run.h"
#include "experiments/klar2016/fig14_column_cases/cases.h"
#include "experiments/klar2016/fig15_yield_surface/returns.h"
#include "experiments/klar2016/fig16_hardening/widening.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/number_search.h"
#include "validation/metrics/elastic_state.h"

#include <cmath>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::klar2016 {

namespace {

constexpr double u = 0x1p-53;

/// One particle at plasticity with principal strains (mean + shear, mean − shear), said to be of a case.
Snapshot state_of(const Scene& scene, double mean, double shear, double part) {
  Snapshot state = placed_particles(scene, {Point::Zero()});
  state.get(field::F).value = {std::exp(mean + shear), 0.0, 0.0, std::exp(mean - shear)};
  state.set({.name = std::string(field::plastic_case),
             .unit = "",
             .place = Place::particle,
             .components = 1,
             .value = {part}});
  return state;
}

/// Shear at which a state of given mean strain lies on the cone of slope α: √2 s + (dλ + 2μ)/2μ · α · 2 mean = 0.
double shear_on_cone(const Scene& scene, double mean, double alpha) {
  const Lame sand = lame(scene.materials.front());
  return -(2.0 * sand.lambda + 2.0 * sand.mu) / (2.0 * sand.mu) * alpha * 2.0 * mean / std::sqrt(2.0);
}

CasesRun cases_run(const Scene& scene) {
  CasesRun run;
  run.solver = "reference";
  run.scene = scene;
  run.rounding = {.unit = u, .strain = "F"};
  run.errors.judged = {5, 5, 5};
  run.summary.particle_steps = 100;
  run.summary.total.counts[counter::inside] = 40;
  run.summary.total.counts[counter::tip] = 20;
  run.summary.total.counts[counter::surface] = 40;
  run.shares = {{0.1, {0.1, 0.1, 0.8}}, {0.2, {0.8, 0.1, 0.1}}};
  return run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_yield)

BOOST_AUTO_TEST_CASE(states_outside_the_cone_or_short_of_it_exceed_the_bound_of_rounding) {
  const Scene scene = cases_scene(0.01, 0.1);
  const double shear = shear_on_cone(scene, -0.01, cone_slope(30.0 * degree));
  const auto errors_of = [&](double mean, double s, double part) {
    CaseErrors errors;
    add_errors(errors, state_of(scene, mean, s, part), scene, {.unit = u, .strain = "F"});
    return errors;
  };
  BOOST_TEST(errors_of(-0.01, shear, 3.0).outside <= 1.0);
  BOOST_TEST(errors_of(-0.01, shear, 3.0).surface_inside <= 1.0);
  BOOST_TEST(errors_of(-0.01, shear * (1.0 + 1e-9), 3.0).outside > 1.0);
  BOOST_TEST(errors_of(-0.01, shear * (1.0 - 1e-9), 3.0).surface_inside > 1.0);
  BOOST_TEST(errors_of(-0.01, shear * (1.0 - 1e-9), 1.0).surface_inside == 0.0);
  BOOST_TEST(errors_of(0.0, 0.0, 2.0).tip_strain <= 1.0);
  BOOST_TEST(errors_of(-1e-10, 0.0, 2.0).tip_strain > 1.0);
  BOOST_TEST(errors_of(0.0, 0.0, 0.0).unknown == 1U);
}

BOOST_AUTO_TEST_CASE(single_precision_is_held_closer_where_a_solver_keeps_the_strain) {
  const Scene scene = cases_scene(0.01, 0.1);
  const double shear = shear_on_cone(scene, -0.01, cone_slope(30.0 * degree));
  const auto outside = [&](double s, std::string_view stored) {
    CaseErrors errors;
    add_errors(errors, state_of(scene, -0.01, s, 3.0), scene, {.unit = 0x1p-24, .strain = stored});
    return errors.outside;
  };
  BOOST_TEST(outside(1.0005 * shear, "F") <= 1.0);
  BOOST_TEST(outside(1.0005 * shear, "hencky") > 1.0);
  BOOST_TEST(outside((1.0 + 0x1p-22) * shear, "hencky") <= 1.0);
}

BOOST_AUTO_TEST_CASE(each_fault_of_the_cases_fails_its_own_number) {
  const Scene scene = cases_scene(0.01, 0.1);
  for (const char* name :
       {"yield_residual_reference", "surface_residual_reference", "tip_strain_reference", "share_inside",
        "share_tip", "share_surface", "slip_at_the_end_over_its_peak", "particles_without_a_case"}) {
    demand(judge(std::vector<CasesRun>{cases_run(scene)}), name, Verdict::pass);
  }
  const auto gives = [&](const char* name, Verdict verdict, void (*spoil)(CasesRun&)) {
    CasesRun run = cases_run(scene);
    spoil(run);
    demand(judge(std::vector<CasesRun>{run}), name, verdict);
  };
  gives("yield_residual_reference", Verdict::fail, [](CasesRun& run) { run.errors.outside = 1.01; });
  gives("surface_residual_reference", Verdict::fail, [](CasesRun& run) { run.errors.surface_inside = 1.01; });
  gives("surface_residual_reference", Verdict::undecided, [](CasesRun& run) { run.errors.judged[2] = 0; });
  gives("tip_strain_reference", Verdict::fail, [](CasesRun& run) { run.errors.tip_strain = 1.01; });
  gives("share_tip", Verdict::fail, [](CasesRun& run) { run.summary.total.counts[counter::tip] = 0; });
  gives("slip_at_the_end_over_its_peak", Verdict::fail, [](CasesRun& run) { run.shares.pop_back(); });
  gives("particles_without_a_case", Verdict::fail, [](CasesRun& run) { run.errors.unknown = 1; });
}

/// The falling block has some particles apart and some pressed together, in other shares in every frame.
BOOST_AUTO_TEST_CASE(shares_of_the_cases_are_of_each_frame_alone) {
  const Scene scene = cases_scene(0.02, 0.2);
  const FigureRequest request{
      .folder = {}, .method = "mpm", .solver = "optimized", .options = {.threads = 1}};
  std::array<std::uint64_t, 3> so_far{};
  std::vector<std::array<std::uint64_t, 3>> at_frame_end;
  RunWatch watch;
  watch.step = [&](const StepRecord& record, const Solver&) {
    so_far[0] += record.report.counts[counter::inside];
    so_far[1] += record.report.counts[counter::tip];
    so_far[2] += record.report.counts[counter::surface];
  };
  watch.frame = [&](std::int64_t, const Solver&) {
    at_frame_end.push_back(so_far);
    return Go::on;
  };
  const SceneRun whole = run_scene(scene, request, {.label = "whole"}, watch);
  const CasesRun run = collapse_cases(scene, request);
  BOOST_TEST_REQUIRE(run.shares.size() >= 2U);
  BOOST_TEST_REQUIRE(at_frame_end.size() == run.shares.size() + 1);
  std::size_t unlike_the_whole = 0;
  for (std::size_t frame = 0; frame < run.shares.size(); ++frame) {
    const auto &before = at_frame_end[frame], &after = at_frame_end[frame + 1];
    double of_frame = 0.0;
    double of_all = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      of_frame += static_cast<double>(after[k] - before[k]);
      of_all += static_cast<double>(after[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      BOOST_TEST(run.shares[frame].share[k] == static_cast<double>(after[k] - before[k]) / of_frame);
      if (static_cast<double>(after[k]) / of_all != run.shares[frame].share[k]) ++unlike_the_whole;
    }
  }
  BOOST_TEST(unlike_the_whole >= 2U);
  // Beside them: what a run says of its steps is the way of the fastest wave in cells.
  const Material& sand = scene.materials.front();
  const double wave = std::sqrt((lame(sand).lambda + 2.0 * lame(sand).mu) / sand.density);
  BOOST_TEST(whole.courant == wave * whole.summary.largest_dt / 0.02, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(trial_states_reach_every_case_and_every_solver_returns_them_right) {
  for (const SolverChoice& solver : all_solvers(method::mpm.name)) {
    for (const int dim : {2, 3}) {
      const ReturnErrors errors = measure_returns(dim, solver, 400);
      for (const std::size_t states : errors.states) BOOST_TEST(states > 10U);
      for (const Number& number : judge(std::vector<ReturnErrors>{errors})) {
        BOOST_TEST((number.verdict == Verdict::pass), number.name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(each_fault_of_a_return_fails_its_own_number) {
  ReturnErrors good;
  good.solver.label = "x";
  good.dim = 2;
  good.states = {1, 1, 1};
  const auto fails = [&](const char* name, void (*spoil)(ReturnErrors&)) {
    demand(judge(std::vector<ReturnErrors>{good}), name, Verdict::pass);
    ReturnErrors bad = good;
    spoil(bad);
    demand(judge(std::vector<ReturnErrors>{bad}), name, Verdict::fail);
  };
  fails("wrong_case_2d_x", [](ReturnErrors& e) { e.wrong_case = 1; });
  fails("inside_unchanged_2d_x", [](ReturnErrors& e) { e.unchanged = 1.01; });
  fails("tip_strain_2d_x", [](ReturnErrors& e) { e.tip = 1.01; });
  fails("trace_kept_2d_x", [](ReturnErrors& e) { e.trace = 1.01; });
  fails("on_cone_2d_x", [](ReturnErrors& e) { e.on_cone = 1.01; });
  fails("direction_kept_2d_x", [](ReturnErrors& e) { e.direction = 1.01; });
  fails("idempotence_2d_x", [](ReturnErrors& e) { e.idempotence = 1.01; });
  fails("hardening_2d_x", [](ReturnErrors& e) { e.hardening = 1.01; });
  good.states[1] = 0;
  demand(judge(std::vector<ReturnErrors>{good}), "wrong_case_2d_x", Verdict::undecided);
}

/// A state on the cone of φ(q), judged with that q and with another.
BOOST_AUTO_TEST_CASE(a_stress_off_the_cone_of_its_hardening_state_is_seen) {
  const Scene scene = hardening_scene(0.01, 0.1);
  const double q = 0.7;
  const double shear =
      shear_on_cone(scene, -0.01, cone_slope(hardened_angle(scene.materials.front().friction, q)));
  const auto error_of = [&](double of_q) {
    HardeningRun run;
    run.rounding = {.unit = u, .strain = "F"};
    const Snapshot after = state_of(scene, -0.01, shear, 3.0);
    Snapshot before = after;
    before.get(field::q).value = {of_q};
    add_slips(run, before, after, scene);
    BOOST_TEST(run.slipped == 1U);
    return run.curve_error;
  };
  BOOST_TEST(error_of(q) <= 1.0);
  BOOST_TEST(error_of(q + 1e-9) > 1.0);
}

BOOST_AUTO_TEST_CASE(hardening_that_softens_fails) {
  HardeningRun run;
  run.solver = "x";
  run.scene = hardening_scene(0.01, 0.1);
  run.slipped = 1;
  run.q = {0.1, 1.0, 4.0};
  HardeningFrame frame;
  for (MarkedState& marked : frame.marked) marked.friction_angle = 26.0 * degree;
  run.frames = {frame, frame};
  for (const char* name : {"largest_decrease_of_q_x", "angle_on_curve_x", "widening_of_marked_1",
                           "spread_of_angles", "share_past_the_widest_cone"}) {
    demand(judge(std::vector<HardeningRun>{run}), name, Verdict::pass);
  }
  run.largest_decrease = 1e-9;
  run.curve_error = 1.01;
  run.frames.back().marked[0].friction_angle = 25.0 * degree;
  run.q = {4.5, 4.5, 4.5};
  for (const char* name :
       {"largest_decrease_of_q_x", "angle_on_curve_x", "spread_of_angles", "share_past_the_widest_cone"}) {
    demand(judge(std::vector<HardeningRun>{run}), name, Verdict::fail);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::klar2016
