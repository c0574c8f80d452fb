#include "experiments/common/oscillation.h"

#include <algorithm>

namespace repose::experiments {

Oscillation oscillation(std::span<const double> values, double threshold) {
  Oscillation result;
  if (values.empty()) return result;
  double lowest = values.front();  // of all so far
  double low = values.front();     // since the last counted rise began to fall
  double high = values.front();
  bool rising = false;
  for (const double value : values) {
    result.amplitude = std::max(result.amplitude, value - lowest);
    lowest = std::min(lowest, value);
    if (rising) {
      high = std::max(high, value);
      if (high - value > threshold) {
        rising = false;
        low = value;
      }
    } else {
      low = std::min(low, value);
      if (value - low > threshold) {
        rising = true;
        high = value;
        ++result.rises;
      }
    }
  }
  return result;
}

}  // namespace repose::experiments
