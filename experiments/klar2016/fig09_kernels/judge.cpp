#include "experiments/figures/judging.h"
#include "experiments/klar2016/fig09_kernels/weights.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/solvers.h"

#include <cmath>

namespace repose::experiments::klar2016 {

std::vector<Number> judge(const std::vector<KernelErrors>& all) {
  std::vector<Number> numbers;
  for (const KernelErrors& errors : all) {
    const std::string kernel(names::of(errors.kernel, names::kernel));
    const auto add = [&](std::string_view name, double value, std::string_view source) {
      numbers.push_back(
          {.name = fmt::format("{}_{}_{}", name, kernel, errors.solver.label),
           .value = value,
           .unit = "1",
           .expected = "≤ 1",
           .kind = Kind::closed_form,
           .source = fmt::format("{}; error over the bound of rounding", source),
           .verdict = errors.places == 0 ? Verdict::undecided : pass_if(value <= 1.0),
           .note = fmt::format("largest over {} places in two and three dimensions", errors.places),
           .of_claim = true});
    };
    add("partition_of_unity", errors.unity, "Σ w = 1");
    add("linear_reproduction", errors.linear, "Σ w x_i = x_p");
    add("affine_inertia", errors.inertia,
        errors.kernel == Kernel::cubic ? "D = h²/3 [Klar16 Eq.8]" : "D = h²/4 [Klar16 Eq.8]");
    add("kernel_values", errors.values, "B-spline of truncated powers [Klar16 Eq.5]");
    add("gradient_of_affine_field", errors.gradient, "Σ v_i ∇wᵀ of v_i = a + G x_i is G");
    add("affine_velocity", errors.affine, "C = B/D of the same field is G [Klar16 Eq.12]");
    if (errors.solver.name != judging_solver(method::mpm.name)) continue;
    const double expected = inertia_factor(errors.kernel);
    const double middle = 0.5 * (errors.least_inertia + errors.most_inertia);
    numbers.push_back(
        {.name = fmt::format("inertia_over_h2_{}", kernel),
         .value = middle,
         .unit = "1",
         .expected = fmt::format("{:.6g}", expected),
         .kind = Kind::paper_claim,
         .source = "D is a multiple of the identity [Klar16 Eq.8]",
         .verdict = pass_if(std::abs(errors.least_inertia - expected) < 1e-12 &&
                            std::abs(errors.most_inertia - expected) < 1e-12),
         .note = fmt::format("range over all places {:.2g}", errors.most_inertia - errors.least_inertia)});
  }
  return numbers;
}

}  // namespace repose::experiments::klar2016
