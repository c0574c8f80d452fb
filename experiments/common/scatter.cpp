#include "experiments/common/scatter.h"

#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include <cmath>
#include <numeric>

namespace repose::experiments {

double least_real_difference(std::span<const double> seeds) {
  const auto count = static_cast<double>(seeds.size());
  const double mean = std::accumulate(seeds.begin(), seeds.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : seeds) squares += (value - mean) * (value - mean);
  return klar2016::noise_floor({.deviation = std::sqrt(squares / (count - 1.0)), .seeds = seeds.size()},
                               true);
}

}  // namespace repose::experiments
