#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig03_wedge/drops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* wedge_claim =
    "Tampubolon 2017, Figure 3 and §5.2: cohesion gives rise to different behaviours of wet sand";

using OfFrame = std::function<double(const WedgeFrame&)>;

/// A quantity at the end, for each cohesion of a series.
struct OverCohesions {
  std::vector<double> mean;     ///< over the seeds
  double apart = not_a_number;  ///< the most by which two seeds of one cohesion differ
};

OverCohesions over_cohesions(const WedgeSetup& setup, const std::vector<WedgeRun>& runs,
                             std::string_view series, const OfFrame& of) {
  OverCohesions found;
  for (const double tip : setup.tips) {
    double sum = 0.0, least = not_a_number, most = not_a_number;
    int count = 0;
    for (const WedgeRun& run : runs) {
      if (series_of(run.chosen) != series || run.chosen.tip != tip) continue;
      const double value = of(run.frames.back());
      sum += value;
      ++count;
      least = std::fmin(least, value);
      most = std::fmax(most, value);
    }
    found.mean.push_back(count > 0 ? sum / count : not_a_number);
    found.apart = std::fmax(found.apart, most - least);
  }
  return found;
}

/// Whether a quantity is larger at the largest cohesion than without any by more than seeds differ, and never falls by as much.
struct Growing {
  std::string name;  ///< "clump_size_cells"
  std::string unit;
  Kind kind;
  std::string what;
  OfFrame of;
};

void judge_growing(std::vector<Number>& numbers, const WedgeSetup& setup, const std::vector<WedgeRun>& runs,
                   std::string_view series, const Growing& growing) {
  const OverCohesions found = over_cohesions(setup, runs, series, growing.of);
  double back = not_a_number;
  std::string each;
  for (std::size_t k = 0; k < found.mean.size(); ++k) {
    if (k > 0) back = std::fmax(back, found.mean[k - 1] - found.mean[k]);
    each += fmt::format("; e_c {:g}: {:.4g}", setup.tips[k], found.mean[k]);
  }
  const double whole = found.mean.back() - found.mean.front();
  numbers.push_back(
      {.name = fmt::format("{}_grows_{}", growing.name, series),
       .value = whole,
       .unit = growing.unit,
       .expected = fmt::format("> {:.2g}", found.apart),
       .kind = growing.kind,
       .source = wedge_claim,
       .verdict = pass_if_finite(whole * found.apart, whole > found.apart),
       .note = fmt::format("{}, at the largest cohesion less without any; the bound is what seeds "
                           "differ by{}",
                           growing.what, each)});
  if (setup.tips.size() < 3) return;
  numbers.push_back({.name = fmt::format("{}_falls_on_the_way_{}", growing.name, series),
                     .value = back,
                     .unit = growing.unit,
                     .expected = fmt::format("< {:.2g}", found.apart),
                     .kind = growing.kind,
                     .source = wedge_claim,
                     .verdict = pass_if_finite(back * found.apart, back < found.apart),
                     .note = "the largest step the other way from one cohesion to the next"});
}

/// Beside the claim: dry sand has no clump that is wider than the reach of a kernel.
Number judge_dry(const std::vector<WedgeRun>& runs) {
  double largest = not_a_number, kept = not_a_number;
  std::size_t count = 0, grains = 0;
  for (const WedgeRun& run : runs) {
    if (series_of(run.chosen) != "dry") continue;
    const ClumpSizes& clumps = run.frames.back().clumps[2];
    largest = std::fmax(largest, clumps.largest);
    kept = std::fmax(kept, run.frames.back().kept);
    count = std::max(count, clumps.count);
    grains = run.grains.back().size();
  }
  // The kernel is 3 cells wide, with four particles each.
  const double support = 9.0 * 4.0 / static_cast<double>(std::max<std::size_t>(1, grains));
  return {.name = "largest_clump_dry",
          .value = largest,
          .unit = "1",
          .expected = fmt::format("≤ {:.3g}", support),
          .kind = Kind::measured,
          .source = "dry sand does not cohere: as many grains as the kernel reaches",
          .verdict = pass_if_finite(largest, largest <= support),
          .note = fmt::format(
              "share of {} particles that stayed neighbours, the worst seed; {} such clumps at the "
              "most, {:.2g} of the neighbours kept",
              grains, count, kept)};
}

Number judge_start(const std::vector<WedgeRun>& runs) {
  double least = not_a_number;
  for (const WedgeRun& run : runs)
    for (const ClumpSizes& clumps : run.frames.front().clumps) least = std::fmin(least, clumps.mean);
  return {.name = "clump_size_at_the_start",
          .value = least,
          .unit = "1",
          .expected = "≥ 0.9",
          .kind = Kind::sanity,
          .source = "every block falls in one piece",
          .verdict = pass_if_finite(least, least >= 0.9),
          .note = "the least by any way of parting it; cells at its border hold few particles"};
}

Number judge_room(const std::vector<WedgeRun>& runs) {
  double farthest = not_a_number, room = not_a_number;
  for (const WedgeRun& run : runs) {
    room = run.scene.grid.domain_max().x() - 2.0 * run.scene.grid.h;
    for (const WedgeFrame& frame : run.frames) farthest = std::fmax(farthest, frame.farthest);
  }
  return {.name = "farthest_grain",
          .value = farthest,
          .unit = "m",
          .expected = fmt::format("< {:.4g}", room),
          .kind = Kind::sanity,
          .source = "the grid ends nowhere near the sand",
          .verdict = pass_if_finite(farthest, farthest < room),
          .note = "from the middle, at the end of any frame"};
}

}  // namespace

std::vector<Number> judge(const WedgeSetup& setup, const std::vector<WedgeRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  for (const std::string_view series : {"semi_implicit", "explicit"}) {
    const bool shown = series == "semi_implicit";
    for (std::size_t way = 0; way < clump_ways.size(); ++way)
      judge_growing(numbers, setup, runs, series,
                    {.name = fmt::format("clump_size_{}", clump_ways[way]),
                     .unit = "1",
                     .kind = shown ? Kind::paper_claim : Kind::measured,
                     .what = "share of the sand in the clump of a grain drawn at random",
                     .of = [way](const WedgeFrame& frame) { return frame.clumps[way].mean; }});
    judge_growing(numbers, setup, runs, series,
                  {.name = "neighbours_kept",
                   .unit = "1",
                   .kind = Kind::measured,
                   .what = "share of the pairs of grains that stayed neighbours",
                   .of = [](const WedgeFrame& frame) { return frame.kept; }});
    judge_growing(numbers, setup, runs, series,
                  {.name = "nearness",
                   .unit = "m",
                   .kind = Kind::measured,
                   .what = "less the mean distance of the sand from the middle",
                   .of = [](const WedgeFrame& frame) { return -frame.spread; }});
  }
  numbers.push_back(judge_dry(runs));
  if (preset == Preset::smoke)
    for (Number& number : numbers)
      number = open_here(std::move(number), "ten cells in the block, two cohesions, and not to its end");
  numbers.push_back(judge_start(runs));
  numbers.push_back(judge_room(runs));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
