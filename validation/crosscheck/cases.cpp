#include "validation/crosscheck/cases.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_names.h"
#include "validation/crosscheck/method_cases.h"
#include "validation/methods.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <string>

namespace repose::crosscheck {

std::string_view name_of(Precision precision) { return precision == Precision::single_ ? "float" : "double"; }

namespace {

std::string level(const Setup& setup, std::size_t factor) {
  const auto& levels = judged(setup.method).cases.levels[factor];
  return levels.empty() ? "" : std::string(levels.at(setup.variant[factor]));
}

}  // namespace

std::string variant_of(const Setup& setup) {
  const std::string second = level(setup, 1);
  return second.empty() ? level(setup, 0) : fmt::format("{}-{}", level(setup, 0), second);
}

std::string case_name(std::string_view scenario, const Setup& setup) {
  const std::string second = level(setup, 1);
  return fmt::format("{}/{}-{}d{}-{}-{}t", scenario, level(setup, 0), setup.dim,
                     second.empty() ? "" : fmt::format("-{}", second), name_of(setup.precision),
                     setup.threads);
}

std::vector<Setup> setups(std::string_view method, std::size_t scenario_index) {
  const auto& levels = judged(method).cases.levels;
  std::vector<Setup> result;
  const bool second_half = scenario_index % 2 != 0;
  for (unsigned t = 0; t < 4; ++t) {
    const bool low = (t & 1U) != 0;
    const bool high = (t & 2U) != 0;
    // Rows (t, r) with r = low·high in one half, its complement in the other: each column then holds both levels.
    const bool r = (low && high) != second_half;
    const std::size_t second = r != low ? 1 : 0;
    result.push_back({.method = judged(method).name,
                      .dim = r ? 3 : 2,
                      .variant = {t % levels[0].size(), levels[1].empty() ? 0 : second % levels[1].size()},
                      .precision = r != high ? Precision::double_ : Precision::single_,
                      .threads = (r != low) != high ? 2 : 1});
  }
  return result;
}

const std::vector<Scenario>& scenarios(std::string_view method) { return judged(method).cases.scenarios(); }

std::vector<CaseName> case_names() {
  std::vector<CaseName> result;
  for (const JudgedMethod& one : judged_methods()) {
    const auto& all = one.cases.scenarios();
    for (std::size_t i = 0; i < all.size(); ++i)
      for (Setup setup : setups(one.name, i)) {
        if (all[i].parallel) ++setup.threads;
        result.push_back({case_name(all[i].name, setup), all[i].name, setup, all[i].takes_long});
      }
  }
  return result;
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.find('*') == std::string_view::npos) return name.find(pattern) != std::string_view::npos;
  return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), FNM_NOESCAPE) == 0;
}

Case make_case(std::string_view scenario, const Setup& setup) {
  const auto& all = scenarios(setup.method);
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
