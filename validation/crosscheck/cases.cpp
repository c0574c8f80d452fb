#include "validation/crosscheck/cases.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <string>

namespace repose::crosscheck {

std::string_view name_of(Transfer transfer) {
  constexpr std::array<std::string_view, 4> names{"apic", "pic", "flip", "flip_pic"};
  return names.at(static_cast<std::size_t>(transfer));
}

std::string_view name_of(Kernel kernel) { return kernel == Kernel::quadratic ? "quadratic" : "cubic"; }

std::string_view name_of(Precision precision) { return precision == Precision::single_ ? "float" : "double"; }

std::string variant_of(const Setup& setup) {
  return fmt::format("{}-{}", name_of(setup.transfer), name_of(setup.kernel));
}

std::string case_name(std::string_view scenario, const Setup& setup) {
  return fmt::format("{}/{}-{}d-{}-{}-{}t", scenario, name_of(setup.transfer), setup.dim,
                     name_of(setup.kernel), name_of(setup.precision), setup.threads);
}

std::vector<Setup> setups(std::size_t scenario_index) {
  std::vector<Setup> result;
  const bool second_half = scenario_index % 2 != 0;
  for (unsigned t = 0; t < 4; ++t) {
    const bool low = (t & 1U) != 0;
    const bool high = (t & 2U) != 0;
    // Rows (t, r) with r = low·high in one half, its complement in the other: each column then holds both levels.
    const bool r = (low && high) != second_half;
    result.push_back({.dim = r ? 3 : 2,
                      .kernel = r != low ? Kernel::cubic : Kernel::quadratic,
                      .transfer = static_cast<Transfer>(t),
                      .precision = r != high ? Precision::double_ : Precision::single_,
                      .threads = (r != low) != high ? 2 : 1});
  }
  return result;
}

std::vector<CaseName> case_names() {
  std::vector<CaseName> result;
  const auto& all = scenarios();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (Setup setup : setups(i)) {
      if (all[i].parallel) ++setup.threads;
      result.push_back(
          {case_name(all[i].name, setup), all[i].name, setup, all[i].takes_long, all[i].parallel});
    }
  return result;
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) return name.find(pattern) != std::string_view::npos;
  return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), FNM_NOESCAPE) == 0;
}

Case make_case(std::string_view scenario, const Setup& setup) {
  const auto& all = scenarios();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Scenario& one) { return one.name == scenario; });
  if (found == all.end()) {
    throw BadInput(fmt::format("unknown scenario '{}'; see repose list", scenario));
  }
  Case result;
  result.name = case_name(scenario, setup);
  result.scenario = found->name;
  result.setup = setup;
  found->build(result);
  return result;
}

}  // namespace repose::crosscheck
