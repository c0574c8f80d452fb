#include "experiments/figures/scatter.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>

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

namespace {

// Valgrind knows no longer numbers than double: a program stops under it where the library prepares for them.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double noise_floor(const Noise& noise, bool two_sided) {
  if (noise.seeds < 2) throw std::invalid_argument("noise needs at least two seeds");
  const boost::math::students_t_distribution<double, InDouble> students(static_cast<double>(noise.seeds - 1));
  const double t = quantile(students, two_sided ? 0.975 : 0.95);
  return t * std::sqrt(2.0) * noise.deviation;
}

double least_real_difference(std::span<const double> seeds) { return noise_floor(noise_of(seeds), true); }

}  // namespace repose::experiments
