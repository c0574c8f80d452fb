#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig09_pouring/spout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* caption =
    "Tampubolon 2017, Figure 9 and §5.2: poured sand gains volume unless it is corrected or the grid is fine";

/// Half a cell of height over the floor that a pile covers, over the volume of its grains: what neither measure tells apart.
double resolved(const PourRun& run) {
  return 0.5 * run.chosen.spacing * run.surface / run.frames.back().poured;
}

/// Volume over that of the grains, by both measures. Cells that hold a particle overstate the surface by half a cell.
struct Volumes {
  double by_cells = 0.0, by_density = 0.0;
  double least() const { return std::min(by_cells, by_density); }
  double most() const { return std::max(by_cells, by_density); }
};
Volumes volumes(const PourRun& run) {
  const PourFrame& end = run.frames.back();
  return {end.occupied.by_cells / end.poured - resolved(run), end.occupied.by_density / end.poured};
}

std::string mm(double spacing) { return word(fmt::format("{:.3g}", 1e3 * spacing)); }

std::vector<const PourRun*> some(const std::vector<PourRun>& runs, bool corrects, double spacing) {
  std::vector<const PourRun*> found;
  for (const PourRun& run : runs)
    if (run.chosen.corrects == corrects && run.chosen.spacing == spacing && !run.chosen.loose &&
        !run.frames.empty())
      found.push_back(&run);
  return found;
}

std::string each_volume(const std::vector<const PourRun*>& runs) {
  std::string text;
  for (const PourRun* run : runs)
    text += fmt::format("{}cells {:.3f}, density {:.3f}", text.empty() ? "" : "; ", volumes(*run).by_cells,
                        volumes(*run).by_density);
  return text;
}

/// Gain over the grains' own volume: the least over seeds and measures where it must be there, the largest where it must not.
Number judge_gain(const std::vector<const PourRun*>& runs, double spacing, bool corrects) {
  double least = std::numeric_limits<double>::infinity(), most = -least, bound = 0.0, held = 0.0;
  for (const PourRun* run : runs) {
    least = std::min(least, volumes(*run).least() - 1.0);
    most = std::max(most, volumes(*run).most() - 1.0);
    bound = std::max(bound, resolved(*run));
    held = std::max(held, run->frames.back().held);
  }
  const double value = runs.empty() ? not_a_number : corrects ? most : least;
  return {.name = fmt::format("gain_{}_h_{}mm", corrects ? "corrected" : "uncorrected", mm(spacing)),
          .value = value,
          .unit = "1",
          .expected = fmt::format("{} {:.2g}", corrects ? "≤" : ">", bound),
          .kind = Kind::paper_claim,
          .source = caption,
          .verdict = pass_if_finite(value, corrects ? value <= bound : value > bound),
          .note = fmt::format("of the grains' volume at rest, by two measures over seeds: {}; the bound is "
                              "half a cell over the floor that "
                              "the pile covers; particles with v_c > 0: {:.0f} %",
                              each_volume(runs), 100.0 * held)};
}

/// With the correction and without, at one spacing and with equal seeds: what both measures overstate is in both.
Number judge_difference(const std::vector<PourRun>& runs, double spacing) {
  const auto off = some(runs, false, spacing), on = some(runs, true, spacing);
  double least =
             off.empty() || off.size() != on.size() ? not_a_number : std::numeric_limits<double>::infinity(),
         bound = 0.0;
  for (std::size_t k = 0; k < off.size() && off.size() == on.size(); ++k) {
    const Volumes without = volumes(*off[k]), with = volumes(*on[k]);
    least = std::min({least, without.by_cells - with.by_cells, without.by_density - with.by_density});
    bound = std::max({bound, resolved(*off[k]), resolved(*on[k])});
  }
  return {.name = fmt::format("taken_back_h_{}mm", mm(spacing)),
          .value = least,
          .unit = "1",
          .expected = fmt::format("> {:.2g}", bound),
          .kind = Kind::paper_claim,
          .source = caption,
          .verdict = pass_if_finite(least, least > bound),
          .note =
              "volume without the correction less that with it, over that of the grains; the least of seeds "
              "and measures"};
}

