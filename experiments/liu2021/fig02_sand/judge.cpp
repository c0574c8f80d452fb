#include "experiments/figures/judging.h"
#include "experiments/figures/scatter.h"
#include "experiments/liu2021/fig02_sand/block.h"
#include "validation/metrics/extremes.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::liu2021 {

namespace {

constexpr const char* caption =
    "Liu 2021, §5 and Figure 2: a block of sand falls, flows and piles up at the bottom";

std::string_view reading(bool printed) { return printed ? "printed_lambda" : "corrected_lambda"; }

std::vector<const BlockRun*> runs_of(const std::vector<BlockRun>& runs, bool printed) {
  std::vector<const BlockRun*> found;
  for (const BlockRun& run : runs)
    if (run.chosen.printed_lambda == printed && !run.heaps.empty()) found.push_back(&run);
  return found;
}

std::vector<double> values(const std::vector<const BlockRun*>& runs, double Heap::*what) {
  std::vector<double> all;
  for (const BlockRun* run : runs) all.push_back(run->heaps.back().*what);
  return all;
}

double mean(const std::vector<double>& all) {
  double sum = 0.0;
  for (const double one : all) sum += one;
  return all.empty() ? not_a_number : sum / static_cast<double>(all.size());
}

/// Sand that had run out like a liquid would fill the box from wall to wall.
Number judge_heap(const std::vector<const BlockRun*>& runs, bool printed) {
  const std::vector<double> heights = values(runs, &Heap::height);
  double least = not_a_number, layer = not_a_number, h = not_a_number;
  if (!runs.empty()) {
    const Scene& scene = runs.front()->scene;
    h = scene.grid.h;
    const double width = scene.grid.domain_max().x() - scene.grid.domain_min.x() - 4.0 * h;
    layer = static_cast<double>(runs.front()->grains.size()) * 2.0 / width;
    least = (*std::min_element(heights.begin(), heights.end()) - layer) / h;
  }
  return {.name = fmt::format("height_above_an_even_layer_{}", reading(printed)),
          .value = least,
          .unit = "cells",
          .expected = "> 1",
          .kind = Kind::paper_claim,
          .source = caption,
          .verdict = pass_if_finite(least, least > 1.0),
          .note = fmt::format("least over {} samples; mean height in the middle {:.3g}, of an even layer "
                              "from wall to wall {:.3g}, "
                              "run-out {:.3g}, 96 to the walls",
                              runs.size(), mean(heights), layer, mean(values(runs, &Heap::runout)))};
}

/// A pile that is judged has come to rest: what it loses in its last third is below what its height is known to.
Number judge_sinking(const std::vector<const BlockRun*>& runs, bool printed) {
  double most = runs.empty() ? not_a_number : 0.0;
  for (const BlockRun* run : runs) {
    const double since = run->heaps.back().time * 2.0 / 3.0;
    const auto then = std::find_if(run->heaps.begin(), run->heaps.end(),
                                   [&](const Heap& heap) { return heap.time >= since; });
    most = std::max(most, (then->height - run->heaps.back().height) / run->scene.grid.h);
  }
  return {.name = fmt::format("sinking_{}", reading(printed)),
          .value = most,
          .unit = "cells",
          .expected = "≤ 0.5",
          .kind = Kind::measured,
          .source = "a pile at rest keeps its height",
          .verdict = pass_if_finite(most, most <= 0.5),
          .note = fmt::format(
              "fall of the height in the middle in the last third of the time, largest over {} samples",
              runs.size())};
}

/// Whether the slip of the print shows in the pile.
Number judge_lambda(const std::vector<BlockRun>& runs, std::string_view name, double Heap::*what,
                    std::string_view in_words) {
  const auto printed = values(runs_of(runs, true), what), corrected = values(runs_of(runs, false), what);
  const double ratio = mean(printed) / mean(corrected);
  // Scatter of either mean over its samples; half a cell is what neither measure resolves.
  double open = not_a_number;
  if (printed.size() > 1 && corrected.size() == printed.size()) {
    const double scatter = std::max(least_real_difference(printed), least_real_difference(corrected));
    open =
        std::max(scatter / std::sqrt(static_cast<double>(printed.size())), 0.5 * runs.front().scene.grid.h) /
        mean(corrected);
  }
  return {.name = fmt::format("{}_printed_over_corrected_lambda", name),
          .value = ratio,
          .unit = "1",
          .expected = fmt::format("1 ± {:.2g}", open),
          .kind = Kind::measured,
          .source = "the same blocks with the corrected λ (erratum L2)",
          .verdict = pass_if_finite(ratio * open, std::abs(ratio - 1.0) <= open),
          .note = fmt::format("{}, means over {} samples each: {:.4g} and {:.4g}; expected is what samples "
                              "scatter by, and no less than "
                              "half a cell",
                              in_words, printed.size(), mean(printed), mean(corrected))};
}

/// What both rules do to the nodes of the runs: the adopted one takes energy and no more momentum than Coulomb allows, the
/// printed one is refuted by either number.
void judge_rules(std::vector<Number>& numbers, const std::vector<BlockRun>& runs) {
  std::size_t nodes = 0;
  double solver = 0.0, gain[2] = {0.0, 0.0}, beyond[2] = {0.0, 0.0};
  for (const BlockRun& run : runs)
    for (const WallNodes& seen : run.walls) {
      nodes += seen.nodes;
      solver = metrics::larger(solver, seen.solver_error);
      for (const std::size_t k : {0U, 1U}) {
        if (seen.before > 0.0) gain[k] = metrics::larger(gain[k], seen.after[k] / seen.before);
        beyond[k] = metrics::larger(beyond[k], seen.beyond[k]);
      }
    }
  const auto add = [&](std::string name, double value, std::string expected, bool holds,
                       std::string_view source) {
    numbers.push_back({.name = std::move(name),
                       .value = nodes > 0 ? value : not_a_number,
                       .unit = "1",
                       .expected = std::move(expected),
                       .kind = Kind::closed_form,
                       .source = std::string(source),
                       .verdict = nodes > 0 ? pass_if(holds) : Verdict::undecided,
                       .note = fmt::format("largest of {} nodes that a wall pushed, in all runs", nodes)});
  };
  const std::string_view energy =
      "friction with a wall at rest makes no motion: tangential energy after it over before, of a state";
  const std::string_view coulomb = "Coulomb: ‖Δp_t‖ over μ_b ‖j‖";
  // Ten roundings of what is compared.
  constexpr double one = 1.0 + 1e-5;
  add("tangential_energy_after_adopted_friction", gain[0], "≤ 1", gain[0] <= one, energy);
  add("tangential_energy_after_printed_friction", gain[1], "> 1: refuted", gain[1] > one, energy);
  add("impulse_of_adopted_friction", beyond[0], "≤ 1", beyond[0] <= one, coulomb);
  add("impulse_of_printed_friction", beyond[1], "> 1: refuted", beyond[1] > one, coulomb);
  add("friction_of_the_solver", solver, "≤ 1", solver <= 1.0,
      "the adopted rule (erratum L1); error over the bound of rounding");
}

/// A block that slides at 10 m/s on a level floor, and one slower than what friction can take in a step.
void judge_slides(std::vector<Number>& numbers, const Scene& scene) {
  const double mu_b = scene.colliders.front().friction, g = scene.gravity.norm(), dt = 1e-3, speed = 10.0;
  const int steps = static_cast<int>(2.0 * speed / (mu_b * g) / dt);
  const double way = speed * speed / (2.0 * mu_b * g);
  const double adopted = slide(FrictionRule::adopted, speed, mu_b, g, dt, steps).distance / way;
  const double printed = slide(FrictionRule::printed, speed, mu_b, g, dt, steps).distance / way;
  const double creep =
      slide(FrictionRule::printed, 0.4 * mu_b * g * dt, mu_b, g, dt, 1000).speed / (0.4 * mu_b * g * dt);
  const auto add = [&](std::string_view name, double value, std::string expected, bool holds,
                       std::string_view note) {
    numbers.push_back({.name = std::string(name),
                       .value = value,
                       .unit = "1",
                       .expected = std::move(expected),
                       .kind = Kind::closed_form,
                       .source = "a block that slides on a level floor stops after v²/(2 μ_b g)",
                       .verdict = pass_if(holds),
                       .note = std::string(note)});
  };
  // Each step moves by the speed before its friction: μ_b g Δt/v more than the parabola.
  const double open = 2.0 * mu_b * g * dt / speed;
  add("slide_by_adopted_friction", adopted, fmt::format("1 ± {:.2g}", open), std::abs(adopted - 1.0) <= open,
      "way over the closed form, from 10 m/s at Δt 1 ms");
  add("slide_by_printed_friction", printed, fmt::format("not 1 ± {:.2g}: refuted", open),
      std::abs(printed - 1.0) > open, "it stops in its first step, however fast it is");
  add("speed_left_by_printed_friction", creep, "> 0: refuted", creep > 0.0,
      "of a block at 0.4 μ_b g Δt after 1000 steps, over its start: it is turned round and pushed faster, "
      "and never stops");
}

Number judge_rest(const std::vector<BlockRun>& runs) {
  double moving = runs.empty() ? not_a_number : 0.0;
  std::size_t outside = 0;
  for (const BlockRun& run : runs) {
    moving = std::max(moving, run.heaps.back().moving);
    outside += run.outside;
  }
  return {.name = "moving_or_outside_at_the_end",
          .value = moving + static_cast<double>(outside),
          .unit = "1",
          .expected = "≤ 0.01",
          .kind = Kind::sanity,
          .source = "a pile is judged at rest and whole",
          .verdict = pass_if_finite(moving, moving <= 0.01 && outside == 0),
          .note =
              "share of 400 particles faster than a fall of one cell makes them, largest of all runs, and "
              "the number of those "
              "more than a cell behind a wall"};
}

}  // namespace

std::vector<Number> judge(const std::vector<BlockRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  for (const bool printed : {false, true}) numbers.push_back(judge_heap(runs_of(runs, printed), printed));
  for (const bool printed : {false, true}) numbers.push_back(judge_sinking(runs_of(runs, printed), printed));
  for (Number number : {judge_lambda(runs, "height", &Heap::height, "height in the middle"),
                        judge_lambda(runs, "runout", &Heap::runout, "radius that holds 98 %")})
    numbers.push_back(preset == Preset::smoke ? open_here(std::move(number), "three samples of a block")
                                              : std::move(number));
  judge_rules(numbers, runs);
  if (!runs.empty()) judge_slides(numbers, runs.front().scene);
  numbers.push_back(judge_rest(runs));
  return numbers;
}

}  // namespace repose::experiments::liu2021
