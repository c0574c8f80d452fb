#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace repose::experiments::klar2016 {

double height_mm(const Collapse& run) { return 1e3 * run.end().height.percentile_98; }
double runout_mm(const Collapse& run) { return 1e3 * run.end().runout.percentile_98; }
double flank_deg(const Collapse& run) { return run.flank.angle / degree; }

const Collapse& middle(const Series& series) { return series.angles.at(series.angles.size() / 2); }

Noise noise_of(const Series& series, const Quantity& quantity) {
  std::vector<double> values{quantity(middle(series))};
  for (const Collapse& run : series.repeats) values.push_back(quantity(run));
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.deviation = values.size() < 2 ? std::numeric_limits<double>::quiet_NaN()
                                         : std::sqrt(squares / (count - 1.0)),
          .seeds = values.size()};
}

double noise_floor(const Noise& noise, bool two_sided) {
  // Student's t at 95 %, for 1, 2, … degrees of freedom.
  constexpr std::array<double, 5> one{6.314, 2.920, 2.353, 2.132, 2.015};
  constexpr std::array<double, 5> two{12.706, 4.303, 3.182, 2.776, 2.571};
  if (noise.seeds < 2 || noise.seeds > one.size() + 1)
    throw std::invalid_argument("noise needs two to six seeds");
  return (two_sided ? two : one)[noise.seeds - 2] * std::sqrt(2.0) * noise.deviation;
}

std::vector<Number> judge(const Series& series) {
  std::vector<Number> numbers;
  judge_claims(numbers, series);
  judge_trust(numbers, series);
  return numbers;
}

}  // namespace repose::experiments::klar2016
