#include "experiments/klar2016/fig17_apic_vs_flip/apic_vs_flip.h"

#include "experiments/klar2016/fig17_apic_vs_flip/judge.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_names.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig17_apic_vs_flip";

void write_tables(const TransferSeries& series, const std::filesystem::path& folder) {
  std::string metrics =
      "kind,transfer,seed,elastic_bound,particles_per_cell,solver,particles,steps,courant,unseen_share,"
      "unseen_share_at_rest,unseen_speed_at_rest,max_speed_over_free_fall,unstable_since_s,failed,"
      "poured_until_s,fall_speed_m_per_s,unstable_over_free_fall\n";
  std::string history =
      "transfer,seed,time_s,kinetic_energy_J,unseen_energy_J,unseen_speed_m_per_s,max_speed_m_per_s\n";
  std::string grains = "transfer,x_m,y_m,diameter_m,unseen_speed_m_per_s\n";
  const auto row = [&](const TransferRun& run, std::string_view kind) {
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", kind,
                           names::of(run.chosen.transfer, names::transfer), run.chosen.seed,
                           run.chosen.elastic_bound, run.chosen.particles_per_cell, run.solver,
                           run.summary.particles, run.summary.steps, run.courant, unseen_share(run),
                           unseen_share_at_rest(run), unseen_speed_at_rest(run),
                           run.fastest / run.pile.fall_speed, run.unstable_since, run.failure ? 1 : 0,
                           run.pile.poured_until, run.pile.fall_speed, unstable_speed);
  };
  for (const TransferRun& run : series.runs) {
    row(run, "transfer");
    const std::string_view name = names::of(run.chosen.transfer, names::transfer);
    for (const TransferFrame& frame : run.frames) {
      history += fmt::format("{},{},{},{},{},{},{}\n", name, run.chosen.seed, frame.time,
                             frame.kinetic_energy, frame.unseen_energy, frame.unseen_speed, frame.max_speed);
    }
    if (run.chosen.seed != series.runs.front().chosen.seed) continue;
    const double diameter = run.scene.grid.h / std::sqrt(run.chosen.particles_per_cell);
    for (const Grain& grain : run.grains) {
      grains += fmt::format("{},{:.6g},{:.6g},{:.4g},{:.4g}\n", name, grain.at.x(), grain.at.y(), diameter,
                            grain.unseen_speed);
    }
  }
  for (const TransferRun& run : series.cases) row(run, "case");
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "history.csv", history);
  replace_file(folder / "particles.csv", grains);
}

/// Runs everything. @returns false if it was interrupted
bool run_series(TransferSeries& series, const FigureRequest& request) {
  const TransferSetup setup = transfer_setup(request.preset);
  const TransferCase base;
  const auto go = [&](std::vector<TransferRun>& runs, const TransferCase& chosen) {
    runs.push_back(
        pour(setup, chosen, request,
             fmt::format("{} seed {} courant {:g} per cell {:g}", names::of(chosen.transfer, names::transfer),
                         chosen.seed, chosen.elastic_bound, chosen.particles_per_cell)));
    return !runs.back().summary.interrupted;
  };
  for (const Transfer transfer : {Transfer::apic, Transfer::flip, Transfer::flip_pic, Transfer::pic}) {
    for (const std::uint64_t seed : setup.seeds) {
      if (!go(series.runs, {.transfer = transfer, .seed = seed})) return false;
    }
  }
  for (const double bound : setup.bounds) {
    for (const double per_cell : setup.particles_per_cell) {
      if (bound == base.elastic_bound && per_cell == base.particles_per_cell) continue;  // done above
      for (const Transfer transfer : {Transfer::apic, Transfer::flip}) {
        const TransferCase chosen{
            .transfer = transfer, .elastic_bound = bound, .particles_per_cell = per_cell};
        if (!go(series.cases, chosen)) return false;
      }
    }
  }
  return true;
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  TransferSeries series;
  FigureResult result;
  result.interrupted = !run_series(series, request);
  if (result.interrupted) return result;
  result.numbers = judge(series);
  write_tables(series, request.folder);
  std::vector<const SceneRun*> all;
  for (const TransferRun& run : series.runs) all.push_back(&run);
  for (const TransferRun& run : series.cases) all.push_back(&run);
  result.provenance = record_runs(all, id, request);
  add_plots(
      result, "klar2016/fig17_apic_vs_flip/plot.py", request,
      {{.file = "piles.png",
        .caption = "The sand at the end, coloured by the part of its velocity that the grid cannot see.",
        .alt = "Four piles of sand in two dimensions, one per transfer: APIC, FLIP, the blend and PIC. The "
               "colour "
               "of each particle is its unseen speed on a logarithmic scale."},
       {.file = "unseen.png",
        .caption = "Unseen velocity over time, and its share of the kinetic energy.",
        .alt = "Left: root mean square of the unseen velocity in metres per second against time in seconds "
               "for the "
               "four transfers, a band for the seeds. Right: the same as a share of the kinetic energy."},
       {.file = "speeds.png",
        .caption = "Largest speed over time against free fall, and the cases tried for stability.",
        .alt =
            "Left: largest particle speed against time with the speed of free fall as a line. Right: largest "
            "speed over free fall for APIC and FLIP at several time steps and numbers of particles."}});
  return result;
}

}  // namespace

Figure apic_vs_flip() {
  return {
      .id = id,
      .title = "Particle velocities under APIC and FLIP",
      .method = method::mpm.name,
      .starred = true,
      .claim =
          "Sand is poured into a pile. With the same material and time step, FLIP gathers velocities on its "
          "particles that the grid cannot see and may go unstable; APIC does not.",
      .smoke = "h 32 mm, 625 particles, 4 transfers, 2 seeds; some seconds",
      .desk =
          "256 × 64 cells of 16 mm, 2500 and 10 000 particles, 4 transfers, 3 seeds, 9 more cases of APIC "
          "and FLIP; about 2 "
          "minutes",
      .paper =
          "as desk (the paper prints no set-up) with 6 seeds and 14 more cases, up to 22 500 particles; an "
          "hour",
      .run = run};
}

}  // namespace repose::experiments::klar2016
