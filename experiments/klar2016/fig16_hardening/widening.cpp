#include "experiments/klar2016/fig16_hardening/widening.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/extremes.h"
#include "validation/metrics/pile.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>

namespace repose::experiments::klar2016 {

HardeningSetup hardening_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacing = 0.01, .reference_spacing = 0.02, .duration = 0.7};
  if (preset == Preset::desk) return {};
  return {.spacing = 0.0025, .reference_spacing = 0.005};
}

Scene hardening_scene(double spacing, double duration) {
  Scene scene = load_scene(figure_file("klar2016/fig16_hardening/fig16_hardening.toml"));
  set_spacing(scene, spacing);
  scene.duration = duration;
  validate(scene);
  return scene;
}

void add_slips(HardeningRun& run, const Snapshot& before, const Snapshot& after, const Scene& scene) {
  const Material& sand = scene.materials.front();
  const Lame moduli = lame(sand);
  const auto& q = before.get(field::q).value;
  const auto& part = after.get(field::plastic_case).value;
  const std::size_t most = run.slips.size() + 60;
  for (std::size_t p = 0; p < part.size(); ++p) {
    if (part[p] != 3.0) continue;
    const PrincipalStrain strain = principal_strain(after.get(field::F), p, scene.dim());
    const double alpha = cone_slope(hardened_angle(sand.friction, q[p]));
    const double bound = yield_rounding(strain, moduli, alpha, run.rounding);
    run.curve_error =
        metrics::larger(run.curve_error, std::abs(yield_residual(strain, moduli, alpha)) / bound);
    ++run.slipped;
    // For the plot: some of every frame, whose stress tells the angle to a hundredth.
    if (run.slips.size() < most && p % 7 == 0 && bound < 0.01 * strain.deviator_norm()) {
      run.slips.push_back({q[p], friction_angle_of_slope(slope_through(strain, moduli))});
    }
  }
}

HardeningRun collapse_hardening(const Scene& scene, const FigureRequest& request) {
  HardeningRun run;
  const int dim = scene.dim();
  const Lame moduli = lame(scene.materials.front());
  const auto start = metrics::positions(sample(scene), dim);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto nearest = std::min_element(start.begin(), start.end(), [&](const Point& a, const Point& b) {
      return (a - marked_places[k]).norm() < (b - marked_places[k]).norm();
    });
    run.marked[k] = static_cast<std::size_t>(nearest - start.begin());
  }
  // Takes one step more than the run itself.
  const std::unique_ptr<Solver> next = make_solver(request.solver, scene, request.options);
  double dt = 0.0;
  RunWatch watch;
  watch.step = [&](const StepRecord& record, const Solver&) { dt = record.report.dt; };
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    run.rounding = solver.rounding();
    const Snapshot state = solver.save(boundary::step_start, true);
    const auto& q = state.get(field::q).value;
    for (std::size_t p = 0; p < run.q.size(); ++p)
      run.largest_decrease = metrics::larger(run.largest_decrease, run.q[p] - q[p]);
    run.q = q;
    run.x = metrics::positions(state, dim);
    HardeningFrame seen{.time = solver.time(), .marked = {}};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t p = run.marked[k];
      const auto tau = kirchhoff_stress(principal_strain(state.get(field::F), p, dim), moduli);
      seen.marked[k] = {.q = q[p],
                        .friction_angle = hardened_angle(scene.materials.front().friction, q[p]),
                        .at = run.x[p],
                        .tau_1 = tau[0],
                        .tau_2 = tau[1]};
    }
    run.frames.push_back(seen);
    if (frame > 0) {
      next->load(state);
      next->run(boundary::step_start, boundary::plasticity, dt);
      add_slips(run, state, next->save(boundary::plasticity, false), scene);
    }
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = request.solver}, watch);
  return run;
}

}  // namespace repose::experiments::klar2016
