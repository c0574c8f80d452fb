// Whole steps of both solvers, in flow:
//     repose_benchmarks --benchmark_filter='step/optimized/3d/cubic/float/1t/best/100000'
#include "experiments/benchmarks/flow_state.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <chrono>

namespace repose::experiments {

namespace {

/// Shows what the fused step costs that runs are made of. A block that has flowed for 0.1 s is put back,
/// uncounted.
void whole_step(benchmark::State& state, const BenchConfiguration& configuration) {
  const BenchBlock& block = block_in_flow(configuration);
  const auto solver = make_solver(
      configuration.solver, block.scene,
      {.precision = configuration.precision, .threads = configuration.threads, .simd = configuration.simd});
  const StepControl control(block.scene);
  const auto step = [&] {
    solver->advance(
        [&](double speed) { return control.next(solver->time(), speed, control.frame_time(1)).dt; });
  };
  const int warm_up = configuration.solver == "reference" ? 1 : 20;
  double end = 0.0;
  for (auto _ : state) {
    if (solver->time() >= end) {
      solver->load(block.state);
      for (int k = 0; k < warm_up; ++k) step();
      end = 0.1;
    }
    const auto start = std::chrono::steady_clock::now();
    step();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  set_counters(state, configuration, solver->particles(), {});
}

const bool registered = [] {
  for (const BenchConfiguration& one : bench_configurations())
    benchmark::RegisterBenchmark(("step/" + one.name()).c_str(), whole_step, one)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace

}  // namespace repose::experiments
