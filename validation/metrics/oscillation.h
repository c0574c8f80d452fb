#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace repose::experiments {

/// How a quantity that should settle swings instead.
struct Oscillation {
  /// Largest rise above an earlier value, in the quantity's unit; 0 if it only falls
  double amplitude = 0.0;
  int rises = 0;  ///< rises larger than the threshold, each after a fall larger than the threshold
  std::vector<std::size_t> starts{};  ///< of each of them the value from which it rose
};

/// @param values in order of time  @param threshold smallest swing that counts, ≥ 0
Oscillation oscillation(std::span<const double> values, double threshold);

}  // namespace repose::experiments
