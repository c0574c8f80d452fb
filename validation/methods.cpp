#include "validation/methods.h"

#include "validation/crosscheck/mixture/cases.h"
#include "validation/crosscheck/mixture/judge.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/crosscheck/mpm/judge.h"
#include "validation/exact/mixture/problems.h"
#include "validation/exact/mpm/problems.h"
#include "validation/faults/mixture/faults.h"
#include "validation/faults/mpm/faults.h"
#include "validation/metrics/phase_sums.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose {

const std::vector<JudgedMethod>& judged_methods() {
  static const std::vector<JudgedMethod> all{
      {"mixture", crosscheck::mixture_judge(), crosscheck::mixture_cases(), faults::mixture_model(),
       exact::mixture_problems, metrics::phase_sums_of_mixture},
      {"mpm", crosscheck::mpm_judge(), crosscheck::mpm_cases(), faults::mpm_model(), exact::mpm_problems,
       metrics::phase_sums_of_mpm},
  };
  return all;
}

const JudgedMethod& judged(std::string_view method) {
  std::string there;
  for (const JudgedMethod& one : judged_methods()) {
    if (one.name == method) return one;
    there += fmt::format("{}{}", there.empty() ? "" : ", ", one.name);
  }
  throw std::out_of_range(fmt::format("nobody judges the method '{}'; judged are {}", method, there));
}

}  // namespace repose
