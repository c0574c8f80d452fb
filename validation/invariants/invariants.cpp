#include "validation/invariants/invariants.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::invariants {

const std::vector<Invariant>& invariants() {
  static const std::vector<Invariant> all = [] {
    std::vector<Invariant> list;
    for (const auto add : {add_shapes,          add_motion,      add_laws,
                           add_steps,           add_random,      add_lattices,
                           add_poisson_disks,   add_bodies,      add_openings,
                           add_inflow,          add_scene_files, add_grids,
                           add_sizes,           add_states,      add_refusals,
                           add_rotations,       add_sums,        add_solve_work,
                           add_solver_claims,   add_turns,       add_periodic_places,
                           add_periodic_sources})
      add(list);
    return list;
  }();
  return all;
}

std::vector<InvariantCase> invariant_cases() {
  std::vector<InvariantCase> result;
  for (const Invariant& one : invariants()) {
    if (one.dims.empty()) result.push_back({one.name, one.name, 0});
    for (const int dim : one.dims) result.push_back({fmt::format("{}/{}d", one.name, dim), one.name, dim});
  }
  return result;
}

crosscheck::CaseReport run_invariant(const InvariantCase& one) {
  const auto& all = invariants();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Invariant& invariant) { return invariant.name == one.invariant; });
  if (found == all.end())
    throw BadInput(fmt::format("unknown invariant '{}'; see repose list", one.invariant));
  crosscheck::CaseReport report;
  report.name = one.name;
  report.suite = "invariants";
  report.setup.dim = one.dim;
  report.candidate = "shared code";
  crosscheck::guard(report, [&] {
    Ledger ledger(found->subject);
    std::string refusal;
    try {
      found->judge(one.dim, ledger);
    } catch (const std::exception& error) {
      refusal = error.what();
    }
    ledger.write(report);
    if (refusal.empty() || report.lockstep.divergence) return;
    // What is judged is legal: the shared code must take it.
    crosscheck::Divergence divergence;
    divergence.stage = found->subject;
    divergence.field.field = "refusal";
    divergence.message = refusal;
    report.lockstep.divergence = std::move(divergence);
    report.verdict = crosscheck::Verdict::differs;
  });
  return report;
}

}  // namespace repose::invariants
