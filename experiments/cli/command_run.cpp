#include "experiments/cli/commands.h"
#include "experiments/picture/picture.h"
#include "experiments/run/console.h"
#include "experiments/run/memory_limit.h"
#include "experiments/run/recorded_run.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/all.h"
#include "reference/interface/particles/scene_warnings.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace repose::cli {

namespace {

namespace fs = std::filesystem;
using experiments::KeepStates;
using experiments::RecordedRun;

struct RunArguments {
  std::string scene;
  std::string method;  ///< empty: the scene's
  std::string solver;  ///< empty: the usual one of the scene's method
  std::string precision = "double";
  std::string states = "every";
  std::string sums = "frame";
  std::string simd;
  std::string out;
  std::string json;
  int threads = 0;  ///< 0: all cores, where the solver can use them
  std::int64_t frames = -1;
  bool resume = false;
  bool quiet = false;
  double memory_limit_bytes = 0.0;
};

KeepStates keep_states(std::string_view name) {
  return name == "every" ? KeepStates::every : name == "last" ? KeepStates::last : KeepStates::none;
}

experiments::KeepSums keep_sums(std::string_view name) {
  const auto& names = experiments::keep_sums_names;
  return static_cast<experiments::KeepSums>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// A word as a shell takes it back.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The command that continues a run.
std::string resume_command(const RunArguments& a) {
  std::string command = fmt::format("repose run {} --out {} --solver {} --precision {}", quoted(a.scene),
                                    quoted(a.out), quoted(a.solver), a.precision);
  if (!a.method.empty()) command += fmt::format(" --method {}", quoted(a.method));
  if (!a.simd.empty()) command += fmt::format(" --simd {}", quoted(a.simd));
  if (a.threads > 0) command += fmt::format(" --threads {}", a.threads);
  if (a.frames >= 0) command += fmt::format(" --frames {}", a.frames);
  if (a.states != "every") command += fmt::format(" --states {}", a.states);
  if (a.sums != "frame") command += fmt::format(" --sums {}", a.sums);
  return command + " --resume";
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const method::Method* method : method::all()) names.emplace_back(method->name);
  return names;
}

void write_json(const RunArguments& arguments, const RecordedRun& run,
                const std::vector<std::string>& doubts) {
  std::vector<std::string> notes = run.notes;
  for (const std::string& doubt : doubts) notes.push_back("warning: " + doubt);
  const nlohmann::json result = {{"scene", fs::path(arguments.scene).filename().string()},
                                 {"summary", experiments::to_json(run.summary)},
                                 {"provenance", experiments::to_json(run.provenance)},
                                 {"resumed_from_step", run.resumed_from_step},
                                 {"notes", notes}};
  replace_file(arguments.json, result.dump(2) + "\n");
}

int run(RunArguments arguments) {
  if (!arguments.json.empty()) require_writable("--json", arguments.json);
  const Scene scene = load_scene(arguments.scene, arguments.method);
  if (arguments.out.empty()) arguments.out = (fs::path("out") / fs::path(arguments.scene).stem()).string();
  if (arguments.solver.empty()) arguments.solver = usual_solver(scene.scheme.method());
  const bool serial = solver_info(arguments.solver).serial;
  SolverOptions options{.precision = arguments.precision == "float" ? Precision::single_ : Precision::double_,
                        .threads = arguments.threads,
                        .simd = arguments.simd};
  if (arguments.threads == 0) options.threads = serial ? 1 : experiments::machine().cores;
  experiments::require_memory(scene, arguments.scene, arguments.solver, options, arguments.frames,
                              arguments.memory_limit_bytes);
  const std::unique_ptr<Solver> solver = make_solver(arguments.solver, scene, options);

  // Now, and again below the summary, where it explains what was found.
  const std::vector<std::string> doubts = warnings(scene);
  for (const std::string& doubt : doubts) experiments::tell("repose: warning: {}\n", doubt);
  const RecordedRun result = experiments::run_recorded(*solver, scene,
                                                       {.out = arguments.out,
                                                        .solver = options,
                                                        .states = keep_states(arguments.states),
                                                        .sums = keep_sums(arguments.sums),
                                                        .resume = arguments.resume,
                                                        .frames = arguments.frames,
                                                        .progress = !arguments.quiet});
  if (!arguments.json.empty()) write_json(arguments, result, doubts);
  for (const std::string& note : result.notes) experiments::tell("repose: {}\n", note);
  if (!arguments.quiet) {
    if (result.resumed_from_step >= 0)
      experiments::print("continued behind step {}\n", result.resumed_from_step);
    experiments::print("{}", describe(result.summary));
    for (const std::string& doubt : doubts) experiments::print("warning: {}\n", doubt);
    if (!result.last_state.empty()) {
      experiments::print("last state: {}\n", result.last_state.string());
      if (experiments::can_write_png())
        experiments::print("see it: repose picture {}\n", cli::quoted(arguments.out));
    }
  }
  if (!result.summary.interrupted) return 0;
  experiments::tell("repose: interrupted at {:.6g} s; the state is in {}\ncontinue with:\n  {}\n",
                    result.summary.end_time, result.last_state.string(), resume_command(arguments));
  return interrupted;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  RunArguments& a = *arguments;
  CLI::App* command = app.add_subcommand("run", "Simulate a scene file");
  command->add_option("scene", a.scene, "Scene file (TOML); the run.toml of a run is one too")
      ->required()
      ->type_name("SCENE.toml");
  command
      ->add_option("--method", a.method, "Which method's options of the scene to take [the scene's method]")
      ->check(CLI::IsMember(method_names()));
  command->add_option("--solver", a.solver, "Which solver [the usual one of the scene's method]")
      ->check(CLI::IsMember(solver_names()));
  command->add_option("--precision", a.precision, "Of the solver's arithmetic; the reference has double only")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command
      ->add_option(
          "--threads", a.threads,
          "At most so many threads, fewer for few particles; the result does not depend on them [all cores]")
      ->check(CLI::Range(1, 4096));
  command->add_option("--simd", a.simd, "Instruction set to use, such as AVX2 [the best there is]");
  command->add_option("--frames", a.frames, "Run to the end of frame N [the scene's duration]")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
      ->type_name("N");
  command->add_option("--out", a.out, "Folder for run.toml, steps.csv, sums.csv and states/ [out/SCENE]")
      ->type_name("DIR");
  command->add_option("--states", a.states, "Which frames' states to keep")
      ->check(CLI::IsMember({"every", "last", "none"}))
      ->capture_default_str();
  command
      ->add_option(
          "--sums", a.sums,
          "How often mass, momentum and energies of each phase go into sums.csv: at each frame, behind "
          "each step, or never")
      ->check(CLI::IsMember(experiments::keep_sums_names))
      ->capture_default_str();
  experiments::add_memory_limit(*command, a.memory_limit_bytes);
  command->add_flag("--resume", a.resume,
                    "Continue the run in DIR from its last complete state, bit for bit");
  command->add_flag("--quiet", a.quiet, "No progress line and no summary");
  command->add_option("--json", a.json, "Write the summary and provenance to a file")->type_name("FILE");
  command->footer(
      "Example:\n  repose run data/scenes/column_2d.toml --out out/column --threads 2\n"
      "  repose run data/scenes/column_2d.toml --out out/column --resume\n\n"
      "`repose picture out/column` draws the states, and ParaView opens them. Ctrl-C finishes the step, "
      "writes a checkpoint\nand exits with 130; while the particles are placed it ends the program at once.\n"
      "Threads that wait sleep, unless OMP_WAIT_POLICY, GOMP_SPINCOUNT or KMP_BLOCKTIME is set.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace repose::cli
