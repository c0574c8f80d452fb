#pragma once

#include "reference/interface/solver.h"

#include <chrono>

namespace repose::optimized {

/// Adds the time since construction to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_;
};

/// Adds what a thread counted.
inline void add_counts(StepReport& to, const StepReport& from) {
  to.active_nodes += from.active_nodes;
  to.inside += from.inside;
  to.tip += from.tip;
  to.surface += from.surface;
  to.contacts += from.contacts;
  to.sticking += from.sticking;
  to.sliding += from.sliding;
  to.massless += from.massless;
}

}  // namespace repose::optimized
