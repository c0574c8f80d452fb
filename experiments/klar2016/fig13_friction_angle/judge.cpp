#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include "validation/metrics/effective_angle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace repose::experiments::klar2016 {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Verdict pass_if(bool holds) { return holds ? Verdict::pass : Verdict::fail; }

std::string angle_name(const Collapse& run) { return fmt::format("{:g}", run.friction_angle_deg); }

/// One number per pair of neighbouring angles: how much a quantity changes, in the direction of the claim.
void judge_order(std::vector<Number>& numbers, const Series& series, const std::string& name,
                 const std::string& unit, double (*quantity)(const Collapse&), bool rises) {
  const double floor = noise_floor(noise_of(series, quantity), false);
  for (std::size_t i = 0; i + 1 < series.angles.size(); ++i) {
    const Collapse& lower = series.angles[i];
    const Collapse& higher = series.angles[i + 1];
    const double change = quantity(higher) - quantity(lower);
    const double along = rises ? change : -change;
    Number number;
    number.name = fmt::format("{}_from_{}_to_{}", name, angle_name(lower), angle_name(higher));
    number.value = change;
    number.unit = unit;
    number.expected = fmt::format("{} {:.3g}", rises ? "> " : "< −", floor);
    number.kind = Kind::paper_claim;
    number.source = "Klár 2016, Figure 13: a larger angle produces a taller sand pile with steeper sides";
    number.verdict = along > floor ? Verdict::pass : along < -floor ? Verdict::fail : Verdict::undecided;
    number.note =
        fmt::format("from {:.4g} to {:.4g} {}; the bound is what seeds alone can do (95 %, {} seeds)",
                    quantity(lower), quantity(higher), unit, series.repeats.size() + 1);
    numbers.push_back(number);
  }
}

/// The flank of every pile beside the three angles that one nominal φ can mean.
void judge_angles(std::vector<Number>& numbers, const Series& series) {
  for (const Collapse& run : series.angles) {
    const double phi = run.friction_angle_deg * degree;
    const double limit = metrics::steepest_slope(phi) / degree;
    const double effective = metrics::effective_angle(phi, 3) / degree;
    Number number;
    number.name = "flank_angle_phi_" + angle_name(run);
    number.value = flank_deg(run);
    number.unit = "deg";
    number.kind = Kind::closed_form;
    number.source = "steepest endless slope the Drucker–Prager cone of [Klar16 Eq.31] can hold";
    number.note = fmt::format(
        "± {:.2f} (fit), quarters {:.1f} to {:.1f}; nominal {:g}; effective in plane strain {}, its slope "
        "{}. None of "
        "these is a prediction for a round pile: its sand is neither in plane strain nor in triaxial "
        "compression",
        run.flank.standard_error / degree,
        *std::min_element(run.sector_angle.begin(), run.sector_angle.end()) / degree,
        *std::max_element(run.sector_angle.begin(), run.sector_angle.end()) / degree, run.friction_angle_deg,
        std::isfinite(effective) ? fmt::format("{:.1f}", effective) : "undefined (sine above 1)",
        std::isfinite(effective) ? fmt::format("{:.1f}", metrics::effective_slope(phi, 3) / degree)
                                 : "undefined");
    if (!std::isfinite(number.value)) {
      number.expected = std::isfinite(limit) ? fmt::format("≤ {:.1f}", limit) : "no bound";
    } else if (std::isfinite(limit)) {
      number.expected = fmt::format("≤ {:.1f}", limit);
      number.verdict = pass_if(number.value <= limit + 2.0 * run.flank.standard_error / degree);
    } else {
      number.expected = "no bound: above 36.87° the cone holds any slope";
    }
    numbers.push_back(number);
  }
}

