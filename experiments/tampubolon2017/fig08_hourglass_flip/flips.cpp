#include "experiments/tampubolon2017/fig08_hourglass_flip/flips.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double coarse = 0.4 / 54.0;  ///< [m]

GlassFrame look_at(const Snapshot& state, const Scene& scene, double time) {
  const auto& v_c = state.get(field::v_c).value;
  std::size_t held = 0;
  for (const double one : v_c) held += one > 0.0 ? 1U : 0U;
  const double fall = std::sqrt(2.0 * scene.gravity.norm() * scene.grid.h);
  std::size_t moving = 0;
  for (std::size_t p = 0; p < v_c.size(); ++p)
    moving += crosscheck::point(state.get(field::v), p).norm() > fall ? 1U : 0U;
  const auto all = static_cast<double>(v_c.size());
  return {.time = time,
          .occupied = metrics::occupied(state, scene),
          .moving = static_cast<double>(moving) / all,
          .held = static_cast<double>(held) / all};
}

std::vector<GlassGrain> grains_of(const Snapshot& state) {
  const auto& v_c = state.get(field::v_c).value;
  std::vector<GlassGrain> grains;
  for (std::size_t p = 0; p < v_c.size(); ++p)
    grains.push_back({crosscheck::point(state.get(field::x), p), v_c[p]});
  return grains;
}

}  // namespace

GlassSetup glass_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacings = {2.0 * coarse}, .seeds = {1}, .between_turns = 3.0};
  if (preset == Preset::desk) return {.spacings = {coarse, 0.5 * coarse}, .seeds = {1, 2}};
  return {.spacings = {coarse, 0.5 * coarse}, .seeds = {1, 2, 3, 4}};
}

Scene glass_scene(const GlassSetup& setup, const GlassCase& chosen) {
  Scene scene = load_scene(figure_file("tampubolon2017/fig08_hourglass_flip/fig08_hourglass_flip.toml"));
  set_spacing(scene, chosen.spacing);
  scene.duration = setup.between_turns;
  scene.materials.front().volume_correction = chosen.corrects;
  scene.seeds.front().seed += chosen.seed - 1;
  validate(scene);
  return scene;
}

GlassRun turn_glass(const GlassSetup& setup, const GlassCase& chosen, const FigureRequest& request,
                    const std::string& label) {
  Scene scene = glass_scene(setup, chosen);
  GlassRun run;
  run.chosen = chosen;
  Snapshot last;
  for (int leg = 0; leg <= setup.turns; ++leg) {
    const double before = leg * setup.between_turns;
    RunWatch watch;
    watch.frame = [&](std::int64_t frame, const Solver& solver) {
      if (leg > 0 && frame == 0) return Go::on;  // the end of the leg before
      last = solver.save(boundary::step_start, false);
      run.frames.push_back(look_at(last, scene, before + solver.time()));
      return Go::on;
    };
    SceneRunSettings settings{.label = fmt::format("{}, {} turns", label, leg)};
    if (leg > 0) settings.start = &last;
    run.legs.push_back(run_scene(scene, request, settings, watch));
    if (run.interrupted()) return run;
    run.rests.push_back(run.frames.back());
    run.grains.push_back(grains_of(last));
    last.time = 0.0;
    last.dt = 0.0;
    last.step = 0;
    scene.gravity = -scene.gravity;
  }
  const auto& volume = last.get(field::volume).value;
  run.volume = std::accumulate(volume.begin(), volume.end(), 0.0);
  return run;
}

}  // namespace repose::experiments::tampubolon2017
