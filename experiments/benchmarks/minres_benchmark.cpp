// An iteration of MINRES in a semi-implicit step beside an explicit step of the same particles, in turn, of sand and of sand and
// water:
//     repose_benchmarks --benchmark_filter='minres/3d/cubic/float/1t'
//     repose_benchmarks --benchmark_filter='minres_of_both/3d/cubic/float/1t'
#include "experiments/benchmarks/turns.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mpm.h"
#include "validation/solvers.h"

#include <algorithm>
#include <utility>

namespace repose::experiments {

namespace {

/// One Newton iteration whose linear system takes exactly `products`: its tolerance is beyond what doubles hold.
Scene solved(Scene scene, int products) {
  for (Material& m : scene.materials) {
    if (m.kind != MaterialKind::sand) continue;
    m.volume_correction = false;
    m.unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
  }
  const auto solve = [products](auto& options) {
    options.integrator = Integrator::semi_implicit;
    options.energy = Energy::unilateral;
    options.implicit = {.newton_tolerance = 1e-15,
                        .newton_iterations = 1,
                        .gmres_iterations = products,
                        .gmres_tolerance = 1e-15,
                        .step_cuts = 0};
  };
  if (scene.scheme.method() == method::mixture.name)
    solve(mixture_options(scene));
  else
    solve(mpm_options(scene));
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
void minres_iteration(benchmark::State& state, const BenchConfiguration& configuration,
                      std::string_view method) {
  constexpr int few = 4, many = 24;
  const bool alone = configuration.threads == 1;
  const BenchBlock block = block_of(method, configuration, Motion::rest);
  const SolverOptions options = options_of(configuration);
  const double bound = elastic_dt(block.scene, usual_elastic_bound(configuration.kernel));
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
  for (const auto& [name, method] :
       {std::pair{"minres", method::mpm.name}, std::pair{"minres_of_both", method::mixture.name}})
    for (const BenchConfiguration& one : taken_in_turn())
      benchmark::RegisterBenchmark(fmt::format("{}/{}", name, name_in_turn(one)).c_str(), minres_iteration,
                                   one, method)
          ->UseManualTime()
          ->Iterations(7)
          ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace

}  // namespace repose::experiments
