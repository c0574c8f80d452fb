#include "experiments/klar2016/fig13_friction_angle/column.h"

#include "experiments/run/interrupt.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/random.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/metrics/extremes.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace repose::experiments::klar2016 {

namespace {

/// How long the sand must be at rest [s].
constexpr double rest_hold = 0.05;
/// h of the printed Δt [m]: other spacings take the step of the same c Δt/h.
constexpr double printed_spacing = 0.001;

}  // namespace

Setup setup(Preset preset) {
  // Every spacing divides the domain and puts a plane of nodes at y = 0. The controller's step is c Δt/h = 0.6; a run at
  // half of it takes twice as long. At smoke the seeds' scatter would hide how a second halving differs from the first.
  if (preset == Preset::smoke) {
    return {.spacing = 0.004, .particles_per_cell = 4.0, .reference_frames = 6, .courants = {0.3}};
  }
  if (preset == Preset::desk) {
    return {.spacing = 0.002, .particles_per_cell = 8.0, .courants = {0.3, 0.15}, .outermost_courant = 0.15};
  }
  return {.spacing = 0.001, .particles_per_cell = 32.0, .courants = {0.3, 0.15}, .outermost_courant = 0.15};
}

Scene column_scene(const Setup& setup, double friction_angle_deg, std::uint64_t seed) {
  Scene scene = load_scene(figure_file("klar2016/fig13_friction_angle/fig13_friction_angle.toml"));
  const Point extent = scene.grid.domain_max() - scene.grid.domain_min;
  scene.grid.h = setup.spacing;
  for (int axis = 0; axis < scene.dim(); ++axis) {
    scene.grid.cells[static_cast<std::size_t>(axis)] = std::llround(extent[axis] / setup.spacing);
  }
  scene.step.max_dt *= setup.spacing / printed_spacing;
  scene.materials.front().friction.h0 = friction_angle_deg * degree;
  scene.seeds.front().particles_per_cell = setup.particles_per_cell;
  scene.seeds.front().seed = seed;
  scene.title += fmt::format(", friction angle {}°", friction_angle_deg);
  validate(scene);
  return scene;
}

Column column_of(const Scene& scene) {
  const auto& cylinder = std::get<Cylinder>(scene.seeds.front().shape);
  const auto& ground = std::get<HalfSpace>(scene.colliders.front().shape);
  Column column;
  column.axis.foot = Point(cylinder.centre.x(), ground.point.y(), cylinder.centre.z());
  column.radius = cylinder.radius;
  column.height = 2.0 * cylinder.half_length;
  return column;
}

namespace {

PileShape shape_of(const Snapshot& state, const Column& column, double h) {
  const auto x = metrics::positions(state, 3);
  return {.runout = metrics::runout(x, column.axis),
          .height = metrics::height(x, column.axis, 2.0 * h),
          .motion = metrics::motion(state, 3)};
}

/// Surface, flanks, foot and inside of the pile at the end.
void measure_surface(Collapse& run, const Snapshot& start, const Column& column) {
  const auto& volume = start.get(field::volume).value;
  const double h = run.scene.grid.h;
  metrics::Bins bins{.ring_width = h, .layer_height = 0.5 * h};
  run.profile = metrics::profile(run.grains, volume, column.axis, bins);
  const double base = run.end().runout.percentile_98;
  run.flank = metrics::flank(run.profile, base);
  run.foot = metrics::foot_radius(run.profile);
  const auto at_start = metrics::positions(start, 3);
  const auto start_profile = metrics::profile(at_start, volume, column.axis, bins);
  const double within = column.radius - h;
  run.loosening = metrics::bulk_fill(at_start, volume, column.axis, start_profile, h, within) /
                      metrics::bulk_fill(run.grains, volume, column.axis, run.profile, h, within) -
                  1.0;
  run.grains_inside =
      static_cast<std::size_t>(std::count_if(run.grains.begin(), run.grains.end(), [&](const Point& x) {
        const Point from_axis = x - column.axis.foot;
        return std::hypot(from_axis.x(), from_axis.z()) < within;
      }));
  run.gap = metrics::ground_gap(run.grains, column.axis, column.radius + h);
  bins.sectors = 4;
  for (int sector = 0; sector < 4; ++sector) {
    bins.sector = sector;
    const auto quarter = metrics::profile(run.grains, volume, column.axis, bins);
    run.sector_angle[static_cast<std::size_t>(sector)] = metrics::flank(quarter, base).angle;
  }
}

/// Moves every position by one rounding, up or down along each axis.
void nudge(Snapshot& start, double rounding, std::uint64_t seed) {
  Random random(seed);
  for (double& x : start.get(field::x).value) {
    const double sign = random.unit() < 0.5 ? -1.0 : 1.0;
    x += sign * rounding;
  }
}

}  // namespace

double Collapse::fall_energy() const {
  const metrics::Motion& start = frames.front().motion;
  return start.mass * scene.gravity.norm() * (start.centre.y() - column_of(scene).axis.foot.y());
}

Collapse collapse(const Scene& scene, double friction_angle_deg, const CollapseSettings& settings) {
  Collapse run;
  run.friction_angle_deg = friction_angle_deg;
  run.seed = scene.seeds.front().seed;
  run.solver = settings.solver;
  run.scene = scene;
  run.provenance = provenance(scene, settings.solver, settings.options);
  const Column column = column_of(scene);
  const double h = scene.grid.h;

  const auto solver = make_solver(settings.solver, scene, settings.options);
  Snapshot start = [&] {
    const NothingToKeep nothing_yet;
    return sample(scene);
  }();
  if (settings.nudged_by_seed != 0) nudge(start, solver->rounding().position, settings.nudged_by_seed);
  const auto& volume = start.get(field::volume).value;
  run.start_volume = std::accumulate(volume.begin(), volume.end(), 0.0);
  run.grains_at_start = start.particles();
  solver->load(start);

  const double drop = metrics::motion(start, 3).centre.y() - column.axis.foot.y();
  metrics::RestCriterion rest(drop, scene.gravity.norm(), column_rest_share, rest_hold);
  const double speed = wave_speed(scene.materials.front());
  Snapshot last = start;
  Observers observers;
  observers.step = [&](const StepRecord& step) {
    run.courant = metrics::larger(run.courant, speed * step.report.dt / h);
  };
  observers.frame = [&](std::int64_t frame, const Solver& at) {
    last = at.save(boundary::step_start, false);
    run.frame_time.push_back(at.time());
    run.frames.push_back(shape_of(last, column, h));
    // The column stands still at the start too.
    if (frame > 0 && rest.update(at.time(), run.frames.back().motion)) return Go::stop;
    return Go::on;
  };
  try {
    run.summary = simulate(
        *solver, scene, {.frames = settings.frames, .progress = settings.progress, .label = settings.label},
        observers);
  } catch (const SimulationError& error) {
    if (!settings.keep_failure) throw;
    run.failure = error.what();
  }
  run.rest_time = rest.rest_since();
  run.provenance.wall_seconds = run.summary.wall_seconds;
  run.provenance.particle_steps_per_s = run.summary.particle_steps_per_s();
  run.provenance.peak_memory_bytes = run.summary.peak_memory_bytes;
  run.grains = metrics::positions(last, 3);
  measure_surface(run, start, column);
  return run;
}

}  // namespace repose::experiments::klar2016
