#include "experiments/tampubolon2017/sec434_volume_drop/dropped_block.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/pile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double floor_at = 0.1;      ///< [m]
constexpr double block_height = 0.4;  ///< [m]

DropFrame drop_frame(const Snapshot& state, const Scene& scene, double time) {
  const auto& v_c = state.get(field::v_c).value;
  const double fall = std::sqrt(2.0 * scene.gravity.norm() * scene.grid.h);
  DropFrame frame;
  frame.time = time;
  for (std::size_t p = 0; p < v_c.size(); ++p) {
    frame.fill += 2.0 * (crosscheck::point(state.get(field::x), p).y() - floor_at) / block_height;
    frame.v_c += v_c[p];
    frame.held += v_c[p] > 0.0 ? 1.0 : 0.0;
    frame.moving += crosscheck::point(state.get(field::v), p).norm() > fall ? 1.0 : 0.0;
  }
  const auto all = static_cast<double>(v_c.size());
  for (double* sum : {&frame.fill, &frame.v_c, &frame.held, &frame.moving}) *sum /= all;
  return frame;
}

}  // namespace

DropSetup drop_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacings = {0.04}};
  if (preset == Preset::desk) return {.spacings = {0.04, 0.02}, .readable = true};
  return {.spacings = {0.04, 0.02, 0.01}, .readable = true};
}

std::vector<DropCase> drop_cases(const DropSetup& setup) {
  std::vector<DropCase> cases;
  for (const double spacing : setup.spacings)
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic}) {
      const DropCase usual{.kernel = kernel, .spacing = spacing};
      const auto add = [&](auto&& change) {
        DropCase one = usual;
        change(one);
        cases.push_back(one);
      };
      add([](DropCase&) {});
      add([](DropCase& c) { c.corrects = false; });
      add([](DropCase& c) { c.hardens = true; });
      add([](DropCase& c) {
        c.hardens = true;
        c.apart = HardeningApart::opening_and_closing;
      });
      if (spacing != setup.spacings.front()) continue;
      add([](DropCase& c) { c.apart = HardeningApart::opening_and_closing; });
      add([](DropCase& c) { c.step_share = 0.5; });
      if (setup.readable) add([](DropCase& c) { c.readable = true; });
    }
  return cases;
}

Scene drop_scene(const DropCase& chosen) {
  Scene scene = load_scene(figure_file("tampubolon2017/sec434_volume_drop/sec434_volume_drop.toml"));
  set_spacing(scene, chosen.spacing);
  MpmOptions& options = mpm_options(scene);
  options.kernel = chosen.kernel;
  options.elastic_bound = (chosen.kernel == Kernel::cubic ? 0.6 : 0.5) * chosen.step_share;
  Material& sand = scene.materials.front();
  sand.volume_correction = chosen.corrects;
  sand.hardening_apart = chosen.apart;
  if (chosen.hardens)
    sand.friction = {.h0 = 35.0 * degree, .h1 = 9.0 * degree, .h2 = 0.2, .h3 = 10.0 * degree};
  validate(scene);
  return scene;
}

double DropRun::opened() const {
  double most = 0.0;
  for (const DropFrame& frame : frames) most = std::max(most, frame.v_c);
  return most;
}

DropRun drop_once(const DropCase& chosen, const FigureRequest& request, const std::string& label) {
  const Scene scene = drop_scene(chosen);
  DropRun run;
  Snapshot last;
  RunWatch watch;
  watch.frame = [&](std::int64_t, const Solver& solver) {
    last = solver.save(boundary::step_start, false);
    run.frames.push_back(drop_frame(last, scene, solver.time()));
    return Go::on;
  };
  static_cast<SceneRun&>(run) =
      run_scene(scene, chosen.readable ? with_readable_solver(request) : request, {.label = label}, watch);
  run.chosen = chosen;
  run.grains = metrics::positions(last, scene.dim());
  run.v_c = last.get(field::v_c).value;
  const auto& q = last.get(field::q).value;
  run.hardening = std::accumulate(q.begin(), q.end(), 0.0) / static_cast<double>(q.size());
  return run;
}

}  // namespace repose::experiments::tampubolon2017
