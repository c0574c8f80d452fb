#include "validation/metrics/oscillation.h"

#include <algorithm>

namespace repose::experiments {

Oscillation oscillation(std::span<const double> values, double threshold) {
  Oscillation result;
  if (values.empty()) return result;
  double lowest = values.front();  // of all so far
  double low = values.front();     // since the last counted rise began to fall
  double high = values.front();
  std::size_t low_at = 0;
  bool rising = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = values[k];
    result.amplitude = std::max(result.amplitude, value - lowest);
    lowest = std::min(lowest, value);
    if (rising) {
      high = std::max(high, value);
      if (high - value > threshold) {
        rising = false;
        low = value;
        low_at = k;
      }
    } else {
      if (value <= low) {
        low = value;
        low_at = k;
      }
      if (value - low > threshold) {
        rising = true;
        high = value;
        ++result.rises;
        result.starts.push_back(low_at);
      }
    }
  }
  return result;
}

}  // namespace repose::experiments
