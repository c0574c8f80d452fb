#include "experiments/klar2016/table2_performance/block.h"

#include "experiments/bench/mpm/sheared.h"
#include "experiments/bench/table2_blocks.h"
#include "reference/interface/methods/mpm_options.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr int margin = table2_margin;

}  // namespace

Table2Scale table2_scale(Preset preset) {
  if (preset == Preset::smoke) return {.fewer = 100.0, .steps = 10, .repeat = 5};
  if (preset == Preset::desk) return {.fewer = 10.0, .steps = 10, .repeat = 5};
  return {.fewer = 1.0, .steps = 10, .repeat = 5};
}

double fewer_of(const Table2Row& row, const Table2Scale& scale) {
  constexpr double least = 4000.0;
  return std::max(1.0, std::min(scale.fewer, row.particles / least));
}

Scene table2_scene(const Table2Row& row, double fewer) {
  Scene scene;
  scene.title = "A block of the size of Table 2's " + std::string(row.name);
  scene.scheme = MpmOptions{.kernel = Kernel::cubic, .elastic_bound = 0.6};
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.materials = {row.sand};
  scene.frame_rate = row.frame_rate;
  scene.duration = 1.0 / row.frame_rate;
  scene.step = {.max_dt = row.dt, .cfl = 1.0};
  Grid& grid = scene.grid;
  grid.dim = row.dim;
  grid.h = row.h;
  const double shrink = std::pow(1.0 / fewer, 1.0 / row.dim);
  // Where a printed grid shrinks it keeps its margin and some room.
  for (std::size_t a = 0; a < 3; ++a) {
    const int inner = row.cells[a] - 2 * margin;
    grid.cells[a] =
        static_cast<int>(a) < row.dim ? std::max(8L, std::lround(shrink * inner)) + 2 * margin : 1;
  }

  const bool three = row.dim == 3;
  const double cells = row.particles / (row.particles_per_cell * fewer);
  const auto inner = [&](std::size_t a) { return static_cast<double>(grid.cells[a] - 2 * margin); };
  const double plan = three ? inner(0) * inner(2) : inner(0);
  const double deep = cells / plan;
  Point size;  // in cells
  if (row.name == "splash") {
    size = Point(1.0 / row.h, 0.35 / row.h, 1.0 / row.h) * shrink;
    size.y() =
        cells / (size.x() * size.z());  // the printed number of particles, to a percent the printed depth
  } else if (deep >= 8.0 * shrink) {
    size = Point(inner(0), deep, three ? inner(2) : 0.0);
  } else {
    const double edge = three ? std::cbrt(cells) : std::sqrt(cells);
    size = Point(edge, edge, three ? edge : 0.0);
  }
  Seed block;
  block.name = "block";
  block.sampling = Sampling::jittered;
  block.particles_per_cell = row.particles_per_cell;
  block.seed = 1;
  Box box;
  for (int a = 0; a < row.dim; ++a) {
    const double low = a == 1 ? margin : margin + 0.5 * (inner(static_cast<std::size_t>(a)) - size[a]);
    box.min[a] = row.h * low;
    box.max[a] = row.h * (low + size[a]);
  }
  block.shape = box;
  scene.seeds = {block};

  add_table2_walls(scene);
  return scene;
}

Table2Timing time_row(const Table2Row& row, const Table2Scale& scale, std::string_view solver,
                      const SolverOptions& options) {
  const double fewer = fewer_of(row, scale);
  const Scene scene = table2_scene(row, fewer);
  Table2Timing timing = time_steps(row, scene, sheared(scene), fewer,
                                   {.steps = scale.steps, .repeat = scale.repeat}, solver, options);
  timing.yielding = yielding_share(timing.last, timing.particles);
  return timing;
}

}  // namespace repose::experiments::klar2016
