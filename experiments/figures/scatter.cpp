#include "experiments/figures/scatter.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace repose::experiments {

Noise noise_of(std::span<const double> seeds) {
  const auto count = static_cast<double>(seeds.size());
  const double mean = std::accumulate(seeds.begin(), seeds.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : seeds) squares += (value - mean) * (value - mean);
  return {.deviation = seeds.size() < 2 ? std::numeric_limits<double>::quiet_NaN()
                                        : std::sqrt(squares / (count - 1.0)),
          .seeds = seeds.size()};
}

double noise_floor(const Noise& noise, bool two_sided) {
  // Student's t at 95 %, for 1, 2, … degrees of freedom.
  constexpr std::array<double, 5> one{6.314, 2.920, 2.353, 2.132, 2.015};
  constexpr std::array<double, 5> two{12.706, 4.303, 3.182, 2.776, 2.571};
  if (noise.seeds < 2 || noise.seeds > one.size() + 1)
    throw std::invalid_argument("noise needs two to six seeds");
  return (two_sided ? two : one)[noise.seeds - 2] * std::sqrt(2.0) * noise.deviation;
}

double least_real_difference(std::span<const double> seeds) { return noise_floor(noise_of(seeds), true); }

}  // namespace repose::experiments
