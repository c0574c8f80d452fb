#include "validation/exact/exact.h"

#include "reference/interface/base/error.h"
#include "validation/methods.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::exact {

const std::vector<Exact>& exact_problems() {
  static const std::vector<Exact> all = [] {
    std::vector<Exact> list;
    for (const JudgedMethod& method : judged_methods())
      if (method.problems != nullptr)
        list.insert(list.end(), method.problems().begin(), method.problems().end());
    return list;
  }();
  return all;
}

std::vector<crosscheck::CaseName> exact_names() {
  std::vector<crosscheck::CaseName> result;
  for (const Exact& one : exact_problems())
    for (const crosscheck::Setup& setup : one.setups)
      result.push_back({crosscheck::case_name(one.name, setup), one.name, setup, one.takes_long});
  return result;
}

crosscheck::CaseReport run_exact(const crosscheck::CaseName& name, const crosscheck::Factory& candidate,
                                 std::string_view simd) {
  const auto& all = exact_problems();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Exact& one) { return one.name == name.scenario; });
  if (found == all.end()) throw BadInput(fmt::format("unknown problem '{}'; see repose list", name.scenario));
  crosscheck::CaseReport report;
  report.name = name.name;
  report.suite = "exact";
  report.setup = name.setup;
  report.takes_long = name.takes_long;
  crosscheck::guard(report, [&] {
    invariants::Ledger ledger(found->subject);
    found->judge({name.setup, candidate, simd}, ledger);
    ledger.write(report);
  });
  return report;
}

}  // namespace repose::exact
