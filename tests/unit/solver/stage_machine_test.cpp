#include "reference/solver/stage_machine.h"
#include "reference/interface/particles/particle_ids.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace repose;

namespace {

/// What the stages of these tests did, in a method of their own: half a step, a solve, the other half.
struct Trace {
  std::vector<std::string> done;
  std::vector<double> dt;
  ParticleIds ids = without_first();  ///< the particle at place p has the id p + 1

 private:
  static ParticleIds without_first() {
    ParticleIds result;
    result.append(10);
    const std::array<std::size_t, 1> first{0};
    result.remove(first);
    return result;
  }
};

/// Δt that the solve can do [s]; longer ones fail. The stage behind it refuses a Δt of exactly `refused`.
constexpr double solvable = 0.3;
constexpr double refused = 0.25;

void half(Trace& state, const StepContext& step, StepReport&) {
  state.done.emplace_back("half");
  state.dt.push_back(step.dt);
}
void solve(Trace& state, const StepContext& step, StepReport&) {
  if (step.dt > solvable) throw SolveFailure("too long", 7);
  state.done.emplace_back("solve");
  state.dt.push_back(step.dt);
}
void rest(Trace& state, const StepContext& step, StepReport&) {
  if (step.dt == refused) throw StageFailure("no such step", 3);
  state.done.push_back("rest at " + std::to_string(step.time));
  state.dt.push_back(step.dt);
}

constexpr std::array<Stage<Trace>, 3> stages{{{"half", half}, {"solved", solve}, {"rest", rest}}};

struct Bench {
  Scene scene;
  Trace state;
  StepReport report;
  StageMachine<Trace> machine{scene, stages};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stage_machine)

BOOST_FIXTURE_TEST_CASE(boundaries_are_the_start_and_the_end_of_each_stage, Bench) {
  const std::vector<Boundary> expected{"step_start", "half", "solved", "rest"};
  BOOST_TEST(std::vector<Boundary>(machine.boundaries().begin(), machine.boundaries().end()) == expected,
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(time_and_steps_move_on_at_the_end_of_a_step_and_its_stages_see_the_start, Bench) {
  Snapshot header;
  header.time = 2.0;
  header.step = 5;
  machine.stand_at(header);
  machine.step(state, 0.125, 0, report);
  BOOST_TEST(machine.time() == 2.125);
  BOOST_TEST(machine.steps() == 6);
  machine.begin_step();
  BOOST_TEST(machine.time() == 2.125);
  BOOST_TEST(machine.steps() == 6);
  machine.step(state, 0.125, 0, report);
  BOOST_TEST(state.done.back() == "rest at 2.125000");
  BOOST_TEST(machine.time() == 2.25);
}

BOOST_FIXTURE_TEST_CASE(saved_states_have_the_time_of_the_boundary_that_was_asked_for, Bench) {
  machine.step(state, 0.125, 0, report);
  Snapshot end, next;
  end.at = "rest";
  machine.stamp(end);
  machine.stamp(next);
  BOOST_TEST(end.time == 0.0);
  BOOST_TEST(end.step == 0);
  BOOST_TEST(next.time == 0.125);
  BOOST_TEST(next.step == 1);
  BOOST_TEST(end.dt == 0.125);
}

BOOST_FIXTURE_TEST_CASE(only_where_it_stands_a_machine_goes_on, Bench) {
  const auto says_solved = [](const std::logic_error& error) {
    return std::string_view(error.what()).ends_with("stands at solved");
  };
  machine.run(state, machine.enter("step_start", "solved", 0.125), report);
  BOOST_CHECK_THROW(machine.require("half", "load"), std::logic_error);
  BOOST_CHECK_NO_THROW(machine.require("solved", "load"));
  BOOST_CHECK_THROW(machine.require("forces", "load"), std::invalid_argument);
  BOOST_CHECK_EXCEPTION(machine.begin_step(), std::logic_error, says_solved);
  BOOST_CHECK_EXCEPTION(machine.require("step_start", "load"), std::logic_error, says_solved);
  BOOST_CHECK_THROW(machine.enter("solved", "half", 0.125), std::invalid_argument);
  BOOST_CHECK_THROW(machine.enter("solved", "rest", 0.0625), std::invalid_argument);
  machine.run(state, machine.enter("solved", "rest", 0.125), report);
  BOOST_CHECK_NO_THROW(machine.require("rest", "load"));
  BOOST_CHECK_NO_THROW(machine.require("step_start", "load"));
  for (const double dt : {-1.0, std::nan(""), HUGE_VAL})
    BOOST_CHECK_THROW(machine.enter("step_start", "half", dt), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(failed_solves_halve_the_step_as_often_as_allowed_and_later_stages_take_what_is_left,
                        Bench) {
  BOOST_TEST(machine.step(state, 0.8, 2, report) == 2);
  const std::vector<double> expected{0.8, 0.2, 0.2};
  BOOST_TEST(state.dt == expected, boost::test_tools::per_element());
  BOOST_TEST(machine.dt() == 0.2);
  BOOST_TEST(machine.time() == 0.2);

  machine.begin_step();
  BOOST_CHECK_EXCEPTION(machine.step(state, 0.8, 1, report), SimulationError,
                        [](const SimulationError& error) {
                          const std::string text = error.what();
                          return text.find("after 1 cuts: too long") != std::string::npos &&
                                 error.particle == 8 && error.boundary == "solved" && error.step == 1;
                        });
}

BOOST_FIXTURE_TEST_CASE(a_given_step_is_never_halved, Bench) {
  const auto stretch = machine.enter("step_start", "rest", 0.8);
  BOOST_CHECK_THROW(machine.run(state, stretch, report), SimulationError);
  BOOST_TEST(machine.dt() == 0.8);
}

BOOST_FIXTURE_TEST_CASE(an_error_names_the_stage_it_comes_from_and_is_no_reason_to_halve, Bench) {
  BOOST_CHECK_EXCEPTION(machine.step(state, refused, 5, report), SimulationError,
                        [](const SimulationError& error) {
                          return error.particle == 4 && error.boundary == "rest" && error.step == 0;
                        });
}

BOOST_FIXTURE_TEST_CASE(the_state_before_a_stage_of_the_last_run_is_found_again, Bench) {
  BOOST_CHECK_THROW(machine.before("half", "x"), std::logic_error);
  machine.run(state, machine.enter("step_start", "half", 0.125), report);
  machine.run(state, machine.enter("half", "rest", 0.125), report);
  BOOST_CHECK_THROW(machine.before("half", "x"), std::logic_error);
  BOOST_TEST(machine.before("solved", "x").done.size() == 1U);
  BOOST_TEST(machine.before("rest", "x").done.size() == 2U);
  BOOST_TEST(state.done.size() == 3U);
  machine.forget();
  BOOST_CHECK_THROW(machine.before("rest", "x"), std::logic_error);

  machine.run(state, machine.enter("step_start", "half", 0.125), report);
  BOOST_CHECK_NO_THROW(machine.before("half", "x"));
  machine.run(state, machine.enter("half", "rest", 0.125), report);
  machine.begin_step();
  machine.step(state, 0.125, 0, report);
  BOOST_CHECK_THROW(machine.before("rest", "x"), std::logic_error);  // a whole step is nobody's to look into
}

BOOST_AUTO_TEST_SUITE_END()
