#include "experiments/figures/scene_run.h"

#include "experiments/figures/judging.h"
#include "experiments/figures/plot.h"
#include "experiments/run/interrupt.h"
#include "experiments/run/memory_limit.h"
#include "reference/interface/base/error.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace repose::experiments {

std::string word(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += c;
    } else if (c == '.') {
      out += 'p';
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

FigureRequest with_readable_solver(const FigureRequest& request) {
  FigureRequest readable = request;
  readable.solver = judging_solver(request.method);
  readable.options = {};
  return readable;
}

SceneRun run_scene(const Scene& scene, const FigureRequest& request, const SceneRunSettings& settings,
                   const RunWatch& watch) {
  require_memory(scene, settings.label, request.solver, request.options, settings.frames,
                 request.memory_limit_bytes);
  const std::unique_ptr<Solver> made = make_solver(request.solver, scene, request.options);
  Solver& solver = *made;
  SceneRun run;
  run.label = settings.label;
  run.scene = scene;
  run.solver = solver.name();
  run.provenance = provenance(scene, solver.name(), request.options);
  {
    const NothingToKeep nothing_yet;
    solver.load(settings.start != nullptr ? *settings.start : sample(scene));
  }

  double stiffest = 0.0;
  for (const Material& material : scene.materials) stiffest = std::max(stiffest, wave_speed(material));
  RunSummary so_far;  // of a run that fails, whose own summary is lost
  Observers observers;
  observers.step = [&](const StepRecord& record) {
    run.courant = std::max(run.courant, stiffest * record.report.dt / scene.grid.h);
    ++so_far.steps;
    so_far.particle_steps += record.report.particles;
    so_far.end_time = record.time + record.report.dt;
    so_far.particles = solver.particles();
    so_far.total.max_speed = std::max(so_far.total.max_speed, record.report.max_speed);
    if (watch.step) watch.step(record, solver);
  };
  observers.frame = watch.frame;
  try {
    run.summary = simulate(solver, scene,
                           {.frames = settings.frames, .progress = request.progress, .label = settings.label},
                           observers);
  } catch (const SimulationError& error) {
    if (!settings.keep_failure) throw;
    run.failure = error.what();
    run.summary = so_far;
  }
  run.provenance.wall_seconds = run.summary.wall_seconds;
  run.provenance.particle_steps_per_s = run.summary.particle_steps_per_s();
  run.provenance.peak_memory_bytes = run.summary.peak_memory_bytes;
  return run;
}

nlohmann::json record_states(const Scene& scene, std::string_view figure, const FigureRequest& request) {
  Provenance whole = provenance(scene, "all", {});
  whole.peak_memory_bytes = peak_memory_bytes();
  replace_file(
      request.folder / "run.toml",
      fmt::format("{}\n[repose]\nfigure = {}\npreset = {}\n\n{}", scene_to_toml(scene), toml_string(figure),
                  toml_string(to_string(request.preset)), to_toml(whole, "repose.provenance")));
  return to_json(whole);
}

nlohmann::json record_runs(const std::vector<const SceneRun*>& runs, std::string_view figure,
                           const FigureRequest& request) {
  const SceneRun& first = *runs.front();
  Provenance whole = first.provenance;
  double step_seconds = 0.0;
  double particle_steps = 0.0;
  whole.wall_seconds = 0.0;
  nlohmann::json list = nlohmann::json::array();
  std::string text;
  make_folder(request.folder / "scenes");
  for (const SceneRun* run : runs) {
    whole.wall_seconds += run->provenance.wall_seconds;
    whole.peak_memory_bytes = std::max(whole.peak_memory_bytes, run->provenance.peak_memory_bytes);
    if (run->solver == first.solver) {
      step_seconds += run->summary.step_seconds;
      particle_steps += static_cast<double>(run->summary.particle_steps);
    }
    const std::string file = fmt::format("scenes/{}.toml", word(run->label));
    replace_file(request.folder / file, scene_to_toml(run->scene));
    list.push_back({{"run", run->label},
                    {"scene", file},
                    {"solver", run->solver},
                    {"scene_hash", run->provenance.scene_hash},
                    {"particles", run->summary.particles},
                    {"steps", run->summary.steps},
                    {"simulated_s", run->summary.end_time},
                    {"wall_s", run->provenance.wall_seconds},
                    {"particle_steps_per_s", run->provenance.particle_steps_per_s}});
    text += fmt::format("\n[[repose.runs]]\nrun = {}\nscene = {}\nsolver = {}\nscene_hash = {}\n",
                        toml_string(run->label), toml_string(file), toml_string(run->solver),
                        toml_string(run->provenance.scene_hash));
  }
  whole.particle_steps_per_s = step_seconds > 0.0 ? particle_steps / step_seconds : 0.0;
  replace_file(request.folder / "run.toml",
               fmt::format("{}\n[repose]\nfigure = {}\npreset = {}\n{}\n{}", scene_to_toml(first.scene),
                           toml_string(figure), toml_string(to_string(request.preset)), text,
                           to_toml(whole, "repose.provenance")));
  nlohmann::json json = to_json(whole);
  json["runs"] = list;
  return json;
}

void add_plots(FigureResult& result, std::string_view script, const FigureRequest& request,
               std::vector<Picture> pictures) {
  const PlotOutcome plots = run_plot_script(script, request.folder);
  if (!plots.drawn) {
    result.notes.push_back("no plots: " + plots.reason);
    return;
  }
  for (Picture& picture : pictures) result.pictures.push_back(std::move(picture));
}

}  // namespace repose::experiments