/// The pile whose sand is most like the measured ones, by its effective angle, beside measured collapses.
void judge_scaling(std::vector<Number>& numbers, const Series& series) {
  constexpr double measured_sand = 29.5;  // angle of repose of Lube's quartz sand [°]
  const auto unlike = [&](const Collapse& run) {
    const double effective = metrics::effective_angle(run.friction_angle_deg * degree, 3) / degree;
    return std::isfinite(effective) ? std::abs(effective - measured_sand) : 90.0;
  };
  const Collapse& run =
      *std::min_element(series.angles.begin(), series.angles.end(),
                        [&](const Collapse& a, const Collapse& b) { return unlike(a) < unlike(b); });
  const Column column = column_of(run.scene);
  const double a = column.height / column.radius;
  const double lube = a < 1.7 ? 1.24 * a : 1.6 * std::sqrt(a);
  const double lajeunesse = std::sqrt(3.0 * a / 0.74) - 1.0;
  std::string others;
  for (const Collapse& other : series.angles) {
    others +=
        fmt::format("{}{:.2f}", others.empty() ? "" : ", ", (other.foot - column.radius) / column.radius);
  }
  Number number;
  number.name = "runout_scaling_phi_" + angle_name(run);
  number.value = (run.foot - column.radius) / column.radius;
  number.unit = "1";
  number.expected = fmt::format("{:.2f} to {:.2f}", std::min(lube, lajeunesse), std::max(lube, lajeunesse));
  number.kind = Kind::measured;
  number.source =
      "round columns: Lajeunesse et al. 2004, √(3a/0.74) − 1 (glass beads); Lube et al. 2004, 1.6 √a for a > "
      "1.7; both "
      "read in secondary sources";
  number.verdict =
      pass_if(number.value >= std::min(lube, lajeunesse) && number.value <= std::max(lube, lajeunesse));
  number.note = fmt::format(
      "(foot − R₀)/R₀ at a = H₀/R₀ = {:.2f}; the foot is known to a cell, {:.2f}. Of all angles: {}. Judged "
      "is the one "
      "whose effective angle in plane strain, {:.1f}°, is nearest to the measured sand's angle of repose, "
      "{}°",
      a, run.scene.grid.h / column.radius, others,
      metrics::effective_angle(run.friction_angle_deg * degree, 3) / degree, measured_sand);
  numbers.push_back(number);
}

/// Mass, volume, rest: of all angles the worst.
void judge_balance(std::vector<Number>& numbers, const Series& series) {
  double lost = 0.0;
  double densest = std::numeric_limits<double>::infinity();
  double loosest = -std::numeric_limits<double>::infinity();
  double gap = 0.0;
  double drift = 0.0;
  double latest_rest = 0.0;
  bool all_rest = true;
  for (const Collapse& run : series.angles) {
    const double before = run.frames.front().motion.mass;
    lost = std::max(lost, std::abs(run.end().motion.mass - before) / before);
    if (run.grains.size() != run.grains_at_start)
      lost = std::max(lost, 1.0 / static_cast<double>(run.grains_at_start));
    densest = std::min(densest, run.loosening);
    loosest = std::max(loosest, run.loosening);
    gap = std::max(gap, run.gap / run.scene.grid.h);
    const std::size_t earlier = run.frames.size() - 1 - run.frames.size() / 5;
    drift = std::max(
        drift, std::abs(run.end().runout.percentile_98 / run.frames[earlier].runout.percentile_98 - 1.0));
    all_rest = all_rest && run.rest_time >= 0.0;
    latest_rest = std::max(latest_rest, run.rest_time);
  }
  numbers.push_back({.name = "mass_lost",
                     .value = lost,
                     .unit = "1",
                     .expected = "0",
                     .kind = Kind::closed_form,
                     .source = "particles carry constant masses and none may leave the domain",
                     .verdict = pass_if(lost == 0.0),
                     .note = "largest over the friction angles"});
  numbers.push_back(
      {.name = "loosening_inside",
       .value = loosest,
       .unit = "1",
       .expected = "−0.03 to 0.03",
       .kind = Kind::closed_form,
       .source = "slip keeps the volume [Klar16 §7.2]; the elastic strain of this pile is below 0.002",
       .verdict = pass_if(densest >= -0.03 && loosest <= 0.03),
       .note = fmt::format("volume of equal sand inside the pile, within the column's radius and a cell "
                           "from its borders, over that at the start, less 1: {:+.3f} to {:+.3f} over the "
                           "angles; the band is the noise of counting. A gain is the known fault of a model "
                           "that expands without stress and then carries pressure at once [Tam17 §4.3.4]",
                           densest, loosest)});
  numbers.push_back(
      {.name = "gap_over_ground",
       .value = gap,
       .unit = "cells",
       .expected = "0 to 1",
       .kind = Kind::regression,
       .source = "contact by a grid acts from about a cell away: the cubic kernel of sand within two cells "
                 "reaches nodes inside the ground",
       .verdict = pass_if(gap >= 0.0 && gap <= 1.0),
       .note = "2nd percentile of heights beyond the column's radius, widest of the angles. It makes a "
               "coarse pile look larger: volume below the surface in metrics.csv"});
  numbers.push_back({.name = "at_rest_since",
                     .value = all_rest ? latest_rest : nan,
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
       .kind = Kind::regression,
       .source = "change of the run-out over the last 20 % of the time: a pile that still creeps shows no "
                 "angle of rest",
       .verdict = pass_if(drift <= 0.01),
       .note = "largest over the friction angles"});
}

