#include "experiments/figures/judging.h"
#include "experiments/klar2016/fig16_hardening/widening.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/statistics.h"

#include <algorithm>

namespace repose::experiments::klar2016 {

namespace {

constexpr const char* caption = "Klár 2016, Figure 16: cones widen as particles harden, each its own";

void judge_law(std::vector<Number>& numbers, const HardeningRun& run) {
  numbers.push_back(
      {.name = fmt::format("largest_decrease_of_q_{}", run.solver),
       .value = run.largest_decrease,
       .unit = "1",
       .expected = "≤ 0",
       .kind = Kind::paper_claim,
       .source = "δq is never negative [Klar16 §7.3]",
       .verdict = run.frames.size() < 2 ? Verdict::undecided : pass_if(run.largest_decrease <= 0.0),
       .note = fmt::format("of {} particles, from frame to frame", run.q.size())});
  numbers.push_back(
      {.name = fmt::format("angle_on_curve_{}", run.solver),
       .value = run.slipped > 0 ? run.curve_error : not_a_number,
       .unit = "1",
       .expected = "≤ 1",
       .kind = Kind::closed_form,
       .source = "a particle that slips ends on the cone of φ(q) [Klar16 Eq.30, 31], q from before the step; "
                 "distance over the bound of rounding",
       .verdict = run.slipped > 0 ? pass_if(run.curve_error <= 1.0) : Verdict::undecided,
       .note = fmt::format("largest of {} states; the angle comes from the stress, not from q", run.slipped),
       .of_claim = true});
}

void judge_widening(std::vector<Number>& numbers, const HardeningRun& run) {
  const FrictionLaw& law = run.scene.materials.front().friction;
  const double at_start = hardened_angle(law, 0.0) / degree;
  for (std::size_t k = 0; k < 3; ++k) {
    const double gain = run.frames.back().marked[k].friction_angle / degree - at_start;
    numbers.push_back(
        {.name = fmt::format("widening_of_marked_{}", k + 1),
         .value = gain,
         .unit = "deg",
         .expected = "> 0",
         .kind = Kind::sanity,
         .source = "φ(q) is above φ(0) for every q > 0 [Klar16 Eq.30]: any plastic deformation does it",
         .verdict = pass_if(gain > 0.0),
         .note = fmt::format("from {:.3g}° at the start; q at the end {:.3g}", at_start,
                             run.frames.back().marked[k].q)});
  }
  std::vector<double> angles;
  for (const double q : run.q) angles.push_back(hardened_angle(law, q) / degree);
  const double spread = metrics::quantile(angles, 0.98) - metrics::quantile(angles, 0.02);
  numbers.push_back({.name = "spread_of_angles",
                     .value = spread,
                     .unit = "deg",
                     .expected = "> 1",
                     .kind = Kind::paper_claim,
                     .source = caption,
                     .verdict = pass_if(spread > 1.0),
                     .note = "from the 2nd to the 98th percentile of all particles at the end"});
  const double turning = 1.0 / law.h2 + law.h3 / law.h1;
  const auto past = std::count_if(run.q.begin(), run.q.end(), [&](double q) { return q > turning; });
  const double share = static_cast<double>(past) / static_cast<double>(run.q.size());
  numbers.push_back(
      {.name = "share_past_the_widest_cone",
       .value = share,
       .unit = "1",
       .expected = "0, if hardening only widens",
       .kind = Kind::paper_claim,
       .source = caption,
       .verdict = pass_if(share == 0.0),
       .note = fmt::format("φ(q) is widest, {:.1f}°, at q = {:.2f} and falls to {:.0f}° beyond (ERRATA K5): "
                           "these particles' cones have begun to narrow",
                           hardened_angle(law, turning) / degree, turning, law.h0 / degree)});
}

}  // namespace

std::vector<Number> judge(const std::vector<HardeningRun>& runs) {
  std::vector<Number> numbers;
  for (const HardeningRun& run : runs) judge_law(numbers, run);
  judge_widening(numbers, runs.front());
  return numbers;
}

}  // namespace repose::experiments::klar2016
