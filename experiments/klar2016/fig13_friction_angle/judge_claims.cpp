#include "experiments/figures/measured_law.h"
#include "experiments/klar2016/fig13_friction_angle/judge_parts.h"
#include "validation/metrics/effective_angle.h"
#include "validation/metrics/extremes.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

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
    number.expected = fmt::format("{}{:.3g}", rises ? "> " : "< −", floor);
    number.kind = Kind::paper_claim;
    number.source =
        "Klár 2016, Figure 13: the larger the angle, the taller the pile and the steeper its sides";
    number.verdict = along > floor ? Verdict::pass : along < -floor ? Verdict::fail : Verdict::undecided;
    number.note = fmt::format(
        "from {:.4g} to {:.4g} {}, at {} and {}; the bound is what seeds alone can do (95 %, {} seeds)",
        quantity(lower), quantity(higher), unit, step_words(lower), step_words(higher),
        series.repeats.size() + 1);
    numbers.push_back(number);
  }
}

/// The flank of every pile beside the three angles that one nominal φ can mean. A pile left by a collapse is far below the
/// steepest slope, whatever the angle: that it is says nothing for the claim.
void judge_angles(std::vector<Number>& numbers, const Series& series) {
  for (const Collapse& run : series.angles) {
    const double phi = run.friction_angle_deg * degree;
    const double limit = metrics::steepest_slope(phi) / degree;
    const double effective = metrics::effective_angle(phi, 3) / degree;
    Number number;
    number.name = fmt::format("flank_angle_phi_{}", angle_name(run));
    number.value = flank_deg(run);
    number.unit = "deg";
    number.kind = Kind::sanity;
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

/// By how much smaller steps move the foot of the middle pile, over the column's radius; 0 where no such run was made.
double foot_change_with_step(const Series& series) {
  double change = 0.0;
  const Collapse& base = middle(series);
  for (const Collapse& run : series.steps) {
    change = metrics::larger(change, std::abs(run.foot - base.foot) / column_of(base.scene).radius);
  }
  return change;
}

/// Why a run-out cannot be held against measured ones, by what is known before it is read; empty if it can.
std::string not_comparable(const Series& series, const Column& column, double band) {
  // Another code's run-outs of columns kept growing up to some 16 cells per length of the column.
  constexpr double cells_needed = 16.0;
  const double cells = column.radius / middle(series).scene.grid.h;
  if (cells < cells_needed) {
    return fmt::format(
        "resolution: the column's radius has {:.1f} cells, {:.0f} are needed before run-outs are "
        "held against measurements",
        cells, cells_needed);
  }
  const double change = foot_change_with_step(series);
  if (change > 0.5 * band) {
    return fmt::format(
        "time step: smaller steps move the foot by {:.2f} radii, more than half the measured band", change);
  }
  return {};
}

/// The pile whose sand is most like the measured ones, by its effective angle, beside measured collapses.
void judge_scaling(std::vector<Number>& numbers, const Series& series) {
  constexpr std::string_view collapses = "column_collapse.toml";
  // Angle of repose of Lube's quartz sand [°].
  const double measured_sand = measured_number(collapses, "lube2005_runout_2d", "angle_of_repose_deg");
  const auto unlike = [&](const Collapse& run) {
    const double effective = metrics::effective_angle(run.friction_angle_deg * degree, 3) / degree;
    return std::isfinite(effective) ? std::abs(effective - measured_sand) : 90.0;
  };
  const Collapse& run =
      *std::min_element(series.angles.begin(), series.angles.end(),
                        [&](const Collapse& a, const Collapse& b) { return unlike(a) < unlike(b); });
  const Column column = column_of(run.scene);
  const double a = column.height / column.radius;
  const MeasuredLaw sand = measured_law(collapses, "lube2004_runout");
  const MeasuredLaw beads = measured_law(collapses, "lajeunesse2004_runout");
  const double lube = sand.at(a);
  const double lajeunesse = beads.at(a);
  std::string others;
  for (const Collapse& other : series.angles) {
    others +=
        fmt::format("{}{:.2f}", others.empty() ? "" : ", ", (other.foot - column.radius) / column.radius);
  }
  Number number;
  number.name = fmt::format("runout_scaling_phi_{}", angle_name(run));
  number.value = (run.foot - column.radius) / column.radius;
  number.unit = "1";
  number.expected = fmt::format("{:.2f} to {:.2f}", std::min(lube, lajeunesse), std::max(lube, lajeunesse));
  number.kind = Kind::measured;
  number.source = fmt::format("{}: {}; {}: {}; both read in secondary sources", sand.quantity, sand.source,
                              beads.quantity, beads.source);
  number.verdict =
      pass_if(number.value >= std::min(lube, lajeunesse) && number.value <= std::max(lube, lajeunesse));
  number.note = fmt::format(
      "(foot − R₀)/R₀ at a = H₀/R₀ = {:.2f}, with {}; the foot is known to a cell, {:.2f}. Of all angles: "
      "{}. Judged is the one "
      "whose effective angle in plane strain, {:.1f}°, is nearest to the measured sand's angle of repose, "
      "{}°",
      a, step_words(run), run.scene.grid.h / column.radius, others,
      metrics::effective_angle(run.friction_angle_deg * degree, 3) / degree, measured_sand);
  const std::string reason = not_comparable(series, column, std::abs(lajeunesse - lube));
  numbers.push_back(reason.empty() ? number : open_here(number, reason));
}

}  // namespace

void judge_claims(std::vector<Number>& numbers, const Series& series) {
  judge_order(numbers, series, "height_change", "mm", height_mm, true);
  judge_order(numbers, series, "runout_change", "mm", runout_mm, false);
  judge_order(numbers, series, "flank_angle_change", "deg", flank_deg, true);
  judge_angles(numbers, series);
  judge_scaling(numbers, series);
}

}  // namespace repose::experiments::klar2016
