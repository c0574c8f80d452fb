#pragma once

#include "experiments/figures/figure.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/provenance.h"
#include "experiments/run/simulation.h"
#include "validation/solvers.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace repose::experiments {

/// The same request, to the readable solver.
FigureRequest with_readable_solver(const FigureRequest& request);

/// Who looks at a run of a figure. Empty functions are not called.
struct RunWatch {
  /// After every step; the solver stands at step_start.
  std::function<void(const StepRecord& record, const Solver& solver)> step{};
  /// As Observers::frame.
  std::function<Go(std::int64_t frame, const Solver& solver)> frame{};
};

/// One simulation of a figure.
struct SceneRun {
  std::string label;  ///< tells it from the figure's other runs: "E 1e+05 Pa, seed 2"
  Scene scene;
  std::string solver;
  RunSummary summary;  ///< of a run that failed: until then
  Provenance provenance;
  double courant = 0.0;                ///< largest c Δt/h used
  std::optional<std::string> failure;  ///< what ended it early, if something did
};

struct SceneRunSettings {
  std::string label;
  std::int64_t frames = -1;  ///< as RunSettings::frames
  bool keep_failure = false;
  const Snapshot* start = nullptr;  ///< where not at the scene's own start: a state at step_start, time 0
};

/// Runs a scene from its start with the solver that a figure is asked to use.
/// @throws SimulationError unless `keep_failure`, which records it in the result instead
SceneRun run_scene(const Scene& scene, const FigureRequest& request, const SceneRunSettings& settings,
                   const RunWatch& watch);

/// Runs an experiment with the solver that a figure is asked to use and, unless that is the readable one, with the
/// readable one beside it, so that what the figure finds does not rest on the fast code alone.
/// @param collapse (request, spacing [m]) → a run derived from SceneRun
/// @returns nothing if a signal stopped one of them
template <class Collapse>
auto run_beside_readable(const FigureRequest& request, double spacing, double readable_spacing,
                         Collapse&& collapse) {
  std::vector<std::invoke_result_t<Collapse&, const FigureRequest&, double>> runs;
  runs.push_back(collapse(request, spacing));
  if (!runs.back().summary.interrupted && request.solver != with_readable_solver(request).solver) {
    runs.push_back(collapse(with_readable_solver(request), readable_spacing));
  }
  if (runs.back().summary.interrupted) runs.clear();
  return runs;
}

/// Runs an experiment's cases in their order.
/// @param run (case) → a run derived from SceneRun
/// @returns nothing if a signal stopped one of them
template <class Case, class Run>
auto run_cases(const std::vector<Case>& cases, Run&& run) {
  std::vector<std::invoke_result_t<Run&, const Case&>> runs;
  for (const Case& one : cases) {
    runs.push_back(run(one));
    if (!runs.back().summary.interrupted) continue;
    runs.clear();
    break;
  }
  return runs;
}

/// What record_runs() takes.
template <class Run>
std::vector<const SceneRun*> scene_runs(const std::vector<Run>& runs) {
  std::vector<const SceneRun*> all;
  for (const Run& run : runs) all.push_back(&run);
  return all;
}

/// Records a figure's runs: run.toml with the first one's resolved scene, which `repose run` takes, and what all came
/// from; scenes/ with the resolved scene of every run. @returns provenance for result.json
nlohmann::json record_runs(const std::vector<const SceneRun*>& runs, std::string_view figure,
                           const FigureRequest& request);

/// Records a figure that looks at single states and runs no scene: run.toml with a scene of their material and grid.
/// @returns provenance for result.json
nlohmann::json record_states(const Scene& scene, std::string_view figure, const FigureRequest& request);

/// Tells what a plot script drew: its pictures if it ran, else a note with the reason.
void add_plots(FigureResult& result, std::string_view script, const FigureRequest& request,
               std::vector<Picture> pictures);

/// A figure of cases, each a run: runs them, judges and writes them, records what they came from and draws them by the figure's
/// plot.py.
/// @param id of the figure, which is its folder below experiments/  @param run as run_cases() takes it
/// @param judge (runs) → the numbers  @param write (runs, folder): the tables
/// @returns nothing but that it was interrupted, if a signal stopped one of the runs
template <class Case, class Run, class Judge, class Write>
FigureResult run_and_judge(const FigureRequest& request, std::string_view id, const std::vector<Case>& cases,
                           Run&& run, Judge&& judge, Write&& write, std::vector<Picture> pictures) {
  const InterruptGuard guard;
  const auto runs = run_cases(cases, run);
  FigureResult result;
  result.interrupted = runs.empty();
  if (result.interrupted) return result;
  result.numbers = judge(runs);
  write(runs, request.folder);
  result.provenance = record_runs(scene_runs(runs), id, request);
  add_plots(result, std::string(id) + "/plot.py", request, std::move(pictures));
  return result;
}

}  // namespace repose::experiments
