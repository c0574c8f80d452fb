// What `repose verify` does with planted faults, and what it shares with cases.
#include "experiments/cli/verify_parts.h"

#include "experiments/run/console.h"
#include "experiments/run/provenance.h"
#include "experiments/run/side_by_side.h"
#include "validation/crosscheck/report.h"
#include "validation/faults/zoo.h"
#include "validation/file_output.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace repose::cli {

namespace {

/// The faults asked for, each in every precision asked for that the candidate has.
std::vector<std::pair<const faults::Fault*, Precision>> trials_of(const VerifyArguments& arguments) {
  std::vector<std::pair<const faults::Fault*, Precision>> result;
  for (const faults::Fault& fault : faults::faults()) {
    if (arguments.fault != "all" && &fault != &faults::fault_named(arguments.fault)) continue;
    for (const Precision precision : {Precision::single_, Precision::double_}) {
      const bool asked = arguments.precision.empty() ||
                         (arguments.precision == "float") == (precision == Precision::single_);
      crosscheck::Setup setup = fault.setup;
      setup.precision = precision;
      if (asked && can_be_judged(arguments, setup)) result.emplace_back(&fault, precision);
    }
  }
  return result;
}

}  // namespace

std::string candidate_of(const VerifyArguments& arguments, const crosscheck::Setup& setup) {
  return arguments.candidate.empty() ? std::string(usual_solver(setup.method)) : arguments.candidate;
}

std::string reference_of(const VerifyArguments& arguments, const crosscheck::Setup& setup) {
  return arguments.reference.empty() ? std::string(judging_solver(setup.method)) : arguments.reference;
}

bool can_be_judged(const VerifyArguments& arguments, const crosscheck::Setup& setup) {
  const std::string candidate = candidate_of(arguments, setup);
  return has_method(candidate, setup.method) && has_method(reference_of(arguments, setup), setup.method) &&
         has_precision(candidate, setup.precision);
}

crosscheck::Factory factory(const std::string& name) {
  return
      [name](const Scene& scene, const SolverOptions& options) { return make_solver(name, scene, options); };
}

int workers(const VerifyArguments& arguments) {
  return arguments.jobs > 0 ? arguments.jobs : std::max(1, experiments::machine().cores);
}

void write_json(const nlohmann::json& document, const std::string& file) {
  if (!file.empty()) replace_file(file, document.dump(2) + '\n');
}

void say(const VerifyArguments& arguments, std::string_view text) {
  if (arguments.quiet) return;
  experiments::print("{}\n", text);
  experiments::flush_output();
}

int verify_faults(const VerifyArguments& arguments) {
  const bool all = arguments.fault == "all";
  const auto asked = trials_of(arguments);
  std::vector<faults::Trial> trials(asked.size());
  say(arguments, faults::table_head());
  const auto take = [&](std::size_t n) {
    say(arguments, faults::row(trials[n]));
    if (!all && trials[n].killed())
      experiments::print(
          "\n{}\n", crosscheck::explain(trials[n].report,
                                        fmt::format("repose verify --fault {} --precision {}",
                                                    arguments.fault, crosscheck::name_of(asked[n].second))));
    return true;
  };
  experiments::side_by_side({.count = asked.size(),
                             .run =
                                 [&](std::size_t n) {
                                   trials[n] = faults::try_fault(
                                       *asked[n].first, asked[n].second,
                                       candidate_of(arguments, asked[n].first->setup),
                                       factory(reference_of(arguments, asked[n].first->setup)));
                                 },
                             .take = take},
                            workers(arguments));
  write_json(faults::to_json(trials), arguments.json);
  const auto good = [](const faults::Trial& trial) { return trial.control_passes() && trial.well_placed(); };
  const bool every = std::all_of(trials.begin(), trials.end(), good);
  if (!all) {
    if (!std::all_of(trials.begin(), trials.end(), [](const auto& trial) { return trial.control_passes(); }))
      return 3;
    return std::any_of(trials.begin(), trials.end(), [](const auto& trial) { return trial.killed(); }) ? 1
                                                                                                       : 0;
  }
  say(arguments, fmt::format("{} of {} planted faults are seen first where they must be",
                             std::count_if(trials.begin(), trials.end(), good), trials.size()));
  return every ? 0 : 1;
}

}  // namespace repose::cli
