#include "validation/faults/zoo.h"

#include "reference/interface/base/error.h"
#include "validation/faults/faulty_solver.h"
#include "validation/faults/model.h"
#include "validation/methods.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace repose::faults {

namespace {

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (const JudgedMethod& one : judged_methods())
    all.insert(all.end(), one.model.faults().begin(), one.model.faults().end());
  return all;
}

std::string_view stage_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? std::string_view(report.lockstep.divergence->stage)
                                    : std::string_view("-");
}

std::string_view field_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? std::string_view(report.lockstep.divergence->field.field)
                                    : std::string_view("-");
}

double ratio_of(const crosscheck::CaseReport& report) {
  return report.lockstep.divergence ? report.lockstep.divergence->field.worst.ratio : 0.0;
}

/// Largest ratio of a run that passed.
double closest_of(const crosscheck::CaseReport& report) {
  const crosscheck::Worst* worst = report.lockstep.closest();
  return worst == nullptr ? 0.0 : worst->field.worst.ratio;
}

}  // namespace

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all = all_faults();
  return all;
}

const Fault& fault_named(std::string_view name) {
  const auto& all = faults();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Fault& fault) { return fault.name == name; });
  if (found != all.end()) return *found;
  throw BadInput(fmt::format("unknown fault '{}'; see repose verify --fault all --list", name));
}

bool Trial::control_passes() const { return control.verdict == crosscheck::Verdict::pass; }

bool Trial::killed() const { return report.verdict == crosscheck::Verdict::differs; }

bool Trial::well_placed() const {
  return killed() && stage_of(report) == fault->stage && field_of(report) == fault->field;
}

Trial try_fault(const Fault& fault, Precision precision, std::string_view base,
                const crosscheck::Factory& reference) {
  crosscheck::Setup setup = fault.setup;
  setup.precision = precision;
  const Model& model = judged(setup.method).model;
  crosscheck::Case c = crosscheck::make_case(fault.scenario, setup);
  // The model forms strains from F, in float too: of sand at rest that leaves nearly all to rounding.
  c.share_of_ties = 1.0;
  const auto planted = [&](std::size_t mistake) {
    return [&, mistake](const Scene& scene, const SolverOptions& options) {
      return make_faulty_solver(make_solver(base, scene, options), scene, model, precision, fault.stage,
                                mistake);
    };
  };
  Trial trial{.fault = &fault, .precision = precision, .control = {}, .report = {}, .case_name = c.name};
  trial.control = crosscheck::run_case(c, planted(no_mistake), reference);
  trial.report = crosscheck::run_case(c, planted(fault.mistake), reference);
  return trial;
}

std::string table_head() {
  return fmt::format("{:<29} {:<10} {:<6} {:<10} {:<8} {:>10} {:>8}  {}", "fault", "class", "in", "stage",
                     "field", "of bound", "without", "killed by");
}

std::string row(const Trial& trial) {
  const std::string_view verdict = !trial.control_passes() ? "  CONTROL FAILS"
                                   : !trial.killed()       ? "  SURVIVES"
                                   : !trial.well_placed()  ? "  WRONG PLACE"
                                                           : "";
  return fmt::format("{:<29} {:<10} {:<6} {:<10} {:<8} {:>10.3g} {:>8.2g}  {}{}", trial.fault->name,
                     trial.fault->category, crosscheck::name_of(trial.precision), stage_of(trial.report),
                     field_of(trial.report), ratio_of(trial.report), closest_of(trial.control),
                     trial.case_name, verdict);
}

nlohmann::json to_json(const std::vector<Trial>& trials) {
  nlohmann::json list = nlohmann::json::array();
  std::set<std::string> survivors;
  for (const Trial& trial : trials) {
    nlohmann::json one = {
        {"name", trial.fault->name},
        {"class", trial.fault->category},
        {"precision", crosscheck::name_of(trial.precision)},
        {"killed_by", trial.killed() ? nlohmann::json(trial.case_name) : nlohmann::json(nullptr)},
        {"stage", stage_of(trial.report)},
        {"field", field_of(trial.report)},
        {"ratio_to_bound", nullptr},
        {"control_passes", trial.control_passes()},
        {"well_placed", trial.well_placed()}};
    if (std::isfinite(ratio_of(trial.report))) one["ratio_to_bound"] = ratio_of(trial.report);
    list.push_back(std::move(one));
    if (!trial.killed()) survivors.insert(trial.fault->name);
  }
  return {{"faults", std::move(list)}, {"survivors", survivors}};
}

}  // namespace repose::faults
