#include "experiments/liu2021/fig02_sand/block.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/pile.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace repose::experiments::liu2021 {

namespace {

constexpr double printed_lambda = 2.04e6;  ///< [Liu21 §4.1]
constexpr double printed_mu = 1.36e5;
constexpr std::int64_t frames_between_looks = 10;

const Box& block_of(const Scene& scene) { return std::get<Box>(scene.seeds.front().shape); }

metrics::Axis middle(const Scene& scene) {
  const Box& block = block_of(scene);
  return {.dim = 2, .foot = Point(0.5 * (block.min.x() + block.max.x()), 2.0 * scene.grid.h, 0.0), .up = 1};
}

Heap heap_of(const Snapshot& state, const Scene& scene, double time) {
  const auto places = metrics::positions(state, scene.dim());
  const metrics::Axis axis = middle(scene);
  const double fall = std::sqrt(2.0 * scene.gravity.norm() * scene.grid.h);
  std::size_t moving = 0;
  for (std::size_t p = 0; p < places.size(); ++p)
    moving += crosscheck::point(state.get(field::v), p).norm() > fall ? 1U : 0U;
  return {.time = time,
          .height = metrics::height(places, axis, 3.0 * scene.grid.h).percentile_98,
          .runout = metrics::runout(places, axis).percentile_98,
          .moving = static_cast<double>(moving) / static_cast<double>(places.size())};
}

double largest_speed(const Snapshot& state) {
  double largest = 0.0;
  for (std::size_t p = 0; p < state.particles(); ++p)
    largest = std::max(largest, crosscheck::point(state.get(field::v), p).norm());
  return largest;
}

}  // namespace

Scene block_scene(const BlockCase& chosen) {
  Scene scene = load_scene(figure_file("liu2021/fig02_sand/fig02_sand.toml"));
  Material& material = scene.materials.front();
  if (chosen.printed_lambda) {
    constexpr double sum = printed_lambda + printed_mu;
    material.youngs_modulus = printed_mu * (3.0 * printed_lambda + 2.0 * printed_mu) / sum;
    material.poisson_ratio = printed_lambda / (2.0 * sum);
  }
  if (chosen.sample > 0) {
    scene.seeds.front().sampling = Sampling::jittered;
    scene.seeds.front().seed += chosen.sample - 1;
  }
  validate(scene);
  return scene;
}

BlockRun drop_block(const BlockCase& chosen, const FigureRequest& request, const std::string& label) {
  const Scene scene = block_scene(chosen);
  const StepControl control(scene);
  const auto beside = make_solver(request.solver, scene, request.options);
  BlockRun run;
  RunWatch watch;
  Snapshot last;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    if (frame % frames_between_looks != 0) return Go::on;
    last = solver.save(boundary::step_start, false);
    run.heaps.push_back(heap_of(last, scene, solver.time()));
    const WallNodes seen = look_at_walls(*beside, scene, last, control.bound(largest_speed(last)).dt);
    if (seen.nodes > 0) run.walls.push_back(seen);
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label}, watch);
  run.chosen = chosen;
  run.grains = metrics::positions(last, scene.dim());
  run.hardening = last.get(field::q).value;
  const double drop = block_of(scene).min.y() - 2.0 * scene.grid.h;
  run.fall_speed = std::sqrt(2.0 * scene.gravity.norm() * drop);
  // A wall acts on the nodes behind it: a particle comes in by less than a cell.
  const double edge = scene.grid.h;
  const Point far = scene.grid.domain_max();
  for (const Point& at : run.grains)
    if (at.x() < edge || at.y() < edge || at.x() > far.x() - edge || at.y() > far.y() - edge) ++run.outside;
  return run;
}

}  // namespace repose::experiments::liu2021
