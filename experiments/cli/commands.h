#pragma once

namespace CLI {
class App;
}

namespace repose::cli {

inline constexpr int interrupted = 130;  ///< exit code

/// Each adds one subcommand to the program. Its callback writes the exit code: 0 all well, 1 a check failed, 2 bad
/// input or usage, 3 could not be judged, 130 interrupted, with a checkpoint written once a step was taken.
void add_run(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_picture(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);

}  // namespace repose::cli
