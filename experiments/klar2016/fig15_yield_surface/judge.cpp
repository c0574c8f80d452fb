#include "experiments/figures/judging.h"
#include "experiments/klar2016/fig15_yield_surface/returns.h"

namespace repose::experiments::klar2016 {

std::vector<Number> judge(const std::vector<ReturnErrors>& all) {
  std::vector<Number> numbers;
  for (const ReturnErrors& errors : all) {
    const std::string suffix = fmt::format("{}d_{}", errors.dim, errors.solver.label);
    const auto [inside, tip, surface] = errors.states;
    const auto add = [&](std::string_view name, double value, std::size_t states, std::string_view source) {
      numbers.push_back({.name = fmt::format("{}_{}", name, suffix),
                         .value = states > 0 ? value : not_a_number,
                         .unit = "1",
                         .expected = "≤ 1",
                         .kind = Kind::closed_form,
                         .source = fmt::format("{}; error over the bound of rounding", source),
                         .verdict = states > 0 ? pass_if(value <= 1.0) : Verdict::undecided,
                         .note = fmt::format("largest of {} states", states),
                         .of_claim = true});
    };
    numbers.push_back(
        {.name = fmt::format("wrong_case_{}", suffix),
         .value = static_cast<double>(errors.wrong_case),
         .unit = "1",
         .expected = "0",
         .kind = Kind::closed_form,
         .source = "tr ε > 0: tip; else δγ ≤ 0: inside; else surface [Klar16 §7.1], as in ERRATA K1",
         .verdict = inside * tip * surface > 0 ? pass_if(errors.wrong_case == 0) : Verdict::undecided,
         .note = fmt::format("of {} states inside, {} at the tip, {} on the surface; those within rounding "
                             "of a border are left out",
                             inside, tip, surface),
         .of_claim = true});
    add("inside_unchanged", errors.unchanged, inside, "case I returns F without modification [Klar16 §7.1]");
    add("tip_strain", errors.tip, tip, "case II removes all stress [Klar16 §7.1]");
    add("trace_kept", errors.trace, surface, "tr(H) = tr(ε), volume-preserving slip [Klar16 §7.2]");
    add("on_cone", errors.on_cone, surface, "case III ends on the cone [Klar16 Eq.28]");
    add("direction_kept", errors.direction, surface,
        "case III shortens ε̂ and does not turn it [Klar16 Eq.28]");
    add("idempotence", errors.idempotence, inside + tip + surface, "Z(Z(F)) = Z(F): a projection");
    add("hardening", errors.hardening, inside + tip + surface, "δq = 0, ‖ε‖, δγ [Klar16 §7.3]");
  }
  return numbers;
}

}  // namespace repose::experiments::klar2016
