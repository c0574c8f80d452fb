#include "experiments/cli/commands.h"
#include "experiments/figures/claim.h"
#include "experiments/figures/figure.h"
#include "experiments/run/console.h"
#include "experiments/run/memory_limit.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "validation/file_output.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

namespace repose::cli {

namespace {

namespace fs = std::filesystem;
using experiments::Figure;
using experiments::FigureRequest;
using experiments::FigureResult;

struct ReproduceArguments {
  std::string figure;
  std::string preset = "desk";
  std::string out = "out";
  std::string solver;     ///< empty: the usual one of the figure's method
  std::string precision;  ///< empty: float where the solver has it
  int threads = 0;        ///< 0: all cores, where the solver can use them
  bool starred = false;
  bool json = false;
  bool quiet = false;
  bool printed_dt = false;
  double memory_limit_bytes = 0.0;
};

std::vector<const Figure*> chosen_figures(const ReproduceArguments& a) {
  if (a.starred != a.figure.empty()) {
    throw BadInput(a.starred ? "give a figure or --starred, not both"
                             : "which figure? Give its id or --starred; `repose list` shows them all");
  }
  std::vector<const Figure*> chosen;
  if (a.starred) {
    for (const Figure& figure : experiments::figures()) {
      if (figure.starred) chosen.push_back(&figure);
    }
    return chosen;
  }
  if (const Figure* figure = experiments::find_figure(a.figure)) return {figure};
  const auto near = experiments::nearest_figures(a.figure);
  throw BadInput(fmt::format("unknown figure '{}'{}; `repose list` shows them all", a.figure,
                             near.empty() ? "" : fmt::format(", did you mean {}?", fmt::join(near, " or "))));
}

FigureRequest request_for(const Figure& figure, const ReproduceArguments& a) {
  FigureRequest request;
  request.preset = experiments::preset_from(a.preset);
  request.folder = fs::path(a.out) / figure.id;
  request.method = figure.method;
  request.solver = a.solver.empty() ? std::string(usual_solver(figure.method)) : a.solver;
  const bool in_float =
      a.precision.empty() ? has_precision(request.solver, Precision::single_) : a.precision == "float";
  request.options.precision = in_float ? Precision::single_ : Precision::double_;
  const bool serial = solver_info(request.solver).serial;
  request.options.threads = a.threads > 0 ? a.threads : serial ? 1 : experiments::machine().cores;
  request.progress = !a.quiet && isatty(STDERR_FILENO) == 1;
  request.printed_dt = a.printed_dt;
  request.memory_limit_bytes = a.memory_limit_bytes;
  return request;
}

/// @returns the figure's exit code
int reproduce_one(const Figure& figure, const ReproduceArguments& a, nlohmann::json& all) {
  const FigureRequest request = request_for(figure, a);
  if (!a.quiet && !a.json) {
    experiments::print("{}\n  {}\n  {}: {}\n", figure.id, figure.claim, a.preset,
                       figure.cost(request.preset));
    experiments::flush_output();
  }
  const FigureResult result = figure.run(request);
  if (result.interrupted) {
    experiments::tell("repose: {} was interrupted; no result was written\n", figure.id);
    return interrupted;
  }
  const nlohmann::json record = to_json(figure, request.preset, result);
  const fs::path file = request.folder / "result.json";
  replace_file(file, record.dump(2) + "\n");
  all.push_back(record);
  if (!a.quiet && !a.json) {
    experiments::print("{}", describe(result.numbers));
    for (const auto& note : result.notes) experiments::print("  note: {}\n", note);
    const auto kept = experiments::kept_outcomes();
    const auto before = kept.find(figure.id);
    experiments::print("  claim, {}\n",
                       experiments::claim_line(a.preset, experiments::outcome_of(record),
                                               before == kept.end() ? nullptr : &before->second));
    experiments::print("  written to {}\n", request.folder.string());
  }
  return experiments::exit_code(result.numbers);
}

int reproduce(const ReproduceArguments& a) {
  const auto chosen = chosen_figures(a);
  for (const Figure* figure : chosen) {
    const fs::path folder = request_for(*figure, a).folder;
    make_folder(folder);
    require_writable("--out", folder / "result.json");
  }
  nlohmann::json all = nlohmann::json::array();
  int worst = 0;
  for (const Figure* figure : chosen) {
    const int code = reproduce_one(*figure, a, all);
    if (code == interrupted) return interrupted;
    worst = worst == 1 || code == 1
                ? 1
                : std::max(worst, code);  // a failed check outweighs one that was not decided
  }
  if (a.json) experiments::print("{}\n", (a.starred ? all : all.front()).dump(2));
  return worst;
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ReproduceArguments>();
  ReproduceArguments& a = *arguments;
  CLI::App* command =
      app.add_subcommand("reproduce", "Run a published figure and judge its claim in numbers");
  command->add_option("figure", a.figure, "Id of the figure, as `repose list` shows it")->type_name("FIGURE");
  command->add_flag("--starred", a.starred, "All figures marked with a star");
  command->add_option("--preset", a.preset, "Amount of work: seconds, minutes, or the paper's own numbers")
      ->check(CLI::IsMember({"smoke", "desk", "paper"}))
      ->capture_default_str();
  command->add_option("--out", a.out, "Folder for results; each figure has its own folder in it")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_option("--solver", a.solver, "Which solver [the usual one of the figure's method]")
      ->check(CLI::IsMember(solver_names()));
  command
      ->add_option("--precision", a.precision,
                   "Of the solver's arithmetic [float; of a solver without: double]")
      ->check(CLI::IsMember({"float", "double"}));
  command->add_option("--threads", a.threads, "Threads; the result does not depend on them [all cores]")
      ->check(CLI::Range(1, 4096));
  experiments::add_memory_limit(*command, a.memory_limit_bytes);
  command->add_flag("--printed-dt", a.printed_dt,
                    "Also run the time step the paper prints, where it is beyond the elastic bound");
  command->add_flag("--json", a.json, "Print the results as JSON, and nothing else, on standard output");
  command->add_flag("--quiet", a.quiet, "No progress line and no table");
  command->footer(
      "Example:\n  repose reproduce klar2016/fig13_friction_angle --preset smoke --out out\n"
      "  repose reproduce --starred && repose report out\n\n"
      "Writes DIR/FIGURE/result.json, tables, plots, pictures and run.toml.\n"
      "Exit codes: 0 every number that could be judged holds, 1 at least one does not (a claim of the paper "
      "included:\n"
      "a finding, and the results are written), 2 bad input, 3 no number could be judged, 130 interrupted.");
  command->callback([arguments, &exit_code] { exit_code = reproduce(*arguments); });
}

}  // namespace repose::cli
