#include "experiments/run/simulation.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/experiments/fake_solver.h"
#include "tests/unit/experiments/state_snapshots.h"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using namespace repose::test;

BOOST_AUTO_TEST_SUITE(simulation)

BOOST_AUTO_TEST_CASE(observers_see_every_frame_and_step_in_order) {
  const Scene scene = small_scene(2);
  FakeSolver solver(scene);
  solver.load(sample(scene));
  std::vector<std::string> seen;
  double steps_time = 0.0;
  const RunSummary summary =
      simulate(solver, scene, {},
               {.step =
                    [&](const StepRecord& record) {
                      BOOST_TEST(record.time == steps_time);
                      steps_time += record.report.dt;
                      if (seen.empty() || seen.back() != "step") seen.emplace_back("step");
                    },
                .frame =
                    [&](std::int64_t frame, const Solver& at) {
                      BOOST_TEST(at.time() == static_cast<double>(frame) / scene.frame_rate);
                      seen.push_back(std::to_string(frame));
                      return Go::on;
                    }});
  const std::vector<std::string> expected{"0", "step", "1", "step", "2", "step", "3", "step", "4"};
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
  BOOST_TEST(summary.frames == 4);
  BOOST_TEST(summary.end_time == 0.08);
  // Δt ≤ 1 ms and no step shorter than half of that.
  BOOST_TEST(summary.steps >= 80);
  BOOST_TEST(summary.steps <= 164);
  BOOST_TEST(summary.largest_dt <= 1e-3);
  BOOST_TEST(summary.smallest_dt >= 0.5e-3);
  BOOST_TEST(summary.particle_steps == summary.particles * static_cast<std::uint64_t>(summary.steps));
  BOOST_TEST(summary.total.counts[counter::tip] == static_cast<std::uint64_t>(summary.steps));
  BOOST_TEST(summary.total.counts[counter::active_nodes] == 9U);  // the most of any step, here the fifth
  std::int64_t limited = 0;
  for (const auto& [what, count] : summary.limited_by) limited += count;
  BOOST_TEST(limited == summary.steps);
}

BOOST_AUTO_TEST_CASE(an_observer_stops_the_run_at_its_frame) {
  const Scene scene = small_scene(2);
  FakeSolver solver(scene);
  solver.load(sample(scene));
  const RunSummary summary =
      simulate(solver, scene, {},
               {.frame = [](std::int64_t frame, const Solver&) { return frame == 2 ? Go::stop : Go::on; }});
  BOOST_TEST(summary.stopped);
  BOOST_TEST(!summary.interrupted);
  BOOST_TEST(summary.frames == 2);
}

BOOST_AUTO_TEST_CASE(a_run_resumed_within_its_first_frame_does_not_show_frame_0_again) {
  const Scene scene = small_scene(2);
  for (const bool has_stepped : {false, true}) {
    FakeSolver solver(scene);
    solver.load(sample(scene));
    if (has_stepped) solver.run(boundary::step_start, boundary::plasticity, 1e-3);
    std::vector<std::int64_t> seen;
    simulate(solver, scene, {.first_frame = 0}, {.frame = [&](std::int64_t frame, const Solver&) {
               seen.push_back(frame);
               return Go::on;
             }});
    BOOST_TEST_CONTEXT("has stepped: " << has_stepped) {
      BOOST_TEST(seen.front() == (has_stepped ? 1 : 0));
      BOOST_TEST(seen.back() == 4);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_the_run_after_a_complete_step) {
  const Scene scene = small_scene(2);
  FakeSolver solver(scene);
  solver.load(sample(scene));
  solver.before_step = [](std::int64_t step) {
    if (step == 30) std::raise(SIGINT);
  };
  const InterruptGuard series;
  const RunSummary summary = simulate(solver, scene, {}, {});
  BOOST_TEST(summary.interrupted);
  BOOST_TEST(solver.steps() == 31);
  BOOST_TEST(summary.frames == 1);
  // A series of runs sees it too: the next one takes no more than the step that looks.
  BOOST_TEST(InterruptGuard::requested());
}

/// A run whose Δt was halved after failed solves took other steps than its scene asks for.
BOOST_AUTO_TEST_CASE(the_summary_says_how_often_failed_solves_halved_the_step) {
  RunSummary summary;
  summary.method = &method::mpm;
  summary.steps = 4;
  const auto says = [&](const std::string& what) {
    return describe(summary).find(what) != std::string::npos;
  };
  BOOST_TEST(!says("implicit"));
  summary.total.counts[counter::newton_iterations] = 9;
  summary.total.counts[counter::gmres_iterations] = 31;
  BOOST_TEST(says("9 Newton iterations, 31 of GMRES or MINRES; Δt halved 0 times"));
  summary.total.counts[counter::step_cuts] = 3;
  BOOST_TEST(says("Δt halved 3 times"));
}

BOOST_AUTO_TEST_CASE(the_summary_says_in_per_cent_where_the_particle_steps_were) {
  RunSummary summary;
  summary.method = &method::mpm;
  summary.steps = 1;
  summary.particle_steps = 1000;
  summary.total.counts[counter::inside] = 500;
  summary.total.counts[counter::tip] = 125;
  summary.total.counts[counter::surface] = 375;
  BOOST_TEST(
      describe(summary).find("particle-steps: 50.0 % inside the cone, 12.5 % at its tip, 37.5 % on its "
                             "surface") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(after_its_guards_a_signal_is_forgotten) {
  {
    const InterruptGuard guard;
    std::raise(SIGTERM);
    BOOST_TEST(InterruptGuard::requested());
  }
  const InterruptGuard guard;
  BOOST_TEST(!InterruptGuard::requested());
}

BOOST_AUTO_TEST_SUITE_END()
