#include "experiments/tampubolon2017/fig09_pouring/spout.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"

#include <cmath>
#include <numeric>
#include <set>

namespace repose::experiments::tampubolon2017 {

namespace {

PourFrame frame_of(const Snapshot& state, const Scene& scene, double time) {
  const auto& v_c = state.get(field::v_c).value;
  const auto& volume = state.get(field::volume).value;
  const double fall = std::sqrt(2.0 * scene.gravity.norm() * scene.grid.h);
  std::size_t held = 0, moving = 0;
  for (std::size_t p = 0; p < v_c.size(); ++p) {
    held += v_c[p] > 0.0 ? 1U : 0U;
    moving += crosscheck::point(state.get(field::v), p).norm() > fall ? 1U : 0U;
  }
  const auto all = static_cast<double>(v_c.size());
  return {.time = time,
          .poured = std::accumulate(volume.begin(), volume.end(), 0.0),
          .occupied = metrics::occupied(state, scene),
          .moving = static_cast<double>(moving) / all,
          .held = static_cast<double>(held) / all};
}

}  // namespace

PourSetup pour_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacings = {0.02, 0.01}, .seeds = {1}};
  if (preset == Preset::desk) return {.spacings = {0.01, 0.005}, .seeds = {1, 2}};
  return {.spacings = {0.01, 0.001}, .seeds = {1}};
}

Scene pour_scene(const PourCase& chosen) {
  Scene scene = load_scene(figure_file("tampubolon2017/fig09_pouring/fig09_pouring.toml"));
  set_spacing(scene, chosen.spacing);
  scene.materials.front().volume_correction = chosen.corrects;
  Emitter& spout = scene.emitters.front();
  spout.seed += chosen.seed - 1;
  if (chosen.loose) {
    spout.rate *= 0.5;
    spout.stop *= 2.0;
  }
  validate(scene);
  return scene;
}

PourRun pour(const PourCase& chosen, const FigureRequest& request, const std::string& label) {
  const Scene scene = pour_scene(chosen);
  PourRun run;
  Snapshot last;
  RunWatch watch;
  watch.frame = [&](std::int64_t, const Solver& solver) {
    last = solver.save(boundary::step_start, false);
    if (last.particles() > 0) run.frames.push_back(frame_of(last, scene, solver.time()));
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label}, watch);
  run.chosen = chosen;
  std::set<std::int64_t> columns;
  for (std::size_t p = 0; p < last.particles(); ++p) {
    const Point at = crosscheck::point(last.get(field::x), p);
    run.grains.push_back({at, last.get(field::v_c).value[p]});
    columns.insert(
        static_cast<std::int64_t>(std::floor((at.x() - scene.grid.domain_min.x()) / scene.grid.h)));
  }
  run.surface = static_cast<double>(columns.size()) * scene.grid.h;
  return run;
}

}  // namespace repose::experiments::tampubolon2017
