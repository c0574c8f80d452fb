#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"
#include "reference/interface/methods/mpm.h"

#include "reference/interface/methods/mpm_options.h"
#include "validation/metrics/extremes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::experiments::klar2016 {

namespace {

/// Change of density inside the pile that counting grains leaves open [-].
constexpr double loosening_band = 0.03;

/// Mass, volume, rest: of all angles the worst.
void judge_balance(std::vector<Number>& numbers, const Series& series) {
  double lost = 0.0;
  double densest = std::numeric_limits<double>::infinity();
  double loosest = -std::numeric_limits<double>::infinity();
  double narrowest = std::numeric_limits<double>::infinity();
  double widest = -std::numeric_limits<double>::infinity();
  double drift = 0.0;
  double latest_rest = 0.0;
  bool all_rest = true;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Collapse& run : series.angles) {
    const double before = run.frames.front().motion.mass;
    lost = metrics::larger(lost, std::abs(run.end().motion.mass - before) / before);
    if (run.grains.size() != run.grains_at_start)
      lost = std::max(lost, 1.0 / static_cast<double>(run.grains_at_start));
    densest = metrics::smaller(densest, run.loosening);
    loosest = metrics::larger(loosest, run.loosening);
    narrowest = metrics::smaller(narrowest, run.gap / run.scene.grid.h);
    widest = metrics::larger(widest, run.gap / run.scene.grid.h);
    fewest = std::min(fewest, run.grains_inside);
    // Where the sand never came to rest, over the last fifth of the time.
    std::size_t earlier = run.frames.size() - 1 - run.frames.size() / 5;
    if (run.rest_time >= 0.0) {
      const auto rest = std::lower_bound(run.frame_time.begin(), run.frame_time.end(), run.rest_time);
      earlier = std::min(run.frames.size() - 1, static_cast<std::size_t>(rest - run.frame_time.begin()));
    }
    drift = metrics::larger(
        drift, std::abs(run.end().runout.percentile_98 / run.frames[earlier].runout.percentile_98 - 1.0));
    all_rest = all_rest && run.rest_time >= 0.0;
    latest_rest = std::max(latest_rest, run.rest_time);
  }
  numbers.push_back({.name = "mass_lost",
                     .value = lost,
                     .unit = "1",
                     .expected = "0",
                     .kind = Kind::sanity,
                     .source = "particles carry constant masses and none may leave the domain",
                     .verdict = pass_if(lost == 0.0),
                     .note = "largest over the friction angles"});
  Number loosening{
      .name = "loosening_inside",
      .value = loosest,
      .unit = "1",
      .expected = "−0.03 to 0.03",
      .kind = Kind::closed_form,
      .source = "slip keeps the volume [Klar16 §7.2]; the elastic strain of this pile is below 0.002",
      .verdict = pass_if_finite(loosest, densest >= -loosening_band && loosest <= loosening_band),
      .note = fmt::format("volume of equal sand inside the pile, within the column's radius and a cell "
                          "from its borders, over that at the start, less 1: {:+.4f} to {:+.4f} over the "
                          "angles; the band is the noise of counting. A gain is the known fault of a model "
                          "that expands without stress and then carries pressure at once [Tam17 §4.3.4]",
                          densest, loosest)};
  // n grains in a volume that they were not placed for are counted to 1/√n.
  const double grains_needed = 1.0 / (loosening_band * loosening_band);
  if (static_cast<double>(fewest) < grains_needed) {
    loosening = open_here(loosening,
                          fmt::format("particles: {} inside are counted to {:.3f}, the band is {:g}", fewest,
                                      1.0 / std::sqrt(static_cast<double>(fewest)), loosening_band));
  }
  numbers.push_back(loosening);
  numbers.push_back(
      {.name = "gap_over_ground",
       .value = narrowest < 0.0 ? narrowest : widest,
       .unit = "cells",
       .expected = "0 to 1",
       .kind = Kind::regression,
       .source = "contact by a grid acts from about a cell away: the cubic kernel of sand within two cells "
                 "reaches nodes inside the ground",
       .verdict = pass_if_finite(widest, narrowest >= 0.0 && widest <= 1.0),
       .note = "2nd percentile of heights beyond the column's radius, widest of the angles, or the narrowest "
               "if below the ground. It makes a coarse pile look larger: volume below the surface in "
               "metrics.csv"});
  numbers.push_back({.name = "at_rest_since",
                     .value = all_rest ? latest_rest : not_a_number,
                     .unit = "s",
                     .expected = fmt::format("before {:g}", series.angles.front().scene.duration),
                     .kind = Kind::regression,
                     .source = "kinetic energy ≤ 10⁻⁵ of the energy the column had to fall, for 0.05 s",
                     .verdict = pass_if(all_rest),
                     .note = "latest of the friction angles"});
  numbers.push_back(
      {.name = "runout_drift",
       .value = drift,
       .unit = "1",
       .expected = "≤ 0.01",
       .kind = Kind::sanity,
       .source =
           "change of the run-out since the sand is at rest, which rest nearly implies: a pile that creeps "
           "shows no angle of rest",
       .verdict = pass_if(drift <= 0.01),
       .note =
           "largest over the friction angles; of a pile that never rests, over the last 20 % of the time"});
}

