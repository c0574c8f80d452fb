#include "experiments/figures/judging.h"
#include "experiments/klar2016/fig14_column_cases/cases.h"
#include "reference/interface/methods/mpm.h"
#include "validation/metrics/extremes.h"

namespace repose::experiments::klar2016 {

namespace {

constexpr const char* caption =
    "Klár 2016, Figure 14: states inside the cone are green, those returned to its side blue, to its tip red";

void judge_states(std::vector<Number>& numbers, const CasesRun& run) {
  const auto add = [&](std::string_view name, double value, std::uint64_t judged, std::string_view what) {
    numbers.push_back(
        {.name = fmt::format("{}_{}", name, run.solver),
         .value = judged > 0 ? value : not_a_number,
         .unit = "1",
         .expected = "≤ 1",
         .kind = Kind::closed_form,
         .source = fmt::format("[Klar16 §7.1]: {}; over the bound of rounding at u = {:.2g}", what,
                               run.rounding.unit),
         .verdict = judged > 0 ? pass_if(value <= 1.0) : Verdict::undecided,
         .note = fmt::format("largest of {} states, all particles at the end of each frame", judged),
         .of_claim = true});
  };
  const auto [inside, tip, surface] = run.errors.judged;
  add("yield_residual", run.errors.outside, inside + tip + surface, "no state lies outside the cone");
  add("surface_residual", run.errors.surface_inside, surface, "case III ends on the cone, not inside");
  add("tip_strain", run.errors.tip_strain, tip, "case II ends without stress");
}

void judge_shares(std::vector<Number>& numbers, const CasesRun& run) {
  constexpr std::array<std::string_view, 3> names{"inside", "tip", "surface"};
  const double all =
      static_cast<double>(run.summary.total.counts[counter::inside] + run.summary.total.counts[counter::tip] +
                          run.summary.total.counts[counter::surface]);
  const std::array<double, 3> total{static_cast<double>(run.summary.total.counts[counter::inside]) / all,
                                    static_cast<double>(run.summary.total.counts[counter::tip]) / all,
                                    static_cast<double>(run.summary.total.counts[counter::surface]) / all};
  for (std::size_t k = 0; k < 3; ++k) {
    numbers.push_back({.name = fmt::format("share_{}", names[k]),
                       .value = total[k],
                       .unit = "1",
                       .expected = "> 0.01",
                       .kind = Kind::paper_claim,
                       .source = caption,
                       .verdict = pass_if(total[k] > 0.01),
                       .note = "of all particle-steps: every colour is to be seen"});
  }
  double most = 0.0;
  for (const CaseShares& shares : run.shares) most = metrics::larger(most, shares.share[2]);
  const double last = run.shares.back().share[2];
  numbers.push_back(
      {.name = "slip_at_the_end_over_its_peak",
       .value = last / most,
       .unit = "1",
       .expected = "< 1",
       .kind = Kind::sanity,
       .source = "sand slips while it flows; a pile at rest is held by static friction, case I",
       .verdict = pass_if(last < most),
       .note = fmt::format("case III: {:.3f} of the particles at its peak, {:.3f} at the end", most, last)});
  const std::uint64_t steps = run.summary.particle_steps;
  const std::uint64_t counted = run.summary.total.counts[counter::inside] +
                                run.summary.total.counts[counter::tip] +
                                run.summary.total.counts[counter::surface];
  numbers.push_back({.name = "particles_without_a_case",
                     .value = static_cast<double>(steps > counted ? steps - counted : counted - steps) +
                              static_cast<double>(run.errors.unknown),
                     .unit = "1",
                     .expected = "0",
                     .kind = Kind::sanity,
                     .source = "the three cases exclude each other and leave nothing out [Klar16 §7.1]",
                     .verdict = pass_if(steps == counted && run.errors.unknown == 0),
                     .note = fmt::format("of {} particle-steps", steps)});
}

}  // namespace

std::vector<Number> judge(const std::vector<CasesRun>& runs) {
  std::vector<Number> numbers;
  for (const CasesRun& run : runs) judge_states(numbers, run);
  judge_shares(numbers, runs.front());
  return numbers;
}

}  // namespace repose::experiments::klar2016
