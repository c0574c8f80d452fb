#include "experiments/figures/plot.h"

#include "experiments/figures/figure.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace repose::experiments {

namespace {

/// Runs a program to its end with its output discarded or passed to stderr. @returns its exit code, −1 if it
/// did not run
int run_program(std::vector<std::string> words, bool quiet) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  if (quiet) posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments.front(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return -1;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// The first interpreter with all that plots need; empty if there is none.
const std::string& interpreter() {
  static const std::string found = [] {
    std::vector<std::string> candidates;
    if (const char* chosen = std::getenv("REPOSE_PYTHON"); chosen != nullptr) candidates.emplace_back(chosen);
    candidates.insert(candidates.end(), {"python3", "/usr/bin/python3"});
    for (const std::string& python : candidates) {
      if (run_program({python, "-c", "import numpy, matplotlib"}, true) == 0) return python;
    }
    return std::string();
  }();
  return found;
}

}  // namespace

PlotOutcome run_plot_script(std::string_view script, const std::filesystem::path& folder) {
  if (interpreter().empty()) {
    return {
        .reason =
            "no python3 with numpy and matplotlib was found (apt-get install python3-matplotlib, or name an "
            "interpreter in REPOSE_PYTHON)"};
  }
  const std::string file = figure_file(script).string();
  const int code = run_program({interpreter(), file, folder.string()}, false);
  if (code == 0) return {.drawn = true, .reason = {}};
  return {.reason = fmt::format("{} ended with code {}", script, code)};
}

}  // namespace repose::experiments
