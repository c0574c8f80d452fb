#include "experiments/cli/commands.h"
#include "experiments/cli/suggest.h"
#include "experiments/run/console.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int failed = 1;
constexpr int bad_usage = 2;

std::string version() {
  const auto build = repose::experiments::build();
  std::string sets;
  for (const auto& set : repose::experiments::machine().instruction_sets)
    sets += (sets.empty() ? "" : ", ") + set;
  return fmt::format("repose {}\nrevision {}\ncompiler {} ({}: {})\ninstruction sets of this machine: {}",
                     build.version, build.revision, build.compiler, build.build_type, build.flags,
                     sets.empty() ? "none known" : sets);
}

/// Every message leaves through here: whatever a user's file or command line had in it, it is one line.
void say_error(std::string_view message) {
  repose::experiments::tell("repose: {}\n", repose::in_one_line(message));
}

/// CLI11 would only say that a command is missing.
bool refuse_unknown_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
  }
  const bool is_option = word.empty() || word.starts_with('-');
  if (is_option || std::find(known.begin(), known.end(), word) != known.end()) return false;
  const std::string meant = repose::cli::nearest(word, known);
  say_error(fmt::format("unknown command '{}'{}; see repose --help", word,
                        meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant)));
  return true;
}

/// @returns the exit code
int run_command(int argc, char** argv) {
  CLI::App app("Reference implementation and test harness for sand simulation", "repose");
  app.footer(
      "Example:\n  repose list\n  repose run data/scenes/column_2d.toml --out out/column\n\n"
      "Exit codes: 0 all well, 1 a check failed, 2 bad input or usage, 3 could not be judged,\n"
      "130 interrupted, with a checkpoint written once a step was taken.");
  app.set_version_flag("--version", version, "Version, revision, compiler, instruction sets");
  app.require_subcommand(1);
  int exit_code = 0;
  repose::cli::add_run(app, exit_code);
  repose::cli::add_picture(app, exit_code);
  repose::cli::add_verify(app, exit_code);
  repose::cli::add_reproduce(app, exit_code);
  repose::cli::add_report(app, exit_code);
  repose::cli::add_bench(app, exit_code);
  repose::cli::add_list(app, exit_code);

  if (argc > 1 && refuse_unknown_command(app, argv[1])) return bad_usage;
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version end here too
    const auto commands = app.get_subcommands();
    say_error(fmt::format("{}; see repose {}--help", error.what(),
                          commands.empty() ? "" : commands.front()->get_name() + " "));
    return bad_usage;
  }
}

}  // namespace

int main(int argc, char** argv) {
  repose::experiments::open_standard_streams();
  try {
    const int exit_code = run_command(argc, argv);
    repose::experiments::flush_output();
    return exit_code;
  } catch (const repose::BadInput& error) {
    say_error(error.what());
    return bad_usage;
  } catch (const std::bad_alloc&) {
    say_error("there is not enough memory");
    return failed;
  } catch (const std::exception& error) {
    say_error(error.what());
    return failed;
  }
}
