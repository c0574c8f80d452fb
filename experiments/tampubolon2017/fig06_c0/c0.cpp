#include "experiments/tampubolon2017/fig06_c0/c0.h"

#include "experiments/run/interrupt.h"
#include "experiments/tampubolon2017/fig06_c0/openings.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view opening_id = "tampubolon2017/fig06_c0";

std::string of_opening(const OpeningCase& chosen) {
  return fmt::format("{},{},{},{}", name_of(chosen), chosen.c0.value_or(0.0), chosen.reading.name,
                     chosen.integrator == Integrator::explicit_ ? "explicit" : "semi_implicit");
}

void write_opening_tables(const std::vector<OpeningRun>& runs, const std::filesystem::path& folder) {
  std::string history =
      "case,c0,reading,steps,time_s,by_cells,by_density,height_m,unborne_m,whole,none,least_J\n";
  std::string metrics =
      "case,c0,reading,steps,h_m,courant,taken,end_s,ended_early,loss_by_cells_early,loss_by_density_early,"
      "loss_by_cells_end,loss_by_density_end,fallen_early,borne_confined,borne_on_the_cone\n";
  std::string grains = "case,c0,reading,steps,when,time_s,x_m,y_m,diameter_m\n";
  for (const OpeningRun& run : runs) {
    const std::string of = of_opening(run.chosen);
    for (const OpeningFrame& f : run.frames)
      history +=
          fmt::format("{},{},{},{},{},{},{},{},{}\n", of, f.time, f.occupied.by_cells / run.grains,
                      f.occupied.by_density / run.grains, f.height, f.unborne, f.whole, f.none, f.least_J);
    const Bearing borne = run.chosen.c0 ? bearing(run.chosen) : Bearing{};
    const OpeningFrame *early = run.at_early(), *end = run.at_end();
    metrics += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", of, run.scene.grid.h, run.courant, run.summary.steps,
        run.summary.end_time, run.failure ? 1 : 0, run.loss(early, &metrics::Occupied::by_cells),
        run.loss(early, &metrics::Occupied::by_density), run.loss(end, &metrics::Occupied::by_cells),
        run.loss(end, &metrics::Occupied::by_density), run.fallen(early), borne.confined, borne.on_the_cone);
    // Explicit runs come to the frames that the paper shows; blocks of Hencky's energy have no others.
    if (run.chosen.c0 && run.chosen.integrator != Integrator::explicit_) continue;
    for (const auto& [when, points] : {std::pair{"early", &run.early}, {"late", &run.late}})
      for (const Point& x : *points)
        grains += fmt::format("{},{},{:.4g},{:.6g},{:.6g},{:.4g}\n", of, when,
                              points == &run.early ? 0.15 : run.frames.back().time, x.x(), x.y(),
                              run.scene.grid.h / std::sqrt(4.0));
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run_openings(const FigureRequest& request) {
  const InterruptGuard guard;
  const OpeningSetup setup = opening_setup(request.preset);
  const std::vector<OpeningRun> runs = run_cases(
      opening_cases(setup), [&](const OpeningCase& one) { return collapse_once(setup, one, request); });
  FigureResult result;
  result.interrupted = runs.empty();
  if (result.interrupted) return result;
  result.numbers = judge(runs, request.preset);
  write_opening_tables(runs, request.folder);
  result.provenance = record_runs(scene_runs(runs), opening_id, request);
  add_plots(
      result, "tampubolon2017/fig06_c0/plot.py", request,
      {{.file = "blocks.png",
        .caption =
            "The sand in explicit steps at 0.15 s and at the last frame, by rows as in the paper: c₀ 1.1, 2, "
            "2.5, 3, and Hencky's energy in semi-implicit steps below. From the left: per cent, plain "
            "strains, "
            "plain strains and ten times the density.",
        .alt =
            "Three pairs of columns of collapsing blocks. Those in per cent end flat on the floor, those in "
            "plain strains run out like water, dense ones are lower from row to row and end flat but for the "
            "first."},
       {.file = "volume.png",
        .caption =
            "Against time: volume by the cells that hold a particle, descent of the grains beside that of "
            "grains that nothing bears, share of the sand without stress, and smallest elastic J.",
        .alt = "Four rows of curves by reading. In per cent sand falls freely, most of it without "
               "stress."}});
  return result;
}

}  // namespace

Figure growing_c0() {
  return {.id = opening_id,
          .title = "Volume lost as the unilateral energy opens around the cone",
          .method = method::mpm.name,
          .starred = false,
          .claim = "Sand loses volume with the unilateral energy, more of it the larger c₀ is.",
          .smoke = "h 16 mm, 580 particles, 14 runs of 0.3 s; some seconds",
          .desk = "h 8 mm, 2300 particles, 26 runs of 0.5 s; some minutes",
          .paper = "h 4 mm, 9400 particles, as printed",
          .run = run_openings};
}

}  // namespace repose::experiments::tampubolon2017
