#include "experiments/tampubolon2017/fig05_multiplier/judge.h"

#include "experiments/figures/judging.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace repose::experiments::tampubolon2017 {

namespace {

/// Which power it is: another one is a whole number away.
Number judge_order(std::string_view what, std::string_view border, double got, double due, int ways) {
  return {
      .name = fmt::format("order_of_{}_at_border_of_{}", what, border),
      .value = got,
      .unit = "1",
      .expected = fmt::format("{:g} ± 0.25", due),
      .kind = Kind::paper_claim,
      .source =
          "Tampubolon 2017, Figure 5: the multiplier falls in a C² manner; h_s = 1 − 10z³ + 15z⁴ − 6z⁵ "
          "[Tam17 Eq.9]",
      .verdict = pass_if_finite(got, ways > 0 && std::abs(got - due) <= 0.25),
      .note = fmt::format(
          "furthest of {} ways through strain space, in two and three dimensions: by which power of "
          "the distance behind the border it leaves what it is beyond, by differences at z ≈ 10⁻² and 10⁻³",
          ways)};
}

/// Of the table of erratum T37: four digits, in the plane.
struct KnownShares {
  std::string_view set;
  double depth, a;
  std::optional<double> c{}, mean{};
  double mean_digit = 0.0;  ///< last one given
};
constexpr KnownShares known[] = {{"table2", 0.01, .9100},
                                 {"table2", 0.05, .9964},
                                 {"fig6_c0_1p1_per_cent", 0.01, .3134, .2667},
                                 {"fig6_c0_2_per_cent", 0.01, .2599, .3978},
                                 {"fig6_c0_2p5_per_cent", 0.01, .2434, .4367},
                                 {"fig6_c0_3_per_cent", 0.01, .2311, .4656},
                                 {"fig6_c0_1p1_plain", 0.2, 0.0},
                                 {"fig6_c0_2_plain", 0.2, 0.0},
                                 {"fig6_c0_2p5_plain", 0.2, 0.0},
                                 {"fig6_c0_3_plain", 0.2, 0.0},
                                 {"fig6_c0_1p1_plain", 0.05, 0.0, {}, .0035, 1e-4},
                                 {"dam_plain", 0.05, 0.0, {}, .24, 1e-2}};

/// What rows × rows midpoints leave open of a share. Along a row a border is one point, known to half a column, which in the
/// outermost ring of space weighs twice. From row to row the share of a row grows and falls once at the most, and so does, times
/// what a row weighs (up to d), no more than 3d in all: midpoints of steps of 1/rows miss half a step of that.
double sampling_error(int rows, int dim) { return (dim == 2 ? 0.5 + 3.0 : 1.0 + 4.5) / rows; }

void judge_known(std::vector<Number>& numbers, const MultiplierFindings& found) {
  for (const KnownShares& due : known)
    for (const SetShares& got : found.shares) {
      if (got.set.name != due.set || got.dim != 2 || got.depth != due.depth) continue;
      const auto add = [&](std::string_view what, double value, double expected, double within) {
        numbers.push_back(
            {.name = fmt::format("{}_{}_to_{}", what, due.set, word(fmt::format("{:g}", due.depth))),
             .value = value,
             .unit = "1",
             .expected = fmt::format("{:g} ± {:.2g}", expected, within),
             .kind = Kind::closed_form,
             .source = fmt::format("erratum T37; {}", got.set.where),
             .verdict = pass_if_finite(value, std::abs(value - expected) <= within),
             .note = fmt::format("of the cone in the plane, ν 0.4, φ 30°, 0 ≥ u ≥ −{:g}", due.depth)});
      };
      // To the last digit that the erratum gives.
      add("share_of_a", got.integrated.a, due.a, 1e-4);
      if (due.c) add("share_of_c", got.integrated.c, *due.c, 1e-4);
      if (due.mean)
        add("mean", got.sampled.mean, *due.mean,
            due.mean_digit + got.sampled.most * sampling_error(found.rows, 2));
    }
}

/// "We want region A to cover most of the region inside the cone": with the parameters that the paper runs, of Figure 6 the best.
void judge_covered(std::vector<Number>& numbers, const MultiplierFindings& found, const Material& sand) {
  for (const SetShares& got : found.shares) {
    if (got.depth != 0.01 || got.dim != 2) continue;
    const std::string_view name = got.set.name;
    if (name != "table2" && name != "fig6_c0_1p1_per_cent" && name != "dam_per_cent") continue;
    numbers.push_back(
        {.name = fmt::format("most_of_the_cone_{}", name),
         .value = got.integrated.a,
         .unit = "1",
         .expected = "> 0.5",
         .kind = Kind::paper_claim,
         .source =
             fmt::format("Tampubolon 2017, §3.1.1: region A is to cover most of the cone; {}", got.set.where),
         .verdict = pass_if_finite(got.integrated.a, got.integrated.a > 0.5),
         .note = fmt::format(
             "c₀ {:g}; far from the tip it can cover the cone up to c₀ {:.2f} (erratum T17); 0 ≥ u ≥ −0.01",
             got.set.of.c0, widest_opening(sand, 2))});
  }
}

/// "As c₀ increases, the envelopes become increasingly poor approximations."
void judge_growing_opening(std::vector<Number>& numbers, const MultiplierFindings& found) {
  double a_grows = not_a_number, c_falls = not_a_number;
  const SetShares* before = nullptr;
  for (const SetShares& got : found.shares) {
    if (got.depth != 0.01 || got.dim != 2 || !got.set.name.starts_with("fig6") ||
        !got.set.name.ends_with("per_cent"))
      continue;
    if (before != nullptr) {
      a_grows = std::fmax(a_grows, got.integrated.a - before->integrated.a);
      c_falls = std::fmax(c_falls, before->integrated.c - got.integrated.c);
    }
    before = &got;
  }
  for (const auto& [name, value] :
       {std::pair{"share_of_a_falls_with_c0", a_grows}, std::pair{"share_of_c_grows_with_c0", c_falls}})
    numbers.push_back(
        {.name = name,
         .value = value,
         .unit = "1",
         .expected = "< 0",
         .kind = Kind::paper_claim,
         .source =
             "Tampubolon 2017, caption of Figure 6: the larger c₀, the poorer the envelopes follow the cone",
         .verdict = pass_if_finite(value, value < 0.0),
         .note = "largest step the other way between two of c₀ 1.1, 2, 2.5, 3, read in per cent"});
}

void judge_integrals(std::vector<Number>& numbers, const MultiplierFindings& found) {
  double largest = found.shares.empty() ? not_a_number : 0.0;
  for (const SetShares& got : found.shares)
    for (const double apart : {got.sampled.a - got.integrated.a, got.sampled.c - got.integrated.c})
      largest = std::max(largest, std::abs(apart) / sampling_error(found.rows, got.dim));
  numbers.push_back({.name = "shares_by_sampling_and_by_integral",
                     .value = largest,
                     .unit = "1",
                     .expected = "≤ 1",
                     .kind = Kind::closed_form,
                     .source = "integral of the borders over the distance from the axis; difference over "
                               "what sampling leaves open",
                     .verdict = pass_if_finite(largest, largest <= 1.0),
                     .note = fmt::format("largest of {} shares of A and of C", 2 * found.shares.size())});
}

void judge_stress(std::vector<Number>& numbers, const StressErrors& errors) {
  const char* regions[] = {"a", "b", "c"};
  const char* sources[] = {"h = 1: Hencky's own stress", "τ = h τ_H + ψ ∇h [Tam17 Eq.7]", "h = 0: no stress"};
  for (std::size_t k = 0; k < 3; ++k)
    numbers.push_back(
        {.name = fmt::format("stress_in_region_{}_{}d_{}", regions[k], errors.dim, errors.solver.label),
         .value = errors.states[k] > 0 ? errors.worst[k] : not_a_number,
         .unit = "1",
         .expected = "≤ 1",
         .kind = Kind::closed_form,
         .source = fmt::format("{}; error over the bound of rounding", sources[k]),
         .verdict = errors.states[k] > 0 ? pass_if(errors.worst[k] <= 1.0) : Verdict::undecided,
         .note = fmt::format("largest of {} states", errors.states[k])});
}

}  // namespace

std::vector<Number> judge(const MultiplierFindings& found, const Material& sand) {
  std::vector<Number> numbers;
  for (const auto& [border, orders] : {std::pair{"a", found.of_a}, std::pair{"c", found.of_c}}) {
    numbers.push_back(judge_order("value", border, orders.value, 3.0, orders.ways));
    numbers.push_back(judge_order("slope", border, orders.slope, 2.0, orders.ways));
    numbers.push_back(judge_order("curvature", border, orders.curvature, 1.0, orders.ways));
  }
  judge_covered(numbers, found, sand);
  judge_growing_opening(numbers, found);
  judge_known(numbers, found);
  judge_integrals(numbers, found);
  for (const StressErrors& errors : found.stress) judge_stress(numbers, errors);
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
