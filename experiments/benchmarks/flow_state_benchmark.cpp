#include "experiments/benchmarks/flow_state.h"

#include "experiments/bench/mpm/costs.h"
#include "experiments/run/provenance.h"
#include "optimized/simd/choose_target.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace repose::experiments {

std::string BenchConfiguration::name() const {
  return fmt::format("{}/{}d/{}/{}/{}t/{}/{}", solver, dim, crosscheck::name_of(kernel), to_string(precision),
                     threads, simd.empty() ? "best" : simd, particles);
}

std::vector<BenchConfiguration> bench_configurations() {
  std::vector<BenchConfiguration> all;
  const int cores = machine().cores;
  const std::string targets = optimized::available_targets();
  for (const int dim : {3, 2}) {
    for (const Kernel kernel : {Kernel::cubic, Kernel::quadratic}) {
      for (const std::int64_t particles : {10000, 100000})
        all.push_back({.solver = "reference",
                       .dim = dim,
                       .kernel = kernel,
                       .precision = Precision::double_,
                       .particles = particles});
      for (const Precision precision : {Precision::single_, Precision::double_}) {
        for (const std::int64_t particles : {10000, 100000, 1000000}) {
          BenchConfiguration one{
              .dim = dim, .kernel = kernel, .precision = precision, .particles = particles};
          all.push_back(one);
          one.threads = cores;
          if (cores > 1) all.push_back(one);
        }
        for (const char* simd : {"SSE4", "AVX2", "AVX3"}) {
          if (targets.find(simd) == std::string::npos) continue;
          all.push_back(
              {.dim = dim, .kernel = kernel, .precision = precision, .simd = simd, .particles = 100000});
        }
      }
    }
  }
  return all;
}

const BenchBlock& block_in_flow(const BenchConfiguration& configuration) {
  static std::optional<BenchBlock> block;
  static std::string made_for;
  const std::string wanted = fmt::format("{} {} {}", configuration.dim,
                                         crosscheck::name_of(configuration.kernel), configuration.particles);
  if (made_for != wanted) {
    block = bench_block(configuration.dim, configuration.kernel, configuration.particles, Motion::flow);
    run_into_flow(*block, machine().cores, {});
    made_for = wanted;
  }
  return *block;
}

void set_counters(benchmark::State& state, const BenchConfiguration& configuration, std::size_t particles,
                  const std::vector<std::string>& stages) {
  const double steps = static_cast<double>(particles) * static_cast<double>(state.iterations());
  using benchmark::Counter;
  state.counters["particle_steps/s"] = Counter(steps, Counter::kIsRate);
  if (configuration.solver == "reference") return;
  double bytes = 0.0;
  double flops = 0.0;
  for (const StageCost& cost :
       stage_costs(configuration.dim, configuration.kernel, configuration.precision)) {
    if (!stages.empty() && std::find(stages.begin(), stages.end(), cost.stage) == stages.end()) continue;
    bytes += cost.bytes;
    flops += cost.flops;
  }
  state.counters["bytes/s"] = Counter(bytes * steps, Counter::kIsRate);
  state.counters["GFLOP/s"] = Counter(1e-9 * flops * steps, Counter::kIsRate);
}

}  // namespace repose::experiments
