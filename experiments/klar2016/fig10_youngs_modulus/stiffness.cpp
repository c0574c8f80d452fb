#include "experiments/klar2016/fig10_youngs_modulus/stiffness.h"

#include "reference/interface/scene_file/scene_file.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::experiments::klar2016 {

namespace {

constexpr double printed_spacing = 0.016;  ///< h of the printed Δt [m]
constexpr double rest_share = 1e-5;        ///< kinetic energy at rest over fall energy, as in figure 13
constexpr double rest_hold = 0.1;          ///< how long it must stay so [s]

}  // namespace

StiffnessSetup stiffness_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacing = 0.032, .duration = 1.5, .repeats = {2, 3}};
  if (preset == Preset::desk) return {.repeats = {2, 3}};
  return {.duration = 6.0, .repeats = {2, 3, 4, 5, 6}};
}

Scene stiffness_scene(const StiffnessSetup& setup, double youngs_modulus, std::uint64_t seed) {
  Scene scene = load_scene(figure_file("klar2016/fig10_youngs_modulus/fig10_youngs_modulus.toml"));
  set_spacing(scene, setup.spacing);
  scene.step.max_dt *= setup.spacing / printed_spacing;
  scene.duration = setup.duration;
  scene.materials.front().youngs_modulus = youngs_modulus;
  scene.emitters.front().seed = seed;
  validate(scene);
  return scene;
}

double StiffnessRun::fall_energy() const { return pile.mass * scene.gravity.norm() * pile.drop; }

StiffnessRun pour(const StiffnessSetup& setup, double youngs_modulus, std::uint64_t seed,
                  const FigureRequest& request) {
  const Scene scene = stiffness_scene(setup, youngs_modulus, seed);
  StiffnessRun run;
  run.youngs_modulus = youngs_modulus;
  run.seed = seed;
  run.pile = inflow_pile(scene);
  const double g = scene.gravity.norm();
  metrics::RestCriterion rest(run.pile.drop, g, rest_share, rest_hold);
  Snapshot last;
  RunWatch watch;
  watch.step = [&](const StepRecord&, const Solver& solver) {
    last = solver.save(boundary::step_start, false);
    const metrics::Motion motion = metrics::motion(last, scene.dim());
    StiffnessSample sample{.time = solver.time(),
                           .centre = motion.centre.y() - run.pile.axis.foot.y(),
                           .stored = stored_energy(last, scene),
                           .kinetic = motion.kinetic_energy};
    sample.total = sample.stored + sample.kinetic + motion.mass * g * sample.centre;
    run.samples.push_back(sample);
    run.mass = motion.mass;
    if (sample.time > run.pile.landed) rest.update(sample.time, motion);
  };
  watch.frame = [&](std::int64_t, const Solver& solver) {
    const double time = solver.time();
    const double next[]{run.pile.landed, run.pile.landed + 0.25, scene.duration};
    if (run.pictures.size() < std::size(next) && time >= next[run.pictures.size()] - 1e-9) {
      run.pictures.push_back({time, metrics::positions(last, scene.dim())});
    }
    return Go::on;
  };
  const std::string label = fmt::format("E {:g} Pa seed {}", youngs_modulus, seed);
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = label}, watch);
  run.rest_time = rest.rest_since();
  const auto x = metrics::positions(last, scene.dim());
  run.height = metrics::height(x, run.pile.axis, 2.0 * scene.grid.h).percentile_98;
  run.runout = metrics::runout(x, run.pile.axis).percentile_98;
  return run;
}

double visible(const StiffnessRun& run) { return 0.1 * run.scene.grid.h; }

namespace {

Oscillation swing(const StiffnessRun& run, double StiffnessSample::*quantity, double scale,
                  double threshold) {
  std::vector<double> values;
  for (const StiffnessSample& sample : run.samples) {
    if (sample.time >= run.pile.landed) values.push_back(scale * sample.*quantity);
  }
  return oscillation(values, threshold);
}

}  // namespace

bool still_bounces(const StiffnessRun& run) {
  std::vector<double> times;  // as bounce() counts them
  for (const StiffnessSample& sample : run.samples) {
    if (sample.time >= run.pile.landed) times.push_back(sample.time);
  }
  double last = run.pile.landed;
  double longest = 0.0;
  const Oscillation swings = bounce(run);
  for (const std::size_t start : swings.starts) {
    longest = std::max(longest, times[start] - last);
    last = times[start];
  }
  return swings.rises > 0 && times.back() - last <= longest;
}

Oscillation bounce(const StiffnessRun& run) {
  return swing(run, &StiffnessSample::centre, 1.0, visible(run));
}

Oscillation energy_swing(const StiffnessRun& run) {
  // As a share: the energy that lifts all sand by what can be seen.
  return swing(run, &StiffnessSample::stored, 1.0 / run.fall_energy(), visible(run) / run.pile.drop);
}

}  // namespace repose::experiments::klar2016
