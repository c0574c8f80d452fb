#include "experiments/cli/commands.h"
#include "experiments/figures/figure.h"
#include "experiments/run/console.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/crosscheck/cases.h"
#include "validation/exact/exact.h"
#include "validation/invariants/invariants.h"
#include "validation/methods.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace repose::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<crosscheck::Scenario> all_scenarios() {
  std::vector<crosscheck::Scenario> all;
  for (const JudgedMethod& method : judged_methods()) {
    const auto& own = crosscheck::scenarios(method.name);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

struct ListedScene {
  std::string file;  ///< from the root of the source tree
  std::string title;
  int dim = 0;
};

/// The scene files that come with the source, by name. A program moved away from its source has none.
std::vector<ListedScene> scenes() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(REPOSE_SOURCE_DIR) / "data/scenes", error)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<ListedScene> result;
  for (const fs::path& file : files) {
    const Scene scene = load_scene(file);
    result.push_back(
        {.file = "data/scenes/" + file.filename().string(), .title = scene.title, .dim = scene.dim()});
  }
  return result;
}

json all_as_json() {
  json figures = json::array();
  for (const auto& figure : experiments::figures()) {
    figures.push_back(
        {{"id", figure.id},
         {"title", figure.title},
         {"claim", figure.claim},
         {"starred", figure.starred},
         {"status", "built"},
         {"presets", {{"smoke", figure.smoke}, {"desk", figure.desk}, {"paper", figure.paper}}}});
  }
  json scene_list = json::array();
  for (const auto& scene : scenes()) {
    scene_list.push_back({{"file", scene.file}, {"title", scene.title}, {"dim", scene.dim}});
  }
  json suites = json::array();
  for (const auto& scenario : all_scenarios()) {
    suites.push_back({{"name", scenario.name}, {"what", scenario.what}, {"long", scenario.takes_long}});
  }
  json cases = json::array();
  for (const auto& c : crosscheck::case_names()) {
    cases.push_back({{"name", c.name},
                     {"suite", c.scenario},
                     {"dim", c.setup.dim},
                     {"method", c.setup.method},
                     {"variant", crosscheck::variant_of(c.setup)},
                     {"precision", crosscheck::name_of(c.setup.precision)},
                     {"threads", c.setup.threads},
                     {"long", c.takes_long}});
  }
  for (const auto& problem : exact::exact_problems())
    suites.push_back({{"name", problem.name}, {"what", problem.what}});
  for (const auto& c : exact::exact_names()) {
    cases.push_back({{"name", c.name},
                     {"suite", c.scenario},
                     {"dim", c.setup.dim},
                     {"method", c.setup.method},
                     {"variant", crosscheck::variant_of(c.setup)},
                     {"precision", crosscheck::name_of(c.setup.precision)},
                     {"threads", c.setup.threads},
                     {"long", c.takes_long}});
  }
  for (const auto& invariant : invariants::invariants()) {
    suites.push_back({{"name", invariant.name}, {"what", invariant.what}});
  }
  for (const auto& one : invariants::invariant_cases()) {
    json entry = {{"name", one.name}, {"suite", one.invariant}, {"dim", nullptr}};
    if (one.dim > 0) entry["dim"] = one.dim;
    cases.push_back(std::move(entry));
  }
  return {{"figures", figures},
          {"scenes", scene_list},
          {"solvers", solver_names()},
          {"suites", suites},
          {"cases", cases}};
}

void print_all() {
  experiments::print(
      "figures (repose reproduce ID --preset smoke|desk|paper; * marks those the project is judged by)\n");
  for (const auto& figure : experiments::figures()) {
    experiments::print("  {}{}  {}\n", figure.id, figure.starred ? "*" : "", figure.title);
  }
  experiments::print("\nscenes (repose run FILE, then repose picture out/NAME)\n");
  for (const auto& scene : scenes()) experiments::print("  {}  {}\n", scene.file, scene.title);
  experiments::print("\nsolvers (--solver NAME)\n");
  for (const auto& name : solver_names()) experiments::print("  {}\n", name);
  experiments::print("\nsuites of repose verify, {} cases in all\n", crosscheck::case_names().size());
  for (const auto& scenario : all_scenarios())
    experiments::print("  {}  {}{}\n", scenario.name, scenario.what,
                       scenario.takes_long ? " (with --long)" : "");
  experiments::print("\nproblems with closed forms (repose verify --suite exact), {} cases in all\n",
                     exact::exact_names().size());
  for (const auto& problem : exact::exact_problems())
    experiments::print("  {}  {}{}\n", problem.name, problem.what,
                       problem.takes_long ? " (with --long)" : "");
  experiments::print(
      "\ninvariants of what solvers share (repose verify --suite invariants), {} cases in all\n",
      invariants::invariant_cases().size());
  for (const auto& invariant : invariants::invariants())
    experiments::print("  {}  {}\n", invariant.name, invariant.what);
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("list", "Show figures, scenes, solvers and verification cases");
  command->add_flag("--json", *as_json, "As JSON, on standard output");
  command->footer("Example:\n  repose list\n  repose list --json | python3 -m json.tool");
  command->callback([as_json, &exit_code] {
    if (*as_json) {
      experiments::print("{}\n", all_as_json().dump(2));
    } else {
      print_all();
    }
    exit_code = 0;
  });
}

}  // namespace repose::cli
