#include "experiments/klar2016/fig10_youngs_modulus/youngs_modulus.h"

#include "experiments/klar2016/fig10_youngs_modulus/judge.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig10_youngs_modulus";

void write_tables(const StiffnessSeries& series, const std::filesystem::path& folder) {
  std::string metrics =
      "youngs_modulus_Pa,seed,solver,particles,steps,courant,height_m,runout98_m,bounce_amplitude_m,bounce_"
      "count,energy_swing,rest_time_s,newton_iterations,gmres_iterations,step_cuts,wall_s,"
      "landed_s,visible_m\n";
  std::string history =
      "youngs_modulus_Pa,time_s,centre_height_m,stored_energy,kinetic_energy,total_energy\n";
  std::string grains = "youngs_modulus_Pa,time_s,x_m,y_m,diameter_m\n";
  const auto row = [&](const StiffnessRun& run) {
    metrics += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", run.youngs_modulus, run.seed, run.solver,
        run.summary.particles, run.summary.steps, run.courant, run.height, run.runout, bounce(run).amplitude,
        bounce(run).rises, energy_swing(run).amplitude, run.rest_time,
        run.summary.total.counts[counter::newton_iterations],
        run.summary.total.counts[counter::gmres_iterations], run.summary.total.counts[counter::step_cuts],
        run.provenance.wall_seconds, run.pile.landed, visible(run));
  };
  for (const StiffnessRun& run : series.moduli) {
    row(run);
    for (const StiffnessSample& sample : run.samples) {
      history += fmt::format("{},{:.6g},{:.6g},{:.5g},{:.5g},{:.6g}\n", run.youngs_modulus, sample.time,
                             sample.centre, sample.stored / run.fall_energy(),
                             sample.kinetic / run.fall_energy(), sample.total / run.fall_energy());
    }
    const double diameter = run.scene.grid.h / std::sqrt(run.scene.emitters.front().particles_per_cell);
    for (const StiffnessPicture& picture : run.pictures) {
      for (const Point& x : picture.at) {
        grains += fmt::format("{},{:.4g},{:.6g},{:.6g},{:.4g}\n", run.youngs_modulus, picture.time, x.x(),
                              x.y(), diameter);
      }
    }
  }
  for (const StiffnessRun& run : series.repeats) row(run);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "history.csv", history);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const StiffnessSetup setup = stiffness_setup(request.preset);
  StiffnessSeries series;
  FigureResult result;
  result.interrupted = true;
  for (const double modulus : youngs_moduli) {
    series.moduli.push_back(pour(setup, modulus, 1, request));
    if (series.moduli.back().summary.interrupted) return result;
  }
  for (const std::uint64_t seed : setup.repeats) {
    series.repeats.push_back(pour(setup, youngs_moduli.back(), seed, request));
    if (series.repeats.back().summary.interrupted) return result;
  }
  result.interrupted = false;
  result.numbers = judge(series);
  write_tables(series, request.folder);
  std::vector<const SceneRun*> all;
  for (const StiffnessRun& one : series.moduli) all.push_back(&one);
  for (const StiffnessRun& one : series.repeats) all.push_back(&one);
  result.provenance = record_runs(all, id, request);
  add_plots(
      result, "klar2016/fig10_youngs_modulus/plot.py", request,
      {{.file = "piles.png",
        .caption = "The sand when the last of it lands, a quarter of a second later, and at the end.",
        .alt = "Twelve pictures of sand in two dimensions: a row for each Young's modulus from 1000 to a "
               "million "
               "pascal, a column for each of three times."},
       {.file = "bounce.png",
        .caption = "Height of the centre of mass and stored energy over time.",
        .alt = "Left: height of the centre of mass in millimetres against time in seconds, one curve per "
               "Young's "
               "modulus. Right: stored elastic energy over the energy of the fall, on a logarithmic scale."},
       {.file = "convergence.png",
        .caption =
            fmt::format("Bounce, final height and run-out against Young's modulus; from c Δt/h {:.2g} in {} "
                        "steps to {:.2g} in {}.",
                        series.moduli.front().courant, series.moduli.front().summary.steps,
                        series.moduli.back().courant, series.moduli.back().summary.steps),
        .alt =
            "Left: largest rise of the centre of mass in millimetres against Young's modulus, on logarithmic "
            "scales; that of the rise is linear at its foot, so that it begins with 0. Right: final height "
            "and run-out in millimetres against Young's modulus."}});
  return result;
}

}  // namespace

Figure youngs_modulus() {
  return {
      .id = id,
      .title = "Young's modulus and the bounce of sand",
      .method = method::mpm.name,
      .starred = true,
      .claim =
          "Sand is poured on the ground with Young's moduli from 1000 to a million pascal. Very soft sand "
          "bounces; with rising modulus it behaves like sand and no longer changes.",
      .smoke = "h 32 mm, 190 particles, 6 runs; some seconds",
      .desk =
          "the paper's 256 × 64 cells of 16 mm, Δt 7.5e-4 s, 740 particles; 6 runs of 3 s; about 3 minutes",
      .paper = "as desk, 9 runs of 6 s; about 10 minutes",
      .run = run};
}

}  // namespace repose::experiments::klar2016
