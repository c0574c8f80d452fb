#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/dam/dam.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

/// The largest of something over all looks at all runs; nan if there are none.
template <class Of>
double largest(const std::vector<DamRun>& runs, Of&& of) {
  double most = not_a_number;
  for (const DamRun& run : runs)
    for (const Balance& balance : run.balances) most = std::fmax(most, of(balance));
  return most;
}

std::size_t looks(const std::vector<DamRun>& runs) {
  std::size_t count = 0;
  for (const DamRun& run : runs) count += run.balances.size();
  return count;
}

bool has_term(const DamRun& run) { return run.chosen.reversible != ReversibleTerm::none; }

Number to_rounding(std::string name, double value, std::string source, std::string note) {
  return {.name = std::move(name),
          .value = value,
          .unit = "1",
          .expected = "≤ 1",
          .kind = Kind::closed_form,
          .source = std::move(source),
          .verdict = pass_if_finite(value, value <= 1.0),
          .note = std::move(note)};
}

/// Impulses that no exchange has would leave momentum as it is.
std::string given(const std::vector<DamRun>& runs, double Balance::*what) {
  double least = not_a_number, most = not_a_number;
  for (const DamRun& run : runs)
    for (const Balance& balance : run.balances) {
      least = std::fmin(least, balance.*what);
      most = std::fmax(most, balance.*what);
    }
  return fmt::format("impulses sum to {:.3g} to {:.3g} kg m/s without their directions", least, most);
}

}  // namespace

std::vector<Number> judge_balances(const std::vector<DamRun>& runs) {
  std::vector<DamRun> with_term;
  for (const DamRun& run : runs)
    if (has_term(run)) with_term.push_back(run);
  const std::string steps = fmt::format(
      "largest of {} single steps of the readable solver from states along the runs", looks(runs));
  std::vector<Number> numbers;
  numbers.push_back(to_rounding(
      "mass_on_the_grids",
      largest(runs, [](const Balance& b) { return std::max(b.mass_error[of_sand], b.mass_error[of_water]); }),
      "Σ m_i = Σ m_p of either species [Tam17 §4.1]", "error over its bound of rounding; " + steps));
  Number drag =
      to_rounding("momentum_kept_by_drag", largest(runs, [](const Balance& b) { return b.drag_error; }),
                  "zero-net-sum of the exchange [Tam17 §3.3, Eq.20, Eq.21]",
                  fmt::format("what both phases have at a node, over eight roundings; {}; {}",
                              given(runs, &Balance::drag_given), steps));
  if (!(largest(runs, [](const Balance& b) { return b.drag_given; }) > 0.0))
    drag.verdict = Verdict::undecided;
  numbers.push_back(std::move(drag));
  if (!with_term.empty()) {
    Number term = to_rounding(
        "momentum_kept_by_the_reversible_term",
        largest(with_term, [](const Balance& b) { return b.reversible_error; }),
        "zero-net-sum of the exchange [Tam17 §5.3]",
        fmt::format("what both phases have at a node with the term and without it, over eight roundings; "
                    "{}; largest of {} single steps",
                    given(with_term, &Balance::reversible_given), looks(with_term)));
    term.of_claim = true;
    if (!(largest(with_term, [](const Balance& b) { return b.reversible_given; }) > 0.0))
      term.verdict = Verdict::undecided;
    numbers.push_back(std::move(term));
  }
  numbers.push_back(
      to_rounding("momentum_of_a_step", largest(runs, [](const Balance& b) { return b.step_error; }),
                  "Σ m v of both species changes by their weight and by what walls give",
                  "error over the bound of rounding of the sums to the grids and back; " + steps));
  const double reach = largest(runs, [](const Balance& b) { return b.reach; });
  numbers.push_back(
      {.name = "reach_of_water",
       .value = reach,
       .unit = "h",
       .expected = "≤ 4",
       .kind = Kind::closed_form,
       .source = "two reaches of the quadratic kernel, 3 h, and what both move in a step [ERRATA T22]",
       .verdict = pass_if_finite(reach, reach <= 4.0),
       .note = "largest difference along an axis between a grain that has lost cohesion and the "
               "nearest drop; largest of all looks"});
  double deepest = 0.0;
  for (const DamRun& run : runs)
    deepest = std::max(deepest, run.summary.solids.deepest.deepest / run.scene.grid.h);
  numbers.push_back({.name = "deepest_in_a_wall",
                     .value = deepest,
                     .unit = "h",
                     .expected = "≤ 1",
                     .kind = Kind::measured,
                     .source = "walls hold sand and water; none of either leaves",
                     .verdict = pass_if_finite(deepest, deepest <= 1.0),
                     .note = "at the end of a frame; a particle that leaves the domain would end the run"});
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
