#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/sec434_volume_drop/dropped_block.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* section = "Tampubolon 2017, §4.3.4: v_c lets sand be compressed after it has expanded";

constexpr double height_of_block = 0.4;  ///< [m]

/// Half a cell of height, over that of the block.
double half_a_cell(double spacing) { return 0.5 * spacing / height_of_block; }

const DropRun* run_of(const std::vector<DropRun>& runs, const DropCase& chosen) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const DropRun& run) { return run.chosen == chosen; });
  return found == runs.end() || found->frames.empty() ? nullptr : &*found;
}

double fill(const DropRun* run) { return run != nullptr ? run->frames.back().fill : not_a_number; }

std::string of_case(const DropCase& c) {
  return fmt::format("{}_h_{}mm", c.kernel == Kernel::cubic ? "cubic" : "quadratic",
                     word(fmt::format("{:.3g}", 1e3 * c.spacing)));
}

/// Two runs that should come to rest alike.
Number judge_alike(std::string name, const DropRun* one, const DropRun* other, double spacing,
                   std::string_view source, std::string note) {
  const double apart = fill(other) - fill(one);
  return {.name = std::move(name),
          .value = apart,
          .unit = "1",
          .expected = fmt::format("within {:.2g}", half_a_cell(spacing)),
          .kind = Kind::measured,
          .source = std::string(source),
          .verdict = pass_if_finite(apart, std::abs(apart) <= half_a_cell(spacing)),
          .note = std::move(note)};
}

std::string left_in(const DropRun* run) {
  if (run == nullptr) return "none";
  const DropFrame& end = run->frames.back();
  return fmt::format(
      "fill {:.3f}, mean v_c {:.3f}, at the most {:.3f}, {:.0f} % of the particles with v_c > 0, mean q "
      "{:.2f}",
      end.fill, end.v_c, run->opened(), 100.0 * end.held, run->hardening);
}

void judge_usual(std::vector<Number>& numbers, const std::vector<DropRun>& runs, const DropCase& usual) {
  DropCase without = usual;
  without.corrects = false;
  const DropRun *on = run_of(runs, usual), *off = run_of(runs, without);
  const double bound = half_a_cell(usual.spacing);
  const double taken = fill(off) - fill(on);
  numbers.push_back({.name = fmt::format("taken_back_{}", of_case(usual)),
                     .value = taken,
                     .unit = "1",
                     .expected = fmt::format("> {:.2g}", bound),
                     .kind = Kind::paper_claim,
                     .source = section,
                     .verdict = pass_if_finite(taken, taken > bound),
                     .note = fmt::format("fill at rest without the correction, {:.3f}, less that with it, "
                                         "{:.3f}: {:.0f} % of what sand gained "
                                         "without it; half a cell is resolved",
                                         fill(off), fill(on), 100.0 * taken / (fill(off) - 1.0))});
  double strain = not_a_number;
  if (on != nullptr) {
    const double c = wave_speed(on->scene.materials.front());
    strain = 0.5 * on->scene.gravity.norm() * height_of_block / (c * c);
  }
  numbers.push_back({.name = fmt::format("fill_{}", of_case(usual)),
                     .value = fill(on),
                     .unit = "1",
                     .expected = fmt::format("{:.3f} ± {:.2g}", 1.0 - strain, bound),
                     .kind = Kind::measured,
                     .source = "the block before it drops, less ρgL/2(λ+2μ)",
                     .verdict = pass_if_finite(fill(on) + strain, std::abs(fill(on) - 1.0 + strain) <= bound),
                     .note = fmt::format("twice the mean height at rest over 0.4 m; {}", left_in(on))});
}

/// T38 against T19: only sand that hardens can tell.
void judge_rules_of_hardening(std::vector<Number>& numbers, const std::vector<DropRun>& runs,
                              const DropCase& usual, bool coarsest) {
  DropCase opening = usual, both = usual;
  opening.hardens = both.hardens = true;
  both.apart = HardeningApart::opening_and_closing;
  numbers.push_back(judge_alike(
      fmt::format("hardening_while_closing_{}", of_case(usual)), run_of(runs, opening), run_of(runs, both),
      usual.spacing, "the same sand that hardens while it opens alone (erratum T38)",
      fmt::format("change of fill of hardening sand, 35/9/0.2/10: opening alone: {}; closing too: {}",
                  left_in(run_of(runs, opening)), left_in(run_of(runs, both)))));
  if (!coarsest) return;
  DropCase constant = usual;
  constant.apart = HardeningApart::opening_and_closing;
  const double apart = fill(run_of(runs, constant)) - fill(run_of(runs, usual));
  numbers.push_back({.name = fmt::format("hardening_of_a_constant_cone_{}", of_case(usual)),
                     .value = apart,
                     .unit = "1",
                     .expected = "0",
                     .kind = Kind::closed_form,
                     .source = "where the friction angle does not depend on q, no rule of q moves a grain",
                     .verdict = pass_if_finite(apart, apart == 0.0),
                     .note = "change of fill from one rule to the other"});
}

void judge_rest_of_the_method(std::vector<Number>& numbers, const std::vector<DropRun>& runs,
                              const DropSetup& setup, const DropCase& usual) {
  DropCase shorter = usual, readable = usual;
  shorter.step_share = 0.5;
  readable.readable = true;
  numbers.push_back(judge_alike(fmt::format("half_the_step_{}", of_case(usual)), run_of(runs, usual),
                                run_of(runs, shorter), usual.spacing, "the same drop at twice the step",
                                fmt::format("change of fill; {}", left_in(run_of(runs, shorter)))));
  if (setup.readable)
    numbers.push_back(judge_alike(fmt::format("readable_solver_{}", of_case(usual)), run_of(runs, usual),
                                  run_of(runs, readable), usual.spacing,
                                  "the same drop by the solver that is asked for",
                                  fmt::format("change of fill; {}", left_in(run_of(runs, readable)))));
}

}  // namespace

std::vector<Number> judge(const DropSetup& setup, const std::vector<DropRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  double moving = 0.0;
  for (const DropRun& run : runs)
    if (!run.frames.empty()) moving = std::max(moving, run.frames.back().moving);
  for (const double spacing : setup.spacings)
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
      const DropCase usual{.kernel = kernel, .spacing = spacing};
      const bool coarsest = spacing == setup.spacings.front();
      judge_usual(numbers, runs, usual);
      judge_rules_of_hardening(numbers, runs, usual, coarsest);
      if (coarsest) judge_rest_of_the_method(numbers, runs, setup, usual);
    }
  if (preset == Preset::smoke)
    for (Number& number : numbers)
      if (number.kind == Kind::paper_claim)
        number = open_here(std::move(number), "one spacing, ten cells of height");
  numbers.push_back(
      judge_moving("moving_at_rest", moving, "fills are those of sand at rest",
                   "share of the particles faster than a fall of one cell makes them, largest of all runs"));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
