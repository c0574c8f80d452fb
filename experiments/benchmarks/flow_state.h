#pragma once

#include "experiments/bench/mpm/block.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/solver.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace repose::experiments {

/// One solver of the whole-step and stage benchmarks.
struct BenchConfiguration {
  std::string solver = "optimized";
  int dim = 3;
  Kernel kernel = Kernel::cubic;
  Precision precision = Precision::single_;
  int threads = 1;
  std::string simd{};
  std::int64_t particles = 100000;

  std::string name() const;  ///< "optimized/3d/cubic/float/1t/best/100000"
};

/// All combinations: the reference in double on one thread with up to 10⁵ particles; the optimized solver on
/// one and all threads with 10⁴, 10⁵ and 10⁶, and with every instruction set of this machine on one thread
/// with 10⁵.
std::vector<BenchConfiguration> bench_configurations();

/// The block of a configuration in flow; made once per program run. Valid until another one is asked for.
const BenchBlock& block_in_flow(const BenchConfiguration& configuration);

/// Particle-steps/s, bytes/s and GFLOP/s of `stages` (names as Solver::stage_seconds has them), or of the
/// whole step. Bytes and operations are estimates of the fast solver's layout; the reference gets
/// particle-steps/s alone.
void set_counters(benchmark::State& state, const BenchConfiguration& configuration, std::size_t particles,
                  const std::vector<std::string>& stages);

}  // namespace repose::experiments
