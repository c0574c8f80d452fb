#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"

#include "validation/metrics/extremes.h"

#include <cmath>

namespace repose::experiments::klar2016 {

void judge_twins(std::vector<Number>& numbers, const Series& series) {
  if (!series.reference || series.nudged.empty()) return;
  const std::size_t frame = series.reference->frames.size() - 1;
  const Collapse& fast = middle(series);
  // Every step rounds anew, and what it rounds has grown by the end no more than what the start rounded.
  const auto roundings = static_cast<double>(series.nudged.front().summary.steps);
  const auto compare = [&](const char* name, double (*of)(const PileShape&)) {
    const auto at_frame = [&](const Collapse& run) { return 1e3 * of(run.frames.at(frame)); };
    double growth = 0.0;
    for (const Collapse& run : series.nudged)
      growth = metrics::larger(growth, std::abs(at_frame(run) - at_frame(fast)));
    const double bound = growth * roundings;
    const double difference = at_frame(fast) - at_frame(*series.reference);
    numbers.push_back(
        {.name = fmt::format("solvers_differ_in_{}", name),
         .value = difference,
         .unit = "mm",
         .expected = fmt::format("−{0:.2g} to {0:.2g}", bound),
         .kind = Kind::regression,
         .source =
             "fast against readable solver, equal scene and seed, run freely: no more than rounding grows to",
         .verdict = pass_if(std::abs(difference) <= bound),
         .note = fmt::format(
             "at {:.3g} s, {}; start positions moved by one rounding change it by up to {:.2g} mm, and "
             "each of the {:.0f} steps rounds once more",
             series.reference->frame_time.back(), step_words(*series.reference), growth, roundings)});
  };
  compare("height", [](const PileShape& shape) { return shape.height.percentile_98; });
  compare("runout", [](const PileShape& shape) { return shape.runout.percentile_98; });
  compare("centre_of_mass", [](const PileShape& shape) { return shape.motion.centre.y(); });
}

}  // namespace repose::experiments::klar2016
