#include "experiments/tampubolon2017/table2_performance/block.h"

#include "experiments/bench/mpm/sheared.h"
#include "experiments/bench/table2_blocks.h"
#include "experiments/run/console.h"
#include "experiments/run/memory_limit.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double drag_by_volume = 1e5;  // c_E of Eq. 13, n² ρ^w g/k̂: of coarse sand [kg m⁻³ s⁻¹]

/// Iterations of Newton's method where a row's energy is the unilateral one: the paper's "a few" [Tam17 §4.2], about as many as rows
/// with Hencky's energy take to their tolerance.
constexpr int few = 3;

ImplicitOptions solve_of(const Table2Row& row) {
  if (!row.sand.unilateral) return {};
  return {.newton_iterations = few, .unconverged = Unconverged::keep};
}

Energy energy_of(const Table2Row& row) { return row.sand.unilateral ? Energy::unilateral : Energy::hencky; }

Seed body(const Table2Row& row, int material, const Point& low, const Point& high) {
  Box box;
  for (int a = 0; a < row.dim; ++a) {
    box.min[a] = row.h * low[a];
    box.max[a] = row.h * high[a];
  }
  Seed seed;
  seed.shape = box;
  seed.material = material;
  seed.name = material == 0 ? "sand" : "water";
  seed.sampling = Sampling::jittered;
  seed.particles_per_cell = row.particles_per_cell;
  seed.seed = static_cast<std::uint64_t>(1 + material);
  return seed;
}

}  // namespace

Table2Scale table2_scale(Preset preset) {
  if (preset == Preset::smoke) return {.fewer = 1000.0, .pace = {.steps = 3, .repeat = 3}};
  if (preset == Preset::desk) return {.fewer = 10.0, .most = 1e5, .pace = {.frames = 1}};
  return {.fewer = 1.0, .pace = {.frames = 10}};
}

double fewer_of(const Table2Row& row, const Table2Scale& scale) {
  constexpr double least = 400.0;
  const double wanted = scale.most > 0.0 ? std::max(scale.fewer, row.particles / scale.most) : scale.fewer;
  return std::max(1.0, std::min(wanted, row.particles / least));
}

Scene table2_scene(const Table2Row& row, double fewer) {
  const bool three = row.dim == 3;
  const double cells = row.particles / (row.particles_per_cell * fewer);
  const double edge = three ? std::cbrt(cells) : std::sqrt(cells);  // of the block, in cells

  Scene scene;
  scene.title = "A block of the size of Table 2's " + row.name;
  if (row.water) {
    scene.scheme = MixtureOptions{.integrator = row.integrator,
                                  .energy = energy_of(row),
                                  .drag = Drag::mesh_consistent,
                                  .kappa = drag_by_volume,
                                  .implicit = solve_of(row)};
  } else {
    const double bound = usual_elastic_bound(Kernel::quadratic);
    scene.scheme = MpmOptions{.kernel = Kernel::quadratic,
                              .integrator = row.integrator,
                              .energy = energy_of(row),
                              .elastic_bound = bound,
                              .implicit = solve_of(row)};
  }
  scene.gravity = Point(0.0, -9.81, 0.0);
  scene.frame_rate = row.frame_rate;
  scene.duration = 10.0 / row.frame_rate;
  scene.step = {.max_dt = row.dt, .cfl = 1.0};
  Grid& grid = scene.grid;
  grid.dim = row.dim;
  grid.h = row.h;
  const int along = static_cast<int>(std::ceil(3.0 * edge)) + 2 * table2_margin;
  const int up = static_cast<int>(std::ceil(1.5 * edge)) + 2 * table2_margin;
  grid.cells = {along, up, three ? along : 1};

  const double middle = 0.5 * (along - edge);
  const Point low(row.water ? table2_margin : middle, table2_margin, three ? middle : 0.0);
  const Point size(edge, edge, three ? edge : 0.0);
  scene.materials = {row.sand};
  if (row.water) {
    const Point half(0.5 * edge, 0.0, 0.0);
    scene.materials.push_back(*row.water);
    scene.seeds = {body(row, 0, low + half, low + size), body(row, 1, low, low + size - half)};
  } else {
    scene.seeds = {body(row, 0, low, low + size)};
  }
  add_table2_walls(scene);
  return scene;
}

std::vector<std::size_t> by_work(std::span<const Table2Row> rows) {
  const auto work = [&](std::size_t k) {
    const Table2Row& row = rows[k];
    return row.particles / row.dt * (!solves(row.integrator) ? 1.0 : row.dim == 3 ? 60.0 : 30.0);
  };
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return work(a) < work(b); });
  return order;
}

Table2Timing time_row(const Table2Row& row, const Table2Scale& scale, const FigureRequest& request) {
  const double fewer = fewer_of(row, scale);
  const Scene scene = table2_scene(row, fewer);
  require_memory(scene, row.name, request.solver, request.options, -1, request.memory_limit_bytes);
  const auto progress = [&](const Table2Progress& at) {
    if (!request.progress) return;
    tell("\r\033[K{}: {}step {}, {:.4f} s", row.name,
         at.frame > 0 ? fmt::format("frame {} of {}, ", at.frame, scale.pace.frames) : std::string(),
         at.steps, at.time);
  };
  Table2Timing timing =
      time_steps(row, scene, sheared(scene), fewer, scale.pace, request.solver, request.options, progress);
  timing.yielding = yielding_share(timing.last, row.water ? timing.particles / 2 : timing.particles);
  return timing;
}

}  // namespace repose::experiments::tampubolon2017
