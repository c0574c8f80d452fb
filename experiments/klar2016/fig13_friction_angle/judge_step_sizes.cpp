#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"
#include "reference/interface/methods/mpm_options.h"

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

/// One number per halving of the step: how much it moves the run-out. @returns the changes [mm]
std::vector<double> judge_halvings(std::vector<Number>& numbers, const Series& series, double floor) {
  std::vector<double> changes;
  const Collapse* coarser = &middle(series);
  for (const Collapse& run : series.steps) {
    const double change = runout_mm(run) - runout_mm(*coarser);
    numbers.push_back(
        {.name = fmt::format("runout_change_from_courant_{}_to_{}",
                             word(fmt::format("{:g}", mpm_options(coarser->scene).elastic_bound)),
                             word(fmt::format("{:g}", mpm_options(run.scene).elastic_bound))),
         .value = change,
         .unit = "mm",
         .expected = fmt::format("−{0:.3g} to {0:.3g}", floor),
         .kind = Kind::regression,
         .source = "the pile should be the sand's, not the step's: no more than two seeds differ",
         .verdict = pass_if(std::abs(change) <= floor),
         .note =
             fmt::format("φ = {}°: from {:.2f} mm at {} to {:.2f} mm at {}; height from {:.2f} to {:.2f} mm",
                         angle_name(run), runout_mm(*coarser), step_words(*coarser), runout_mm(run),
                         step_words(run), height_mm(*coarser), height_mm(run))});
    changes.push_back(change);
    coarser = &run;
  }
  return changes;
}

/// Whether the changes shrink as those of a quantity that has a limit for Δt → 0.
void judge_limit(std::vector<Number>& numbers, const std::vector<double>& changes, double floor) {
  if (changes.size() < 2) return;
  const double last = std::abs(changes.back());
  const double before = std::abs(changes[changes.size() - 2]);
  const Number number{
      .name = "runout_last_halving_over_the_one_before",
      .value = before > 0.0 ? last / before : not_a_number,
      .unit = "1",
      .expected = fmt::format("≤ {:.3g}", before > 0.0 ? 0.5 + floor / before : 0.5),
      .kind = Kind::regression,
      .source =
          "a run-out that has a limit for Δt → 0 and depends on Δt to first order changes half as much at "
          "each halving; what seeds alone do comes on top",
      .verdict = pass_if(last <= 0.5 * before + floor),
      .note = fmt::format("changes of {:.2f} and {:.2f} mm", changes[changes.size() - 2], changes.back())};
  // The scatter must tell half a change from a whole one.
  numbers.push_back(
      floor < 0.5 * before
          ? number
          : open_here(number,
                      fmt::format("scatter: seeds alone do {:.2g} mm, half of the change before is {:.2g} mm",
                                  floor, 0.5 * before)));
}

/// The claim compares piles; it must do so at another step too.
void judge_claim_at_smaller_step(std::vector<Number>& numbers, const Series& series, const std::string& name,
                                 const std::string& unit, double (*quantity)(const Collapse&), bool rises) {
  const Collapse& lower = series.outermost.front();
  const Collapse& higher = series.outermost.back();
  const double floor = noise_floor(noise_of(series, quantity), false);
  const double change = quantity(higher) - quantity(lower);
  const double along = rises ? change : -change;
  numbers.push_back(
      {.name = fmt::format("{}_from_{}_to_{}_at_courant_{}", name, angle_name(lower), angle_name(higher),
                           word(fmt::format("{:g}", mpm_options(lower.scene).elastic_bound))),
       .value = change,
       .unit = unit,
       .expected = fmt::format("{}{:.3g}", rises ? "> " : "< −", floor),
       .kind = Kind::paper_claim,
       .source =
           "Klár 2016, Figure 13: the larger the angle, the taller the pile and the steeper its sides; with "
           "a smaller step as with the controller's",
       .verdict = along > floor    ? Verdict::pass
                  : along < -floor ? Verdict::fail
                                   : Verdict::undecided,
       .note = fmt::format(
           "from {:.4g} to {:.4g} {}, at {} and {}; with the controller's step from {:.4g} to {:.4g} {}",
           quantity(lower), quantity(higher), unit, step_words(lower), step_words(higher),
           quantity(series.angles.front()), quantity(series.angles.back()), unit)});
}

}  // namespace

void judge_step_sizes(std::vector<Number>& numbers, const Series& series) {
  if (series.steps.empty()) return;
  const double floor = noise_floor(noise_of(series, runout_mm), true);
  judge_limit(numbers, judge_halvings(numbers, series, floor), floor);
  if (series.outermost.size() < 2) return;
  judge_claim_at_smaller_step(numbers, series, "height_change", "mm", height_mm, true);
  judge_claim_at_smaller_step(numbers, series, "runout_change", "mm", runout_mm, false);
  judge_claim_at_smaller_step(numbers, series, "flank_angle_change", "deg", flank_deg, true);
}

}  // namespace repose::experiments::klar2016
