#pragma once

#include "experiments/benchmarks/flow_state.h"
#include "validation/crosscheck/mpm/setup.h"

#include <fmt/format.h>

#include <ctime>
#include <string>
#include <thread>
#include <vector>

/// What benchmarks share that take turns of two things in one run, whose ratio is told.
namespace repose::experiments {

/// What something takes [s]: by the wall, or on one thread by its processor time, which other work on the machine disturbs less.
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

/// Both dimensions, kernels and precisions, on one thread and on all; 10⁵ particles.
inline std::vector<BenchConfiguration> taken_in_turn() {
  std::vector<int> threads{1};
  if (const auto all = static_cast<int>(std::thread::hardware_concurrency()); all > 1) threads.push_back(all);
  std::vector<BenchConfiguration> result;
  for (const int dim : {2, 3})
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
      for (const Precision precision : {Precision::single_, Precision::double_})
        for (const int count : threads)
          result.push_back({.dim = dim, .kernel = kernel, .precision = precision, .threads = count});
  return result;
}

/// "3d/cubic/float/1t"
inline std::string name_in_turn(const BenchConfiguration& one) {
  return fmt::format("{}d/{}/{}/{}t", one.dim, crosscheck::name_of(one.kernel),
                     crosscheck::name_of(one.precision), one.threads);
}

inline SolverOptions options_of(const BenchConfiguration& one) {
  return {.precision = one.precision, .threads = one.threads, .simd = one.simd};
}

/// A method's block by a configuration's kernel. @throws BadInput as block_of()
inline BenchBlock block_of(std::string_view method, const BenchConfiguration& one, Motion motion) {
  const MethodBlock& of_method = block_of(method);
  std::size_t variant = 0;
  while (of_method.variants.at(variant).name != crosscheck::name_of(one.kernel)) ++variant;
  return of_method.make(one.dim, variant, one.particles, motion);
}

}  // namespace repose::experiments
