#include "experiments/bench/table2_timing.h"

#include "experiments/bench/disturbance.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/base/error.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <algorithm>

namespace repose::experiments {

namespace {

/// Steps of one run, and what they came to.
class Stepper {
 public:
  Stepper(Solver& solver, const Scene& scene, Table2Timing& timing,
          const std::function<void(const Table2Progress&)>& progress)
      : solver_(solver), control_(scene), timing_(timing), progress_(progress) {}

  /// No step is shortened by the end of a frame: every step is as long as the controller lets it be.
  void steps(int count) {
    for (int k = 0; k < count && go_on(); ++k) step(0, solver_.time() + 1.0);
  }

  void frame(std::int64_t number) {
    const double end = control_.frame_time(number);
    while (solver_.time() < end && go_on()) step(number, end);
  }

  bool go_on() {
    timing_.interrupted = timing_.interrupted || InterruptGuard::requested();
    return !timing_.interrupted;
  }

 private:
  void step(std::int64_t frame, double end) {
    StepControl::Choice choice;
    timing_.last = solver_.advance([&](double speed) {
      choice = control_.next(solver_.time(), speed, end);
      return choice.dt;
    });
    if (timing_.last.dt >= timing_.controller_dt) {
      timing_.controller_dt = timing_.last.dt;
      timing_.limited_by = timing_.last.dt < choice.dt ? "failed solves" : choice.limited_by;
    }
    timing_.counts += timing_.last.counts;
    ++timing_.steps;
    if (progress_) progress_({.frame = frame, .steps = solver_.steps(), .time = solver_.time()});
  }

  Solver& solver_;
  StepControl control_;
  Table2Timing& timing_;
  const std::function<void(const Table2Progress&)>& progress_;
};

void run(Stepper& stepper, const Table2Pace& pace, int threads, Table2Timing& timing) {
  std::vector<double> shares;
  const auto add = [&](const Stretch& stretch, std::int64_t steps) {
    timing.step_seconds.push_back(stretch.wall / static_cast<double>(steps));
    timing.processor_seconds.push_back(stretch.cpu / static_cast<double>(steps));
    shares.push_back(disturbed_share(stretch, threads));
    timing.disturbed = spread_of(shares).median;
  };
  if (pace.frames == 0) {
    stepper.steps(pace.steps);
    timing.controller_dt = 0.0;
    timing.counts = {};
    timing.steps = 0;
  }
  const int repetitions = pace.frames > 0 ? pace.frames : pace.repeat;
  for (int k = 0; k < repetitions; ++k) {
    const StretchTimer timer;
    const std::int64_t before = timing.steps;
    if (pace.frames > 0) {
      stepper.frame(k + 1);
    } else {
      stepper.steps(pace.steps);
    }
    if (!stepper.go_on()) return;
    const std::int64_t steps = timing.steps - before;
    add(timer.stop(), steps);
    if (pace.frames > 0) timing.frame_steps.push_back(steps);
  }
}

}  // namespace

Table2Timing time_steps(const Table2Row& row, const Scene& scene, Snapshot start, double fewer,
                        const Table2Pace& pace, std::string_view solver, const SolverOptions& options,
                        const std::function<void(const Table2Progress&)>& progress) {
  Table2Timing timing;
  timing.row = &row;
  timing.fewer = fewer;
  timing.scene = scene;
  timing.particles = start.particles();
  const auto made = make_solver(solver, scene, options);
  made->load(start);
  start = {};
  Stepper stepper(*made, scene, timing, progress);
  try {
    run(stepper, pace, options.threads, timing);
  } catch (const SimulationError& error) {
    timing.failure = error.what();
  }
  return timing;
}

Extrapolated extrapolate(const Table2Timing& timing, int threads) {
  const Table2Row& row = *timing.row;
  Extrapolated result;
  result.step = spread_of(timing.step_seconds);
  result.ns = 1e9 * threads * result.step.median / static_cast<double>(timing.particles);
  const double processor_step =
      timing.processor_seconds.empty() ? 0.0 : spread_of(timing.processor_seconds).median;
  result.processor_ns = 1e9 * processor_step / static_cast<double>(timing.particles);
  const double scale = row.particles / static_cast<double>(timing.particles);
  for (double* value :
       {&result.step.least, &result.step.quartile_1, &result.step.median, &result.step.quartile_3})
    *value *= scale;
  result.frame_printed = result.step.median * steps_per_frame(row, row.dt);
  if (timing.frame_steps.empty()) {
    result.steps_per_frame = steps_per_frame(row, timing.controller_dt);
    result.frame = result.step.median * steps_per_frame(row, timing.controller_dt);
    result.processor_frame = scale * processor_step * result.steps_per_frame;
    return result;
  }
  const auto frames = static_cast<double>(timing.frame_steps.size());
  for (std::size_t k = 0; k < timing.frame_steps.size(); ++k) {
    const double steps = static_cast<double>(timing.frame_steps[k]) / frames;
    result.steps_per_frame += steps;
    result.frame += scale * steps * timing.step_seconds[k];
    result.processor_frame += scale * steps * timing.processor_seconds[k];
  }
  return result;
}

}  // namespace repose::experiments
