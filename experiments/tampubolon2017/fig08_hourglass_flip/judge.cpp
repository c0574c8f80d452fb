#include "experiments/tampubolon2017/fig08_hourglass_flip/judge.h"

#include "experiments/figures/judging.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* caption =
    "Tampubolon 2017, Figure 8 and §4.3.4: without the correction sand gains volume with each turn of the "
    "glass, "
    "with it it does not";

constexpr double width = 0.4;  ///< of the free surface, wall to wall [m]

using Measure = double metrics::Occupied::*;
struct Way {
  std::string_view name;
  Measure measure;
};
constexpr Way ways[] = {{"cells", &metrics::Occupied::by_cells}, {"density", &metrics::Occupied::by_density}};

/// Volume at a rest over that of the grains, by one measure.
double volume(const GlassRun& run, std::size_t rest, Measure measure) {
  return run.rests.at(rest).occupied.*measure / run.volume;
}

/// Growth of a run from one rest to the next, over the volume of the grains.
double growth(const GlassRun& run, std::size_t turn, Measure measure) {
  return volume(run, turn, measure) - volume(run, turn - 1, measure);
}

/// Half a cell of height over the free surface: what neither measure tells apart.
double resolved(const GlassRun& run) { return 0.5 * run.chosen.spacing * width / run.volume; }

std::string mm(double spacing) { return word(fmt::format("{:.3g}", 1e3 * spacing)); }

/// The runs with or without correction at one spacing, one per seed.
std::vector<const GlassRun*> some(const std::vector<GlassRun>& runs, bool corrects, double spacing) {
  std::vector<const GlassRun*> found;
  for (const GlassRun& run : runs)
    if (run.chosen.corrects == corrects && run.chosen.spacing == spacing) found.push_back(&run);
  return found;
}

/// What a turn adds: the least over seeds and measures where it must grow, the largest where it must not.
Number judge_turn(const std::vector<const GlassRun*>& runs, std::size_t turn) {
  const GlassRun& any = *runs.front();
  const bool corrects = any.chosen.corrects;
  const double bound = resolved(any);
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  std::string each;
  for (const GlassRun* run : runs)
    for (const Way& way : ways) {
      const double value = growth(*run, turn, way.measure);
      least = std::min(least, value);
      most = std::max(most, value);
      each += fmt::format("{}{} {:.3f} to {:.3f}", each.empty() ? "" : ", ", way.name,
                          volume(*run, turn - 1, way.measure), volume(*run, turn, way.measure));
    }
  const double value = corrects ? most : least;
  return {
      .name = fmt::format("growth_{}_h_{}mm_turn_{}", corrects ? "corrected" : "uncorrected",
                          mm(any.chosen.spacing), turn),
      .value = value,
      .unit = "1",
      .expected = corrects ? fmt::format("≤ {:.2g}", bound) : fmt::format("> {:.2g}", bound),
      .kind = Kind::paper_claim,
      .source = caption,
      .verdict = pass_if_finite(value, corrects ? value <= bound : value > bound),
      .note = fmt::format(
          "of the grains' volume, by two measures: {}; the bound is half a cell on the free surface", each)};
}

/// Sand that the correction makes smaller than it was is no better kept than sand that grows.
Number judge_kept(const std::vector<const GlassRun*>& runs) {
  const GlassRun& any = *runs.front();
  const double bound = resolved(any);
  double largest = 0.0;
  double held = 0.0;
  std::string each;
  for (const GlassRun* run : runs) {
    held = std::max(held, run->rests.back().held);
    for (const Way& way : ways) {
      const std::size_t last = run->rests.size() - 1;
      const double change = volume(*run, last, way.measure) - volume(*run, 0, way.measure);
      if (std::abs(change) > std::abs(largest)) largest = change;
      each += fmt::format("{}{} {:.3f}", each.empty() ? "" : ", ", way.name, change);
    }
  }
  return {
      .name = fmt::format("volume_kept_h_{}mm", mm(any.chosen.spacing)),
      .value = largest,
      .unit = "1",
      .expected = fmt::format("within {:.2g}", bound),
      .kind = Kind::measured,
      .source = "the same glass before its first turn",
      .verdict = pass_if_finite(largest, std::abs(largest) <= bound),
      .note = fmt::format(
          "change over all turns with correction, of the grains' volume: {}; {:.0f} % of the particles still "
          "hold a part of what they gained (v_c > 0). The paper claims no more than that it does not grow",
          each, 100.0 * held)};
}

Number judge_rest(const std::vector<GlassRun>& runs) {
  double largest = 0.0;
  std::uint64_t particles = 0;
  for (const GlassRun& run : runs) {
    for (const GlassFrame& rest : run.rests) largest = std::max(largest, rest.moving);
    if (!run.legs.empty()) particles = std::max(particles, run.legs.back().summary.particles);
  }
  return judge_moving(
      "moving_at_rest", largest, "volumes are those of sand at rest",
      fmt::format("share of {} particles, or fewer, faster than a fall of one cell makes them; "
                  "largest over runs and rests",
                  particles));
}

/// Of an evenly filled block the two measures say the same to what both resolve.
Number judge_measures(const std::vector<GlassRun>& runs) {
  double largest = 0.0;
  for (const GlassRun& run : runs) {
    const metrics::Occupied& start = run.frames.front().occupied;
    const double perimeter = 2.0 * (width + 0.2);
    for (const Way& way : ways)
      largest = std::max(largest, std::abs(start.*way.measure - run.volume) /
                                      (0.5 * run.chosen.spacing * perimeter + 0.05 * run.volume));
  }
  return {
      .name = "volume_of_the_block_at_the_start",
      .value = largest,
      .unit = "1",
      .expected = "≤ 1",
      .kind = Kind::closed_form,
      .source = "0.4 m × 0.2 m of sand as sampled",
      .verdict = pass_if_finite(largest, largest <= 1.0),
      .note =
          "difference of either measure over half a cell along the border and the twentieth of cells that a "
          "random sample with 4 per cell leaves empty (e⁻⁴ and less)"};
}

}  // namespace

std::vector<Number> judge(const GlassSetup& setup, const std::vector<GlassRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  for (const double spacing : setup.spacings)
    for (const bool corrects : {false, true})
      for (std::size_t turn = 1; turn <= static_cast<std::size_t>(setup.turns); ++turn) {
        Number number = judge_turn(some(runs, corrects, spacing), turn);
        if (preset == Preset::smoke)
          number = open_here(std::move(number), "twice the paper's spacing, one seed, 3 s between turns");
        numbers.push_back(std::move(number));
      }
  for (const double spacing : setup.spacings) numbers.push_back(judge_kept(some(runs, true, spacing)));
  numbers.push_back(judge_measures(runs));
  numbers.push_back(judge_rest(runs));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