/// What the runs exercised and what their step was.
void judge_steps(std::vector<Number>& numbers, const Series& series) {
  double inside = 0.0;
  double tip = 0.0;
  double surface = 0.0;
  double courant = 0.0;
  for (const Collapse& run : series.angles) {
    inside += static_cast<double>(run.summary.total.counts[counter::inside]);
    tip += static_cast<double>(run.summary.total.counts[counter::tip]);
    surface += static_cast<double>(run.summary.total.counts[counter::surface]);
    courant = metrics::larger(courant, run.courant);
  }
  const double all = inside + tip + surface;
  numbers.push_back(
      {.name = "share_of_slip",
       .value = surface / all,
       .unit = "1",
       .expected = "> 0, and so the shares of both other cases",
       .kind = Kind::sanity,
       .source = "a collapse that leaves a plastic case out would show nothing about it",
       .verdict = pass_if(inside > 0.0 && tip > 0.0 && surface > 0.0),
       .note = fmt::format("of particle-steps: inside the cone {:.3f}, at its tip {:.3f}, on its surface "
                           "{:.3f}",
                           inside / all, tip / all, surface / all)});
  const Collapse& run = middle(series);
  std::string limits;
  for (const auto& [what, steps] : run.summary.limited_by) {
    limits += fmt::format("{}{} by {}", limits.empty() ? "" : ", ", steps, what);
  }
  const double bound = mpm_options(run.scene).elastic_bound;
  numbers.push_back(
      {.name = "elastic_courant_number",
       .value = courant,
       .unit = "1",
       .expected = fmt::format("≤ {:g}", bound),
       .kind = Kind::sanity,
       .source = "c Δt/h of a lone particle, 0.83 in 3D with the cubic kernel, less a margin",
       .verdict = pass_if(courant <= bound * (1.0 + 1e-12)),
       .note = fmt::format(
           "the paper prints Δt 10⁻⁴ s at h 1 mm: 1.47. Here, at φ = {}°: {} steps of at most {:.3g} s, "
           "chosen {}",
           angle_name(run), run.summary.steps, run.summary.largest_dt, limits)});
}

/// The printed step, beyond the elastic bound.
void judge_printed_step(std::vector<Number>& numbers, const Series& series) {
  if (!series.printed_dt) return;
  const Collapse& run = *series.printed_dt;
  const Collapse& safe = middle(series);
  const double fall = std::sqrt(2.0 * run.scene.gravity.norm() * column_of(run.scene).height);
  const double fastest = run.summary.total.max_speed;
  const bool holds = !run.failure && fastest <= 2.0 * fall;
  numbers.push_back(
      {.name = "printed_step_max_speed",
       .value = run.failure ? not_a_number : fastest,
       .unit = "m/s",
       .expected = fmt::format("≤ {:.2f}: twice the speed of free fall from the column's top", 2.0 * fall),
       .kind = Kind::paper_claim,
       .source = "Klár 2016, Table 2 prints Δt 10⁻⁴ s, c Δt/h = 1.47, and shows a pile",
       .verdict = pass_if(holds),
       .note = run.failure
                   ? fmt::format("the run ended early: {}", *run.failure)
                   : fmt::format("c Δt/h up to {:.2f}, {} steps; Δt scaled with h where h is not 1 mm",
                                 run.courant, run.summary.steps)});
  if (run.failure) return;
  const double floor = noise_floor(noise_of(series, runout_mm), true);
  const double change = runout_mm(run) - runout_mm(safe);
  numbers.push_back(
      {.name = "printed_step_runout_change",
       .value = change,
       .unit = "mm",
       .expected = fmt::format("−{0:.3g} to {0:.3g}", floor),
       .kind = Kind::regression,
       .source = "the pile should be the sand's, not the step's: no more than two seeds differ",
       .verdict = pass_if(std::abs(change) <= floor),
       .note = fmt::format("run-out {:.2f} mm at {} against {:.2f} mm at {}, height {:.2f} against {:.2f} mm",
                           runout_mm(run), step_words(run), runout_mm(safe), step_words(safe), height_mm(run),
                           height_mm(safe))});
}

}  // namespace

void judge_trust(std::vector<Number>& numbers, const Series& series) {
  judge_balance(numbers, series);
  judge_steps(numbers, series);
  judge_printed_step(numbers, series);
}

}  // namespace repose::experiments::klar2016
