#include "experiments/liu2021/fig01_water/splash.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/water.h"
#include "validation/metrics/occupied.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::experiments::liu2021 {

namespace {

constexpr double resting = 5.0;                              ///< at the end of a run [s]
constexpr std::array shown{1.0, 3.0, 4.5, 6.0, 12.0, 30.0};  ///< besides the end [s]
constexpr std::int64_t frames_between_rooms = 10;

SplashFrame look_at(const Snapshot& state, const Scene& scene, double time, bool looks_at_room) {
  const auto& m = state.get(field::mass).value;
  const auto& V = state.get(field::volume).value;
  const auto& J = state.get(field::J).value;
  SplashFrame frame{.time = time, .particles = static_cast<double>(m.size())};
  double mass = 0.0, rest = 0.0;
  for (std::size_t p = 0; p < m.size(); ++p) {
    mass += m[p];
    rest += V[p];
    frame.centre += m[p] * (crosscheck::point(state.get(field::x), p).y() - ground);
    frame.motion += 0.5 * m[p] * crosscheck::point(state.get(field::v), p).squaredNorm();
    frame.volume += V[p] * J[p];
    frame.pressure += m[p] * mechanics::water_pressure(scene.materials.front(), J[p]);
  }
  if (mass == 0.0) return frame;
  for (double* mean : {&frame.centre, &frame.motion, &frame.pressure}) *mean /= mass;
  frame.volume /= rest;
  if (looks_at_room) frame.room = metrics::occupied(state, scene).by_density / rest;
  return frame;
}

void add_to_rows(const Snapshot& state, const Scene& scene, std::vector<SplashRow>& rows) {
  const auto& J = state.get(field::J).value;
  for (std::size_t p = 0; p < J.size(); ++p) {
    const double above = crosscheck::point(state.get(field::x), p).y() - ground;
    const auto row = static_cast<std::size_t>(std::max(0.0, std::floor(above / scene.grid.h)));
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row].height += above;
    rows[row].pressure += mechanics::water_pressure(scene.materials.front(), J[p]);
    rows[row].particles += 1.0;
  }
}

}  // namespace

std::vector<SplashCase> splash_cases(Preset preset) {
  const std::uint64_t seeds = preset == Preset::smoke ? 1 : preset == Preset::desk ? 3 : 10;
  std::vector<SplashCase> cases;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const bool tension : {true, false}) {
      cases.push_back({.tension = tension, .seed = seed});
      if (preset != Preset::smoke) continue;
      cases.back().duration = 10.0;
      cases.back().calming = 14.0;
    }
  return cases;
}

Scene splash_scene(const SplashCase& chosen) {
  Scene scene = load_scene(figure_file("liu2021/fig01_water/fig01_water.toml"));
  scene.materials.front().water_tension = chosen.tension;
  scene.emitters.front().seed += chosen.seed - 1;
  scene.duration = chosen.duration;
  validate(scene);
  return scene;
}

exact::WaterColumn water_column_of(const Scene& scene) {
  const Emitter& top = scene.emitters.front();
  return {.water = scene.materials.front(),
          .gravity = scene.gravity.norm(),
          .height = top.rate * (top.stop - top.start) / width};
}

double water_centre_of(const exact::WaterColumn& column) {
  constexpr int parts = 1000;
  double sum = 0.0;
  for (int n = 0; n < parts; ++n) sum += column.y(column.height * (n + 0.5) / parts) / parts;
  return sum;
}

std::vector<SplashFrame> at_rest(const SplashRun& run) {
  std::vector<SplashFrame> last;
  for (const SplashFrame& frame : run.frames)
    if (frame.time > run.frames.back().time - resting) last.push_back(frame);
  return last;
}

SplashRun splash(const SplashCase& chosen, const FigureRequest& request) {
  Scene scene = splash_scene(chosen);
  SplashRun run{.chosen = chosen, .run = {}, .calm = {}, .frames = {}, .drops = {}, .rows = {}};
  Snapshot last;
  double before = 0.0;
  RunWatch watch;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    if (before > 0.0 && frame == 0) return Go::on;  // the end of the run before
    const double time = before + static_cast<double>(frame) / scene.frame_rate;
    last = solver.save(boundary::step_start, false);
    run.frames.push_back(look_at(last, scene, time, frame % frames_between_rooms == 0));
    if (time > before + scene.duration - resting && before > 0.0) add_to_rows(last, scene, run.rows);
    const auto is_near = [&](double at) { return std::abs(time - at) < 0.5 / scene.frame_rate; };
    const bool is_shown =
        std::any_of(shown.begin(), shown.end(), is_near) || is_near(chosen.duration + chosen.calming);
    for (std::size_t p = 0; is_shown && p < last.particles(); ++p)
      run.drops.push_back({time, crosscheck::point(last.get(field::x), p),
                           mechanics::water_pressure(scene.materials.front(), last.get(field::J).value[p])});
    return Go::on;
  };
  const std::string label =
      fmt::format("{} tension, seed {}", chosen.tension ? "with" : "without", chosen.seed);
  run.run = run_scene(scene, request, {.label = label}, watch);
  if (run.run.summary.interrupted) return run;

  before = scene.duration;
  scene.duration = chosen.calming;
  mpm_options(scene).transfer = Transfer::pic;
  for (Field& field : last.fields)
    if (field.name == field::C) std::fill(field.value.begin(), field.value.end(), 0.0);
  last.time = last.dt = 0.0;
  last.step = 0;
  // The emitter has poured: its clock begins anew with the run.
  Emitter& top = scene.emitters.front();
  top.stop += 10.0 * chosen.calming;
  top.start += 10.0 * chosen.calming;
  const Snapshot poured = last;
  run.calm = run_scene(scene, request, {.label = label + ", calmed", .start = &poured}, watch);
  for (SplashRow& row : run.rows) {
    row.height /= std::max(1.0, row.particles);
    row.pressure /= std::max(1.0, row.particles);
  }
  return run;
}

}  // namespace repose::experiments::liu2021