/// What the runs exercised and what their step was.
void judge_steps(std::vector<Number>& numbers, const Series& series) {
  double inside = 0.0;
  double tip = 0.0;
  double surface = 0.0;
  double courant = 0.0;
  for (const Collapse& run : series.angles) {
    inside += static_cast<double>(run.summary.total.inside);
    tip += static_cast<double>(run.summary.total.tip);
    surface += static_cast<double>(run.summary.total.surface);
    courant = std::max(courant, run.courant);
  }
  const double all = inside + tip + surface;
  numbers.push_back(
      {.name = "share_of_slip",
       .value = surface / all,
       .unit = "1",
       .expected = "> 0, and so the shares of both other cases",
       .kind = Kind::regression,
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
  const double bound = run.scene.step.elastic_bound;
  numbers.push_back(
      {.name = "elastic_courant_number",
       .value = courant,
       .unit = "1",
       .expected = fmt::format("≤ {:g}", bound),
       .kind = Kind::closed_form,
       .source = "c Δt/h of a lone particle, 0.83 in 3D with the cubic kernel, less a margin",
       .verdict = pass_if(courant <= bound * (1.0 + 1e-12)),
       .note = fmt::format(
           "the paper prints Δt 10⁻⁴ s at h 1 mm: 1.47. Here, at φ = {}°: {} steps of at most {:.3g} s, "
           "chosen {}",
           angle_name(run), run.summary.steps, run.summary.largest_dt, limits)});
}

/// The same scene by both solvers, after as many frames as the readable one ran.
void judge_twins(std::vector<Number>& numbers, const Series& series) {
  if (!series.reference) return;
  const std::size_t frame = series.reference->frames.size() - 1;
  const auto compare = [&](const char* name, double (*of)(const PileShape&)) {
    const auto at_frame = [&](const Collapse& run) { return 1e3 * of(run.frames.at(frame)); };
    const double floor = noise_floor(noise_of(series, at_frame), true);
    const double difference = at_frame(middle(series)) - at_frame(*series.reference);
    numbers.push_back(
        {.name = fmt::format("solvers_differ_in_{}", name),
         .value = difference,
         .unit = "mm",
         .expected = fmt::format("−{0:.3g} to {0:.3g}", floor),
         .kind = Kind::regression,
         .source = "fast against readable solver, equal scene and seed, run freely: they may differ as two "
                   "seeds do",
         .verdict = pass_if(std::abs(difference) <= floor),
         .note = fmt::format("at {:.3g} s, {} frames; 95 % band of {} seeds",
                             series.reference->frame_time.back(), frame, series.repeats.size() + 1)});
  };
  compare("height", [](const PileShape& shape) { return shape.height.percentile_98; });
  compare("runout", [](const PileShape& shape) { return shape.runout.percentile_98; });
  compare("centre_of_mass", [](const PileShape& shape) { return shape.motion.centre.y(); });
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
       .value = run.failure ? nan : fastest,
       .unit = "m/s",
       .expected = fmt::format("≤ {:.2f}: twice the speed of free fall from the column's top", 2.0 * fall),
       .kind = Kind::paper_claim,
       .source = "Klár 2016, Table 2 prints Δt 10⁻⁴ s, c Δt/h = 1.47, and shows a pile",
       .verdict = pass_if(holds),
       .note =
           run.failure
               ? "the run ended early: " + *run.failure
               : fmt::format(
                     "c Δt/h up to {:.2f}; height {:.2f} mm, run-out {:.2f} mm, against {:.2f} and {:.2f} "
                     "mm within the bound",
                     run.courant, height_mm(run), runout_mm(run), height_mm(safe), runout_mm(safe))});
}

}  // namespace

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
  return {.deviation = values.size() < 2 ? nan : std::sqrt(squares / (count - 1.0)), .seeds = values.size()};
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
  judge_order(numbers, series, "height_change", "mm", height_mm, true);
  judge_order(numbers, series, "runout_change", "mm", runout_mm, false);
  judge_order(numbers, series, "flank_angle_change", "deg", flank_deg, true);
  judge_angles(numbers, series);
  judge_scaling(numbers, series);
  judge_balance(numbers, series);
  judge_steps(numbers, series);
  judge_twins(numbers, series);
  judge_printed_step(numbers, series);
  return numbers;
}

}  // namespace repose::experiments::klar2016
