#include "experiments/klar2016/table2_performance/block.h"

#include "experiments/bench/disturbance.h"
#include "experiments/bench/statistics.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr int margin = 4;           // cells between walls and the domain's border
constexpr double shear_rate = 2.0;  // γ̇ [1/s]

Material material_of(const Table2Row& row) {
  Material m;
  m.name = "sand";
  m.density = row.density;
  m.youngs_modulus = row.youngs_modulus;
  m.poisson_ratio = 0.3;
  m.friction = row.friction;
  return m;
}

void add_wall(Scene& scene, const char* name, const Point& point, const Point& normal) {
  Collider wall;
  wall.name = name;
  wall.shape = HalfSpace{point, normal};
  wall.friction = 0.5;
  scene.colliders.push_back(wall);
}

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
  scene.materials = {material_of(row)};
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

  const double low = row.h * margin;
  const auto high = [&](std::size_t a) { return row.h * static_cast<double>(grid.cells[a] - margin); };
  add_wall(scene, "floor", Point(0.0, low, 0.0), Point::UnitY());
  add_wall(scene, "west", Point(low, 0.0, 0.0), Point::UnitX());
  add_wall(scene, "east", Point(high(0), 0.0, 0.0), -Point::UnitX());
  if (three) {
    add_wall(scene, "back", Point(0.0, 0.0, low), Point::UnitZ());
    add_wall(scene, "front", Point(0.0, 0.0, high(2)), -Point::UnitZ());
  }
  return scene;
}

CountRange allowed_count(const Table2Row& row, const Scene& scene) {
  const Box& sand = std::get<Box>(scene.seeds.front().shape);
  const double spacing = row.h / std::pow(row.particles_per_cell, 1.0 / row.dim);
  CountRange range;
  for (int axis = 0; axis < row.dim; ++axis) {
    const double along = (sand.max[axis] - sand.min[axis]) / spacing;
    range.least *= 1.0 - 0.5 / along;
    range.most *= 1.0 + 0.5 / along;
  }
  return range;
}

Table2Timing time_row(const Table2Row& row, const Table2Scale& scale, std::string_view solver,
                      const SolverOptions& options) {
  Table2Timing timing;
  timing.row = &row;
  timing.fewer = fewer_of(row, scale);
  timing.scene = table2_scene(row, timing.fewer);
  Snapshot state = sample(timing.scene);
  timing.particles = state.particles();
  const auto d = static_cast<std::size_t>(row.dim);
  Field& v = state.get(field::v);
  Field& C = state.get(field::C);
  const Field& x = state.get(field::x);
  for (std::size_t p = 0; p < timing.particles; ++p) {
    v.value[d * p] = shear_rate * (x.value[d * p + 1] - row.h * margin);
    C.value[d * d * p + 1] = shear_rate;
  }
  const auto made = make_solver(solver, timing.scene, options);
  made->load(state);
  state = {};
  const StepControl control(timing.scene);
  const auto step = [&] {
    return made->advance([&](double speed) {
      // No step is shortened by the end of a frame: every timed step is as long as the controller lets it be.
      const auto choice = control.next(made->time(), speed, made->time() + 1.0);
      timing.controller_dt = std::max(timing.controller_dt, choice.dt);
      timing.limited_by = choice.limited_by;
      return choice.dt;
    });
  };
  for (int k = 0; k < scale.steps; ++k) step();  // warm-up
  timing.controller_dt = 0.0;
  StepReport last;
  std::vector<double> shares;
  for (int repetition = 0; repetition < scale.repeat; ++repetition) {
    const StretchTimer timer;
    for (int k = 0; k < scale.steps; ++k) last = step();
    const Stretch stretch = timer.stop();
    timing.step_seconds.push_back(stretch.wall / scale.steps);
    shares.push_back(disturbed_share(stretch, options.threads));
  }
  timing.disturbed = spread_of(shares).median;
  timing.yielding = static_cast<double>(last.counts[counter::tip] + last.counts[counter::surface]) /
                    static_cast<double>(timing.particles);
  return timing;
}

double printed_courant(const Table2Row& row) { return wave_speed(material_of(row)) * row.dt / row.h; }

}  // namespace repose::experiments::klar2016
