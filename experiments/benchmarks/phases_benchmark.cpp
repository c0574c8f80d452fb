// Explicit steps of sand alone and of sand and water, as many particles in all, in turn:
//     repose_benchmarks --benchmark_filter='phases/flow/3d/cubic/float/1t'
#include "experiments/bench/statistics.h"
#include "experiments/benchmarks/turns.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <memory>

namespace repose::experiments {

namespace {

/// A block that is stepped as runs are. What has gone on for 0.1 s is put back, uncounted.
class Stepped {
 public:
  Stepped(std::string_view method, const BenchConfiguration& one, Motion motion)
      : block_(block_of(method, one, motion)), alone_(one.threads == 1) {
    if (motion == Motion::flow) run_into_flow(block_, one.threads, {});
    solver_ = make_solver(one.solver, block_.scene, options_of(one));
    control_ = std::make_unique<StepControl>(block_.scene);
  }

  double particles() const { return static_cast<double>(block_.state.particles()); }

  /// Time per particle of a step, of a few [s].
  double turn() {
    constexpr int steps = 5, warm_up = 20;
    if (solver_->time() >= end_) {
      solver_->load(block_.state);
      for (int k = 0; k < warm_up; ++k) step();
      end_ = 0.1;
    }
    const double taken = seconds(alone_, [this] {
      for (int k = 0; k < steps; ++k) step();
    });
    return taken / (steps * particles());
  }

 private:
  void step() {
    solver_->advance(
        [this](double speed) { return control_->next(solver_->time(), speed, control_->frame_time(1)).dt; });
  }

  BenchBlock block_;
  bool alone_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<StepControl> control_;
  double end_ = 0.0;
};

/// Grains and drops count alike. What is told of a turn is formed turn by turn; medians.
void phases(benchmark::State& state, const BenchConfiguration& configuration, Motion motion) {
  Stepped sand(method::mpm.name, configuration, motion), mixture(method::mixture.name, configuration, motion);
  std::vector<double> of_one, of_two;
  for (auto _ : state) {
    of_one.push_back(sand.turn());
    of_two.push_back(mixture.turn());
    state.SetIterationTime(of_two.back() * mixture.particles());
  }
  state.counters["one_phase_ns_per_particle"] = 1e9 * spread_of(of_one).median;
  state.counters["two_phases_ns_per_particle"] = 1e9 * spread_of(of_two).median;
  state.counters["two_over_one"] = spread_of(paired_ratios(of_two, of_one)).median;
}

const bool registered = [] {
  for (const Motion motion : {Motion::rest, Motion::flow})
    for (const BenchConfiguration& one : taken_in_turn())
      benchmark::RegisterBenchmark(fmt::format("phases/{}/{}", to_string(motion), name_in_turn(one)).c_str(),
                                   phases, one, motion)
          ->UseManualTime()
          ->Iterations(11)
          ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace

}  // namespace repose::experiments
