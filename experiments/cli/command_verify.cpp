#include "experiments/cli/commands.h"
#include "experiments/cli/verify_parts.h"
#include "experiments/run/console.h"
#include "experiments/run/provenance.h"
#include "experiments/run/side_by_side.h"
#include "reference/interface/base/error.h"
#include "reference/interface/snapshot_check.h"
#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/junit.h"
#include "validation/crosscheck/report.h"
#include "validation/crosscheck/tightness.h"
#include "validation/crosscheck/whereabouts.h"
#include "validation/exact/exact.h"
#include "validation/faults/zoo.h"
#include "validation/file_output.h"
#include "validation/invariants/invariants.h"
#include "validation/solvers.h"
#include "validation/states/state_file.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

namespace repose::cli {

namespace {

using crosscheck::CaseName;
using crosscheck::CaseReport;

enum class Suite : unsigned char { lockstep, bits, exact, invariants };

/// A case of any suite with the setup the command line asks for.
struct Chosen {
  CaseName name;
  Suite suite = Suite::lockstep;
};

std::vector<Chosen> chosen(const VerifyArguments& arguments) {
  std::vector<Chosen> all;
  const auto asked = [&](std::string_view suite) {
    return arguments.suite == "all" || arguments.suite == suite;
  };
  if (asked("lockstep"))
    for (CaseName& name : crosscheck::case_names()) all.push_back({std::move(name), Suite::lockstep});
  if (asked("bits"))
    for (CaseName& name : crosscheck::bit_names()) all.push_back({std::move(name), Suite::bits});
  if (asked("exact"))
    for (CaseName& name : exact::exact_names()) all.push_back({std::move(name), Suite::exact});
  if (asked("invariants"))
    for (const auto& one : invariants::invariant_cases())
      all.push_back({{one.name, one.invariant, {.method = {}, .dim = one.dim}}, Suite::invariants});
  std::erase_if(all,
                [&](const Chosen& one) { return !crosscheck::matches(one.name.name, arguments.pattern); });
  if (all.empty())
    throw BadInput(fmt::format("no case matches '{}'; see repose verify --list", arguments.pattern));
  if (!arguments.with_long) std::erase_if(all, [](const Chosen& one) { return one.name.takes_long; });
  if (all.empty())
    throw BadInput(fmt::format("only long cases match '{}'; they need --long", arguments.pattern));
  for (Chosen& one : all) {
    if (arguments.threads > 0) one.name.setup.threads = arguments.threads;
    if (!arguments.precision.empty())
      one.name.setup.precision = arguments.precision == "float" ? Precision::single_ : Precision::double_;
  }
  return all;
}

/// The options that a replay repeats.
std::string repeated(const VerifyArguments& arguments) {
  std::string text;
  if (!arguments.candidate.empty()) text += fmt::format(" --candidate {}", arguments.candidate);
  if (!arguments.reference.empty()) text += fmt::format(" --reference {}", arguments.reference);
  if (!arguments.precision.empty()) text += fmt::format(" --precision {}", arguments.precision);
  if (arguments.threads > 0) text += fmt::format(" --threads {}", arguments.threads);
  if (!arguments.simd.empty()) text += fmt::format(" --simd {}", arguments.simd);
  if (arguments.with_long) text += " --long";
  return text;
}

/// The state in front of a difference, for a debugger or for another build of the candidate.
std::string keep_state(const VerifyArguments& arguments, const CaseReport& report, const CaseName& name) {
  const crosscheck::Divergence& d = *report.lockstep.divergence;
  if (d.from.empty()) return "";
  std::string file = report.name;
  std::replace(file.begin(), file.end(), '/', '_');
  const std::filesystem::path folder = arguments.out.empty() ? "verify_out" : arguments.out;
  const auto path = folder / fmt::format("{}_step{:04}_{}.hdf", file, d.step, d.from);
  Snapshot state = d.state;
  state.dt = d.dt;
  try {
    make_folder(folder);
    write_state(path, state, crosscheck::make_case(name.scenario, name.setup).scene,
                {.frame = 0,
                 .solver = candidate_of(arguments, name.setup),
                 .precision = std::string(crosscheck::name_of(name.setup.precision)),
                 .build = experiments::build()});
  } catch (const std::exception& error) {  // the cases that follow are worth more
    experiments::tell("repose: the state is not kept: {}\n", error.what());
    return "";
  }
  return path.string();
}

int list_cases(const VerifyArguments& arguments) {
  if (!arguments.fault.empty()) {
    for (const faults::Fault& fault : faults::faults())
      experiments::print("{:<30} {:<10} {} {}\n", fault.name, fault.category, fault.stage, fault.field);
    return 0;
  }
  for (const Chosen& one : chosen(arguments)) experiments::print("{}\n", one.name.name);
  return 0;
}

int replay_state(const VerifyArguments& arguments) {
  const std::vector<Chosen> all = chosen(arguments);
  if (all.size() != 1 || all.front().suite != Suite::lockstep)
    throw BadInput(fmt::format("--state needs one case; '{}' matches {}", arguments.pattern, all.size()));
  const CaseName& name = all.front().name;
  const crosscheck::Case c = crosscheck::make_case(name.scenario, name.setup);
  const Snapshot state = read_state(arguments.state).snapshot;
  const SolverOptions options = crosscheck::options_of(name.setup, arguments.simd);
  const crosscheck::Factory make_candidate = factory(candidate_of(arguments, name.setup));
  const crosscheck::Factory make_reference = factory(reference_of(arguments, name.setup));
  load_from_file(*make_candidate(c.scene, options), state, arguments.state);
  CaseReport report;
  report.name = name.name;
  report.suite = "lockstep";
  report.setup = name.setup;
  report.candidate = candidate_of(arguments, name.setup);
  crosscheck::guard(report, [&] {
    const auto candidate = make_candidate(c.scene, options);
    const auto reference = make_reference(c.scene, SolverOptions{});
    report.lockstep = crosscheck::LockstepDriver(c.scene, *candidate, *reference).replay(state, state.dt);
    report.verdict = report.lockstep.divergence ? crosscheck::Verdict::differs
                     : report.lockstep.refused  ? crosscheck::Verdict::refused
                                                : crosscheck::Verdict::pass;
  });
  say(arguments, crosscheck::row(report));
  if (report.lockstep.divergence) experiments::print("\n{}", crosscheck::explain(report, ""));
  write_json(crosscheck::to_json({report}), arguments.json);
  return crosscheck::exit_code({report});
}

/// Makes a solver by its name that tells where it is if the program dies of it.
crosscheck::Factory noted_factory(const std::string& solver, const std::string& case_name) {
  return [make = factory(solver), case_name](const Scene& scene, const SolverOptions& options) {
    return crosscheck::noted(make(scene, options), case_name);
  };
}

/// What became of a case, as listed: what --precision and --threads change stands in columns of their own.
CaseReport judge(const VerifyArguments& arguments, const Chosen& one) {
  CaseReport report;
  if (one.suite == Suite::invariants) {
    report = invariants::run_invariant({one.name.name, one.name.scenario, one.name.setup.dim});
  } else if (one.suite == Suite::exact) {
    report = exact::run_exact(one.name, noted_factory(candidate_of(arguments, one.name.setup), one.name.name),
                              arguments.simd);
  } else {
    const crosscheck::Factory candidate =
        noted_factory(candidate_of(arguments, one.name.setup), one.name.name);
    const crosscheck::Factory reference =
        noted_factory(reference_of(arguments, one.name.setup), one.name.name);
    report = one.suite == Suite::bits
                 ? crosscheck::run_bits(one.name, candidate, reference, arguments.simd)
                 : crosscheck::run_case(crosscheck::make_case(one.name.scenario, one.name.setup), candidate,
                                        reference, arguments.simd);
  }
  report.name = one.name.name;
  if (one.suite != Suite::invariants) report.candidate = candidate_of(arguments, one.name.setup);
  report.takes_long = one.name.takes_long;
  return report;
}

void tell(const VerifyArguments& arguments, const CaseReport& report, const CaseName& name) {
  say(arguments, crosscheck::row(report));
  if (!report.lockstep.divergence) return;
  const std::string kept = keep_state(arguments, report, name);
  const std::string again = fmt::format("repose verify --case {}{}", report.name, repeated(arguments));
  experiments::print("\n{}", crosscheck::explain(report, again));
  if (!kept.empty()) experiments::print("  or from the state in front of it: {} --state {}\n", again, kept);
  experiments::print("\n");
}

int verify_cases(const VerifyArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Chosen> all = chosen(arguments);
  const std::size_t skipped = std::erase_if(all, [&](const Chosen& one) {
    return one.suite != Suite::invariants && !can_be_judged(arguments, one.name.setup);
  });
  const crosscheck::CrashTold told_of_crashes;
  say(arguments, crosscheck::table_head());
  std::vector<CaseReport> reports(all.size());
  std::size_t told = 0;
  const auto take = [&](std::size_t n) {
    tell(arguments, reports[n], all[n].name);
    told = n + 1;
    return !arguments.fail_fast || reports[n].verdict != crosscheck::Verdict::differs;
  };
  experiments::side_by_side({.count = all.size(),
                             .run = [&](std::size_t n) { reports[n] = judge(arguments, all[n]); },
                             .take = take},
                            workers(arguments));
  reports.resize(told);
  nlohmann::json document = crosscheck::to_json(reports);
  document["summary"]["skipped"] = skipped;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  document["summary"]["seconds"] = seconds;
  const auto& summary = document["summary"];
  const auto shares = crosscheck::tightness(reports);
  document["bounds"] = crosscheck::to_json(shares);
  say(arguments, "\n" + crosscheck::tightness_table(shares));
  say(arguments,
      fmt::format("{} pass, {} differ, {} mistrusted, {} refused, {} skipped (method or precision a "
                  "solver does not have), {:.1f} s",
                  summary["pass"].get<int>(), summary["differs"].get<int>(), summary["mistrusted"].get<int>(),
                  summary["refused"].get<int>(), skipped, seconds));
  write_json(document, arguments.json);
  if (!arguments.junit.empty()) replace_file(arguments.junit, crosscheck::to_junit(reports));
  return crosscheck::exit_code(reports);
}

int verify(const VerifyArguments& arguments) {
  for (const std::string& name : {arguments.candidate, arguments.reference})
    if (!name.empty()) solver_info(name);  // refuses unknown ones
  if (arguments.fault != "" && arguments.fault != "all") faults::fault_named(arguments.fault);
  if (arguments.list) return list_cases(arguments);
  if (!arguments.json.empty()) require_writable("--json", arguments.json);
  if (!arguments.junit.empty()) {
    if (!arguments.fault.empty() || !arguments.state.empty())
      throw BadInput("--junit: is written of cases, not with --fault or --state");
    require_writable("--junit", arguments.junit);
  }
  if (!arguments.out.empty()) require_folder_can_be_made("--out", arguments.out);
  if (!arguments.fault.empty()) return verify_faults(arguments);
  if (!arguments.state.empty()) return replay_state(arguments);
  return verify_cases(arguments);
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "verify", "Hold a solver against the readable one at every stage of every step, within derived bounds");
  const auto arguments = std::make_shared<VerifyArguments>();
  command->add_option("--case", arguments->pattern,
                      "Only cases whose name contains this; with '*' it must match the whole name");
  command
      ->add_option("--suite", arguments->suite,
                   "lockstep: bounds of rounding; bits: claims of equality; exact: closed forms; invariants: "
                   "what solvers share")
      ->check(CLI::IsMember({"all", "lockstep", "bits", "exact", "invariants"}))
      ->capture_default_str();
  command->add_option("--candidate", arguments->candidate,
                      "Solver under test [the usual one of each case's method]");
  command->add_option("--reference", arguments->reference,
                      "Solver it is held against; must keep sums [the readable one of each case's method]");
  command
      ->add_option("--precision", arguments->precision,
                   "float or double for all cases, instead of each case's own")
      ->check(CLI::IsMember({"float", "double"}));
  command
      ->add_option("--jobs", arguments->jobs,
                   "Cases at a time; no result depends on it [as many as processors]")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", arguments->threads, "Threads for all cases, instead of each case's own")
      ->check(CLI::PositiveNumber);
  command->add_option("--simd", arguments->simd, "Instruction set to force, e.g. AVX2");
  command->add_option(
      "--fault", arguments->fault,
      "Plant a known fault into the candidate and run the case meant for it; 'all' for the whole table");
  command->add_option("--state", arguments->state,
                      "Replay one stretch of the case from a state that a failure left");
  command->add_option("--out", arguments->out, "Where failures leave their states [verify_out]");
  command->add_option("--json", arguments->json, "Write the results to this file");
  command->add_option("--junit", arguments->junit,
                      "Write one test case per case to this file, as JUnit's XML");
  command->add_flag("--long", arguments->with_long, "Also the cases that take long: large ones");
  command->add_flag("--fail-fast", arguments->fail_fast, "Stop at the first case that differs");
  command->add_flag("--list", arguments->list,
                    "Print the names of the cases (with --fault all: of the faults)");
  command->add_flag("--quiet", arguments->quiet, "Print differences only");
  command->footer(
      "Examples:\n"
      "  repose verify                                 all cases, optimized against reference\n"
      "  repose verify --case room_corner              one scenario in its setups\n"
      "  repose verify --case '*3d-cubic-float*' --threads 2\n"
      "  repose verify --suite bits --json bits.json   thread counts, repetition, checkpoints, exact "
      "vectors\n"
      "  repose verify --suite invariants              scenes, shapes, sampling, emitters and steps, by "
      "second ways\n"
      "  repose verify --long                          the large cases as well, some minutes\n"
      "  repose verify --fail-fast --junit verify.xml  for a CI server\n"
      "  repose verify --fault c_transposed            see a planted fault being found (exit 1)\n"
      "  repose verify --fault all                     the table of all planted faults (exit 0 if all are "
      "found)\n\n"
      "A case passes if every value of every boundary lies within a bound derived from rounding, and if it\n"
      "exercised what it is there for. What both solvers share is no matter of comparing them: the "
      "invariants hold\n"
      "it against a second, plain way. Exit codes: 0 pass, 1 differs, 2 bad input, 3 could not be judged.");
  command->callback([arguments, &exit_code] { exit_code = verify(*arguments); });
}

}  // namespace repose::cli
