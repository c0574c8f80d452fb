#include "experiments/klar2016/fig17_apic_vs_flip/transfers.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/metrics/extremes.h"
#include "validation/metrics/motion.h"
#include "validation/metrics/unseen_motion.h"

namespace repose::experiments::klar2016 {

TransferSetup transfer_setup(Preset preset) {
  // 0.29, 0.82, 1.05 and 1.47 are c Δt/h of explicit rows of Table 2; 0.6 is the controller's bound.
  if (preset == Preset::smoke) {
    return {.spacing = 0.032,
            .duration = 2.0,
            .seeds = {1, 2},
            .bounds = {0.6, 1.05},
            .particles_per_cell = {4.0}};
  }
  TransferSetup setup{
      .seeds = {1, 2, 3}, .bounds = {0.29, 0.6, 0.82, 1.05, 1.47}, .particles_per_cell = {4.0, 16.0}};
  if (preset == Preset::paper) {
    setup.seeds = {1, 2, 3, 4, 5, 6};
    setup.particles_per_cell.push_back(36.0);
  }
  return setup;
}

Scene transfer_scene(const TransferSetup& setup, const TransferCase& chosen) {
  Scene scene = load_scene(figure_file("klar2016/fig17_apic_vs_flip/fig17_apic_vs_flip.toml"));
  set_spacing(scene, setup.spacing);
  scene.duration = setup.duration;
  MpmOptions& options = mpm_options(scene);
  options.transfer = chosen.transfer;
  options.flip_share = blend_share;
  options.elastic_bound = chosen.elastic_bound;
  scene.emitters.front().seed = chosen.seed;
  scene.emitters.front().particles_per_cell = chosen.particles_per_cell;
  validate(scene);
  return scene;
}

TransferRun pour(const TransferSetup& setup, const TransferCase& chosen, const FigureRequest& request,
                 const std::string& label) {
  const Scene scene = transfer_scene(setup, chosen);
  TransferRun run;
  run.chosen = chosen;
  run.pile = inflow_pile(scene);
  const double limit = unstable_speed * run.pile.fall_speed;
  double time = 0.0;
  RunWatch watch;
  watch.step = [&](const StepRecord& record, const Solver&) {
    time = record.time + record.report.dt;
    run.fastest = metrics::larger(run.fastest, record.report.max_speed);
    if (run.unstable_since < 0.0 && !(record.report.max_speed <= limit)) run.unstable_since = record.time;
  };
  watch.frame = [&](std::int64_t, const Solver& solver) {
    const Snapshot state = solver.save(boundary::step_start, false);
    const UnseenMotion unseen = unseen_motion(state, scene);
    const auto x = metrics::positions(state, scene.dim());
    run.frames.push_back({.time = solver.time(),
                          .kinetic_energy = unseen.kinetic_energy,
                          .unseen_energy = unseen.unseen_energy,
                          .unseen_speed = unseen.root_mean_square(),
                          .max_speed = metrics::motion(state, scene.dim()).max_speed});
    run.mass = unseen.mass;
    run.grains.clear();
    for (std::size_t p = 0; p < x.size(); ++p) run.grains.push_back({x[p], unseen.speed[p]});
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label, .keep_failure = true}, watch);
  if (run.failure && run.unstable_since < 0.0) run.unstable_since = time;
  return run;
}

}  // namespace repose::experiments::klar2016
