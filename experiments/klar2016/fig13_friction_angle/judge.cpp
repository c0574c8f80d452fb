#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"

namespace repose::experiments::klar2016 {

double height_mm(const Collapse& run) { return 1e3 * run.end().height.percentile_98; }
double runout_mm(const Collapse& run) { return 1e3 * run.end().runout.percentile_98; }
double flank_deg(const Collapse& run) { return run.flank.angle / degree; }

const Collapse& middle(const Series& series) { return series.angles.at(series.angles.size() / 2); }

Noise noise_of(const Series& series, const Quantity& quantity) {
  std::vector<double> values{quantity(middle(series))};
  for (const Collapse& run : series.repeats) values.push_back(quantity(run));
  return experiments::noise_of(values);
}

std::vector<Number> judge(const Series& series) {
  std::vector<Number> numbers;
  judge_claims(numbers, series);
  judge_step_sizes(numbers, series);
  judge_twins(numbers, series);
  judge_trust(numbers, series);
  return numbers;
}

}  // namespace repose::experiments::klar2016