/// "Without a sufficiently small grid resolution": what is gained without correction is less on the finer grid.
Number judge_finer(const std::vector<PourRun>& runs, double coarse, double fine) {
  const auto wide = some(runs, false, coarse), narrow = some(runs, false, fine);
  double value = not_a_number;
  if (!wide.empty() && !narrow.empty()) {
    value = std::numeric_limits<double>::infinity();
    for (const PourRun* a : wide)
      for (const PourRun* b : narrow)
        value = std::min({value, volumes(*a).by_cells - volumes(*b).by_cells,
                          volumes(*a).by_density - volumes(*b).by_density});
  }
  return {.name = "gain_at_coarse_less_gain_at_fine",
          .value = value,
          .unit = "1",
          .expected = "> 0",
          .kind = Kind::paper_claim,
          .source = caption,
          .verdict = pass_if_finite(value, value > 0.0),
          .note = fmt::format("volume without correction over that of the grains, h {:g} mm less h {:g} mm; "
                              "the least of seeds and measures",
                              1e3 * coarse, 1e3 * fine)};
}

/// Sand that the correction presses below its own volume is no better kept. Its weight explains what is allowed.
Number judge_shrinking(const std::vector<const PourRun*>& runs, double spacing) {
  double least = runs.empty() ? not_a_number : std::numeric_limits<double>::infinity(), bound = 0.0,
         strain = 0.0;
  for (const PourRun* run : runs) {
    least = std::min(least, volumes(*run).least() - 1.0);
    const Material& sand = run->scene.materials.front();
    const double c = wave_speed(sand);
    double top = 0.0;
    for (const PourGrain& grain : run->grains) top = std::max(top, grain.at.y());
    strain = std::max(strain, run->scene.gravity.norm() * top / (c * c));
    bound = std::max(bound, resolved(*run) + strain);
  }
  return {
      .name = fmt::format("volume_kept_h_{}mm", mm(spacing)),
      .value = least,
      .unit = "1",
      .expected = fmt::format("≥ −{:.2g}", bound),
      .kind = Kind::measured,
      .source = "volume of the grains as poured",
      .verdict = pass_if_finite(least, least >= -bound),
      .note = fmt::format(
          "gain with correction, least of seeds and measures; allowed is half a cell over the floor and the "
          "static strain "
          "ρgL/(λ+2μ) under the pile's height, {:.3f}. The paper claims no more than that it does not swell",
          strain)};
}

/// Sand counts as whole where it leaves the spout: what lies loose there, no v_c knows of.
Number judge_loose(const std::vector<PourRun>& runs) {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [](const PourRun& run) { return run.chosen.loose && !run.frames.empty(); });
  double value = not_a_number, bound = 0.0;
  std::string each = "none";
  if (found != runs.end()) {
    bound = resolved(*found);
    value = volumes(*found).least() - 1.0;
    each = each_volume({&*found});
  }
  return {
      .name = "gain_corrected_of_loose_sand",
      .value = value,
      .unit = "1",
      .expected = fmt::format("≤ {:.2g}", bound),
      .kind = Kind::measured,
      .source = "volume of the grains",
      .verdict = pass_if_finite(value, value <= bound),
      .note = fmt::format(
          "as gain_corrected at the coarser spacing, but poured at half the rate for twice the time, so that "
          "sand leaves the "
          "spout at half its density: {}. A particle's own volume is that of its surroundings at that time",
          each)};
}

Number judge_flow(const std::vector<PourRun>& runs) {
  double largest = runs.empty() ? not_a_number : 0.0;
  std::size_t particles = 0;
  for (const PourRun& run : runs) {
    if (run.frames.empty()) continue;
    largest = std::max(largest, run.frames.back().moving);
    particles = std::max(particles, run.grains.size());
  }
  return judge_moving(
      "moving_at_the_end", largest, "volumes are those of sand at rest",
      fmt::format("share of {} particles, or fewer, faster than a fall of one cell makes them; "
                  "largest over runs",
                  particles));
}

}  // namespace

std::vector<Number> judge(const PourSetup& setup, const std::vector<PourRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  const auto add = [&](Number number) {
    if (preset == Preset::smoke && number.kind == Kind::paper_claim)
      number = open_here(std::move(number), "twice the paper's coarser spacing and that, one seed");
    numbers.push_back(std::move(number));
  };
  for (const double spacing : setup.spacings) {
    for (const bool corrects : {false, true})
      add(judge_gain(some(runs, corrects, spacing), spacing, corrects));
    add(judge_difference(runs, spacing));
  }
  add(judge_finer(runs, setup.spacings.front(), setup.spacings.back()));
  for (const double spacing : setup.spacings) add(judge_shrinking(some(runs, true, spacing), spacing));
  add(judge_loose(runs));
  add(judge_flow(runs));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
