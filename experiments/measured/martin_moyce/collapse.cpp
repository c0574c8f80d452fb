#include "experiments/measured/martin_moyce/collapse.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/pile.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

namespace repose::experiments::measured {

namespace {

const Box& column_of(const Scene& scene) { return std::get<Box>(scene.seeds.front().shape); }

/// Upper end of what lies on a line from 0 without a gap of a whole cell [m].
double end_of(const std::vector<double>& along, double spacing) {
  std::set<std::int64_t> cells;
  for (const double x : along) cells.insert(static_cast<std::int64_t>(std::floor(x / spacing)));
  std::int64_t first_empty = 0;
  while (cells.count(first_empty) > 0) ++first_empty;
  double end = 0.0;
  for (const double x : along)
    if (x < static_cast<double>(first_empty) * spacing) end = std::max(end, x);
  return end;
}

Moment moment_of(const Snapshot& state, double T) {
  Moment moment{T, metrics::positions(state, 2), {}};
  for (std::size_t p = 0; p < state.particles(); ++p)
    moment.speed.push_back(crosscheck::point(state.get(field::v), p).norm());
  return moment;
}

}  // namespace

CollapseSetup collapse_setup(Preset preset) {
  if (preset == Preset::smoke) return {.cells = {5.0, 10.0}};
  if (preset == Preset::desk) return {.cells = {10.0, 20.0, 40.0}};
  return {.cells = {20.0, 40.0, 80.0}};
}

Scene collapse_scene(double cells) {
  Scene scene = load_scene(figure_file("measured/martin_moyce/martin_moyce.toml"));
  set_spacing(scene, column_of(scene).max.x() / cells);
  validate(scene);
  return scene;
}

Extent extent_of(const std::vector<Point>& at, double time, double width, double spacing, double edge) {
  std::vector<double> along, up;
  for (const Point& x : at) {
    along.push_back(x.x());
    if (x.x() < 2.0 * spacing) up.push_back(x.y());
  }
  return {.time = time,
          .front = (end_of(along, spacing) + edge) / width,
          .height = (end_of(up, spacing) + edge) / (2.0 * width)};
}

CollapseRun let_go(double cells, const FigureRequest& request, const std::string& label) {
  const Scene scene = collapse_scene(cells);
  const double width = column_of(scene).max.x();
  const double unit = std::sqrt(2.0 * scene.gravity.norm() / width);  // of T per second
  const double edge = 0.5 * scene.grid.h / std::sqrt(scene.seeds.front().particles_per_cell);
  CollapseRun run;
  RunWatch watch;
  watch.frame = [&](std::int64_t, const Solver& solver) {
    const Snapshot state = solver.save(boundary::step_start, false);
    const double T = unit * solver.time();
    run.extents.push_back(extent_of(metrics::positions(state, 2), T, width, scene.grid.h, edge));
    constexpr double shown[] = {1.2, 2.4, 3.6};
    if (run.moments.size() < std::size(shown) && T >= shown[run.moments.size()])
      run.moments.push_back(moment_of(state, T));
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label}, watch);
  run.cells = cells;
  return run;
}

}  // namespace repose::experiments::measured
