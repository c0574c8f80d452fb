// An iteration of MINRES in a semi-implicit step beside an explicit step of the same particles, in turn:
//     repose_benchmarks --benchmark_filter='minres/3d/cubic/float/1t'
#include "experiments/benchmarks/flow_state.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <thread>

namespace repose::experiments {

namespace {

/// By the wall, or on one thread by its processor time, which other work on the machine disturbs less.
template <class Do>
double seconds(bool alone, Do&& what) {
  const auto now = [alone] {
    std::timespec t{};
    clock_gettime(alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  what();
  return now() - start;
}

/// One Newton iteration whose linear system takes exactly `products`: its tolerance is beyond what doubles hold.
Scene solved(Scene scene, int products) {
  for (Material& m : scene.materials) {
    m.volume_correction = false;
    m.unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
  }
  MpmOptions& options = mpm_options(scene);
  options.integrator = Integrator::semi_implicit;
  options.energy = Energy::unilateral;
  options.implicit = {.newton_tolerance = 1e-15,
                      .newton_iterations = 1,
                      .gmres_iterations = products,
                      .gmres_tolerance = 1e-15,
                      .step_cuts = 0};
  return scene;
}

/// The solve that is not finished ends in an error, at the same cost each time: what is measured is the difference of two solves.
double solve_seconds(Solver& solver, bool alone, double dt) {
  return seconds(alone, [&] {
    try {
      benchmark::DoNotOptimize(solver.solve_history(dt));
    } catch (const SimulationError&) {
    }
  });
}

/// At rest, 20 explicit bounds of Δt.
void minres_iteration(benchmark::State& state, const BenchConfiguration& configuration) {
  constexpr int few = 4, many = 24;
  const bool alone = configuration.threads == 1;
  const BenchBlock block =
      bench_block(configuration.dim, configuration.kernel, configuration.particles, Motion::rest);
  const SolverOptions options{
      .precision = configuration.precision, .threads = configuration.threads, .simd = configuration.simd};
  const double bound =
      mpm_options(block.scene).elastic_bound * block.scene.grid.h / wave_speed(block.scene.materials[0]);
  const auto stepping = make_solver("optimized", block.scene, options);
  stepping->load(block.state);
  const auto short_solve = make_solver("optimized", solved(block.scene, few), options);
  const auto long_solve = make_solver("optimized", solved(block.scene, many), options);
  for (const auto& one : {short_solve.get(), long_solve.get()}) {
    one->load(block.state);
    one->run(boundary::step_start, boundary::p2g, 20.0 * bound);
  }
  const auto step = [&] { stepping->advance([&](double) { return 0.5 * bound; }); };
  for (int k = 0; k < 5; ++k) step();
  double explicit_s = 0.0, iteration_s = 0.0;
  for (auto _ : state) {
    explicit_s += seconds(alone, step);
    const double one =
        (solve_seconds(*long_solve, alone, 20.0 * bound) - solve_seconds(*short_solve, alone, 20.0 * bound)) /
        (many - few);
    iteration_s += one;
    state.SetIterationTime(std::max(one, 1e-9));
  }
  const double particles = static_cast<double>(stepping->particles());
  const double times = static_cast<double>(state.iterations());
  state.counters["iteration_ns_per_particle"] = 1e9 * iteration_s / times / particles;
  state.counters["step_ns_per_particle"] = 1e9 * explicit_s / times / particles;
  state.counters["iteration_over_step"] = iteration_s / explicit_s;
}

const bool registered = [] {
  std::vector<int> threads{1};
  if (const auto all = static_cast<int>(std::thread::hardware_concurrency()); all > 1) threads.push_back(all);
  for (const int dim : {2, 3})
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
      for (const Precision precision : {Precision::single_, Precision::double_})
        for (const int count : threads) {
          const BenchConfiguration one{
              .dim = dim, .kernel = kernel, .precision = precision, .threads = count};
          benchmark::RegisterBenchmark(
              fmt::format("minres/{}d/{}/{}/{}t", dim, kernel == Kernel::cubic ? "cubic" : "quadratic",
                          precision == Precision::single_ ? "float" : "double", count)
                  .c_str(),
              minres_iteration, one)
              ->UseManualTime()
              ->Iterations(7)
              ->Unit(benchmark::kMillisecond);
        }
  return true;
}();

}  // namespace

}  // namespace repose::experiments
