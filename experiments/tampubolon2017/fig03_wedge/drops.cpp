#include "experiments/tampubolon2017/fig03_wedge/drops.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/cone.h"
#include "validation/metrics/pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double dry_modulus = 1.9e4;  ///< Table 2, dry wedge [Pa]

/// Neighbours are no further apart than h at the start; the kernel of neither reaches further than the torn ones are apart.
constexpr double torn = 1.5;  ///< [h]

WedgeFrame wedge_frame(const std::vector<Point>& grains, const std::vector<GrainPair>& pairs,
                       const Scene& scene, double time) {
  const double apart = torn * scene.grid.h;
  const int half_full = static_cast<int>(scene.seeds.front().particles_per_cell / 2.0);
  WedgeFrame frame{.time = time,
                   .clumps = {clumps_of_cells(grains, scene, 1), clumps_of_cells(grains, scene, half_full),
                              clumps_of_pairs(grains, scene, pairs, apart)},
                   .kept = pairs_kept(grains, pairs, apart)};
  for (const Point& x : grains) {
    frame.spread += std::abs(x.x()) / static_cast<double>(grains.size());
    frame.farthest = std::max(frame.farthest, std::abs(x.x()));
  }
  return frame;
}

bool is_drawn(double time, double end) {
  return std::abs(time - 0.2) < 1e-6 || std::abs(time - 0.4) < 1e-6 || time > end - 1e-6;
}

}  // namespace

WedgeSetup wedge_setup(Preset preset) {
  if (preset == Preset::smoke)
    return {.spacing = 0.015, .duration = 0.4, .tips = {0.0, 0.01}, .seeds = {1, 2}};
  WedgeSetup setup{.tips = {0.0, 0.002, 0.005, 0.01}, .seeds = {1, 2, 3}};
  if (preset == Preset::paper) setup.spacing = 0.003;
  return setup;
}

std::vector<WedgeCase> wedge_cases(const WedgeSetup& setup) {
  std::vector<WedgeCase> cases;
  for (const std::uint64_t seed : setup.seeds) {
    cases.push_back({.integrator = Integrator::explicit_, .youngs_modulus = dry_modulus, .seed = seed});
    for (const Integrator integrator : {Integrator::semi_implicit, Integrator::explicit_})
      for (const double tip : setup.tips)
        cases.push_back({.tip = tip, .integrator = integrator, .seed = seed});
  }
  return cases;
}

Scene wedge_scene(const WedgeSetup& setup, const WedgeCase& chosen) {
  Scene scene = load_scene(figure_file("tampubolon2017/fig03_wedge/fig03_wedge.toml"));
  set_spacing(scene, setup.spacing);
  scene.duration = setup.duration;
  if (chosen.integrator == Integrator::explicit_) scene.step.max_dt = 1e-4;
  mpm_options(scene).integrator = chosen.integrator;
  Material& sand = scene.materials.front();
  sand.youngs_modulus = chosen.youngs_modulus;
  const Lame moduli = lame(sand);
  // e_c = c_C/(α (dλ + 2μ))                                                         [ERRATA T18]
  sand.cohesion =
      chosen.tip * mechanics::cone_slope(sand.friction.h0) * (scene.dim() * moduli.lambda + 2.0 * moduli.mu);
  scene.seeds.front().seed += chosen.seed - 1;
  validate(scene);
  return scene;
}

std::string_view series_of(const WedgeCase& chosen) {
  if (chosen.youngs_modulus == dry_modulus) return "dry";
  return chosen.integrator == Integrator::explicit_ ? "explicit" : "semi_implicit";
}

std::string label_of(const WedgeCase& chosen) {
  return fmt::format("{}, e_c {:g}, seed {}", series_of(chosen), chosen.tip, chosen.seed);
}

WedgeRun drop_on_wedge(const WedgeSetup& setup, const WedgeCase& chosen, const FigureRequest& request) {
  const Scene scene = wedge_scene(setup, chosen);
  WedgeRun run;
  std::vector<GrainPair> pairs;
  RunWatch watch;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    const std::vector<Point> grains =
        metrics::positions(solver.save(boundary::step_start, false), scene.dim());
    if (frame == 0) pairs = neighbours_within(grains, scene.grid.h);
    run.frames.push_back(wedge_frame(grains, pairs, scene, solver.time()));
    if (is_drawn(solver.time(), scene.duration)) run.grains.push_back(grains);
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label_of(chosen)}, watch);
  run.chosen = chosen;
  return run;
}

}  // namespace repose::experiments::tampubolon2017
