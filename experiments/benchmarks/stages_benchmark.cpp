// Every stage of both solvers between two of its boundaries, in flow:
//     repose_benchmarks --benchmark_filter='stage/optimized/3d/cubic/float/1t/best/100000'
#include "experiments/benchmarks/flow_state.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <chrono>

namespace repose::experiments {

namespace {

/// Stepwise stages store what lies between them: together they take longer than a fused step.
void stage(benchmark::State& state, const BenchConfiguration& configuration, std::size_t timed) {
  const BenchBlock& block = block_in_flow(configuration);
  const auto solver = make_solver(
      configuration.solver, block.scene,
      {.precision = configuration.precision, .threads = configuration.threads, .simd = configuration.simd});
  const double dt = StepControl(block.scene).next(0.0, 1.0, 1.0).dt;
  const auto boundaries = solver->boundaries();
  double end = 0.0;
  for (auto _ : state) {
    if (solver->time() >= end) {
      solver->load(block.state);
      end = 0.1;
    }
    for (std::size_t k = 0; k + 1 < boundaries.size(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      solver->run(boundaries[k], boundaries[k + 1], dt);
      if (k == timed)
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }
  state.counters["particle_steps/s"] =
      benchmark::Counter(static_cast<double>(solver->particles()) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const BenchConfiguration& one : bench_configurations()) {
    const BenchBlock smallest = bench_block(one.dim, one.kernel, 64, Motion::rest);
    const auto solver =
        make_solver(one.solver, smallest.scene, {.precision = one.precision, .threads = 1, .simd = one.simd});
    const auto boundaries = solver->boundaries();
    for (std::size_t k = 0; k + 1 < boundaries.size(); ++k)
      benchmark::RegisterBenchmark(fmt::format("stage/{}/{}", one.name(), boundaries[k + 1]).c_str(), stage,
                                   one, k)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace

}  // namespace repose::experiments
