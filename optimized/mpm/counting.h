#pragma once

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

}  // namespace repose::optimized
