#include "experiments/tampubolon2017/fig10_pile_unilateral/collapse.h"

#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/judging.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/pile.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

namespace repose::experiments::tampubolon2017 {

namespace {

const Box& block_of(const Scene& scene) { return std::get<Box>(scene.seeds.front().shape); }

double middle_of(const Scene& scene) { return 0.5 * (block_of(scene).min.x() + block_of(scene).max.x()); }

double largest_speed(const Snapshot& state) {
  double largest = 0.0;
  for (std::size_t p = 0; p < state.particles(); ++p)
    largest = std::max(largest, crosscheck::point(state.get(field::v), p).norm());
  return largest;
}

CollapseShot shot_of(const Snapshot& state, const Scene& scene, double time) {
  const double fall = std::sqrt(2.0 * scene.gravity.norm() * scene.grid.h);
  std::size_t moving = 0;
  for (std::size_t p = 0; p < state.particles(); ++p)
    moving += crosscheck::point(state.get(field::v), p).norm() > fall ? 1U : 0U;
  return {.time = time,
          .grains = metrics::positions(state, scene.dim()),
          .moving = static_cast<double>(moving) / static_cast<double>(state.particles())};
}

/// Σ V⁰ in columns, by their number from the domain's edge.
std::map<std::int64_t, double> columns_of(const CollapseRun& run, std::size_t shot) {
  const double width = 2.0 * run.scene.grid.h, edge = run.scene.grid.domain_min.x();
  std::map<std::int64_t, double> columns;
  const auto& grains = run.shots.at(shot).grains;
  for (std::size_t p = 0; p < grains.size(); ++p)
    columns[static_cast<std::int64_t>(std::floor((grains[p].x() - edge) / width))] += run.volume[p];
  return columns;
}

double mean_of(const CollapseRun& run, double ActingStress::*what) {
  double sum = 0.0;
  for (const ActingStress& look : run.looks) sum += look.*what;
  return run.looks.empty() ? not_a_number : sum / static_cast<double>(run.looks.size());
}

}  // namespace

Scene collapse_scene(const CollapseSetup& setup, const CollapseCase& chosen) {
  Scene scene = load_scene(figure_file(setup.scene));
  set_spacing(scene, setup.spacing);
  scene.duration = setup.duration;
  scene.step.max_dt = chosen.max_dt;
  scene.seeds.front().seed += chosen.seed - 1;
  if (chosen.density) scene.materials.front().density = *chosen.density;
  mpm_options(scene).integrator = chosen.integrator;
  mpm_options(scene).energy = chosen.energy;
  validate(scene);
  return scene;
}

CollapseRun collapse(const CollapseSetup& setup, const CollapseCase& chosen, const FigureRequest& request) {
  const Scene scene = collapse_scene(setup, chosen);
  const StepControl control(scene);
  const auto beside = make_solver(request.solver, scene, request.options);
  CollapseRun run;
  RunWatch watch;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    const Snapshot state = solver.save(boundary::step_start, false);
    run.shots.push_back(shot_of(state, scene, solver.time()));
    if (frame == 0)
      run.volume = state.get(field::volume).value;
    else
      run.looks.push_back(acting_stress(*beside, scene, state, control.bound(largest_speed(state)).dt));
    return Go::on;
  };
  static_cast<SceneRun&>(run) =
      run_scene(scene, request,
                {.label = chosen.name + (chosen.seed > 1 ? fmt::format(", seed {}", chosen.seed) : ""),
                 .keep_failure = true},
                watch);
  run.chosen = chosen;
  return run;
}

double mean_tension(const CollapseRun& run) {
  return mean_of(run, &ActingStress::tension) / block_pressure(run.scene);
}

double mean_friction(const CollapseRun& run) { return mean_of(run, &ActingStress::friction); }

const CollapseRun* named(const std::vector<CollapseRun>& runs, std::string_view name) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const CollapseRun& run) {
    return run.chosen.name == name && run.chosen.seed == 1;
  });
  return found == runs.end() ? nullptr : &*found;
}

double mean_dt(const CollapseRun& run) {
  return run.summary.end_time / static_cast<double>(std::max<std::int64_t>(1, run.summary.steps));
}

double courant_of(const Scene& scene, double dt) {
  return wave_speed(scene.materials.front()) * dt / scene.grid.h;
}

double block_height(const Scene& scene) { return block_of(scene).max.y() - block_of(scene).min.y(); }

double block_pressure(const Scene& scene) {
  return scene.materials.front().density * scene.gravity.norm() * block_height(scene);
}

double static_strain(const Scene& scene) {
  const double c = wave_speed(scene.materials.front());
  return scene.gravity.norm() * block_height(scene) / (c * c);
}

double displaced_share(const CollapseRun& a, const CollapseRun& b, std::size_t shot) {
  std::map<std::int64_t, double> differs = columns_of(a, shot);
  double all = 0.0, apart = 0.0;
  for (const auto& [column, volume] : differs) all += volume;
  for (const auto& [column, volume] : columns_of(b, shot)) differs[column] -= volume;
  for (const auto& [column, volume] : differs) apart += std::abs(volume);
  return 0.5 * apart / all;
}

double displaced_share(const CollapseRun& a, const CollapseRun& b) {
  if (a.failure || b.failure) return not_a_number;
  return displaced_share(a, b, a.shots.size() - 1);
}

double seeds_apart(const std::vector<CollapseRun>& runs, std::string_view name) {
  double most = not_a_number;
  for (const CollapseRun& a : runs)
    for (const CollapseRun& b : runs)
      if (a.chosen.name == name && b.chosen.name == name && a.chosen.seed < b.chosen.seed)
        most = std::fmax(most, displaced_share(a, b));
  return most;
}

double spread(const CollapseRun& run) {
  if (run.failure) return not_a_number;
  double sum = 0.0;
  const std::vector<Point>& grains = run.shots.back().grains;
  for (const Point& grain : grains) sum += std::abs(grain.x() - middle_of(run.scene));
  return sum / static_cast<double>(grains.size());
}

int clumps(const CollapseRun& run, std::size_t shot) {
  const Grid& grid = run.scene.grid;
  std::map<std::pair<std::int64_t, std::int64_t>, int> cells;
  for (const Point& grain : run.shots.at(shot).grains)
    ++cells[{static_cast<std::int64_t>(std::floor((grain.x() - grid.domain_min.x()) / grid.h)),
             static_cast<std::int64_t>(std::floor((grain.y() - grid.domain_min.y()) / grid.h))}];
  int found = 0;
  while (!cells.empty()) {
    std::vector<std::pair<std::int64_t, std::int64_t>> open{cells.begin()->first};
    int grains = 0;
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      const auto cell = cells.find(at);
      if (cell == cells.end()) continue;
      grains += cell->second;
      cells.erase(cell);
      for (const int step : {-1, 1}) {
        open.emplace_back(at.first + step, at.second);
        open.emplace_back(at.first, at.second + step);
      }
    }
    found += grains >= 4 * run.scene.seeds.front().particles_per_cell ? 1 : 0;
  }
  return found;
}

}  // namespace repose::experiments::tampubolon2017
