#include "experiments/tampubolon2017/fig08_hourglass_flip/hourglass_flip.h"

#include "experiments/run/interrupt.h"
#include "experiments/tampubolon2017/fig08_hourglass_flip/judge.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view id = "tampubolon2017/fig08_hourglass_flip";

void write_tables(const GlassSetup& setup, const std::vector<GlassRun>& runs,
                  const std::filesystem::path& folder) {
  std::string history =
      "corrected,h_m,seed,time_s,volume_by_cells,volume_by_density,moving_share,share_with_v_c\n";
  std::string rests =
      "corrected,h_m,seed,turns,volume_by_cells,volume_by_density,share_with_v_c,between_turns_s\n";
  std::string grains = "corrected,h_m,turns,x_m,y_m,diameter_m,v_c\n";
  for (const GlassRun& run : runs) {
    const GlassCase& of = run.chosen;
    for (const GlassFrame& frame : run.frames)
      history += fmt::format("{:d},{},{},{},{},{},{},{}\n", of.corrects, of.spacing, of.seed, frame.time,
                             frame.occupied.by_cells / run.volume, frame.occupied.by_density / run.volume,
                             frame.moving, frame.held);
    for (std::size_t turn = 0; turn < run.rests.size(); ++turn)
      rests += fmt::format("{:d},{},{},{},{},{},{},{}\n", of.corrects, of.spacing, of.seed, turn,
                           run.rests[turn].occupied.by_cells / run.volume,
                           run.rests[turn].occupied.by_density / run.volume, run.rests[turn].held,
                           setup.between_turns);
    if (of.seed != runs.front().chosen.seed) continue;
    const double diameter = of.spacing / std::sqrt(4.0);
    for (std::size_t turn = 0; turn < run.grains.size(); ++turn)
      for (const GlassGrain& grain : run.grains[turn])
        grains += fmt::format("{:d},{},{},{:.6g},{:.6g},{:.4g},{:.4g}\n", of.corrects, of.spacing, turn,
                              grain.at.x(), grain.at.y(), diameter, grain.v_c);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", rests);
  replace_file(folder / "particles.csv", grains);
}

/// Runs everything. @returns false if it was interrupted
bool run_all(const GlassSetup& setup, const FigureRequest& request, std::vector<GlassRun>& runs) {
  for (const double spacing : setup.spacings)
    for (const std::uint64_t seed : setup.seeds)
      for (const bool corrects : {false, true}) {
        const std::string label = fmt::format("{} h {:.3g} mm seed {}",
                                              corrects ? "corrected" : "uncorrected", 1e3 * spacing, seed);
        runs.push_back(
            turn_glass(setup, {.corrects = corrects, .spacing = spacing, .seed = seed}, request, label));
        if (runs.back().interrupted()) return false;
      }
  return true;
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const GlassSetup setup = glass_setup(request.preset);
  std::vector<GlassRun> runs;
  FigureResult result;
  result.interrupted = !run_all(setup, request, runs);
  if (result.interrupted) return result;
  result.numbers = judge(setup, runs, request.preset);
  write_tables(setup, runs, request.folder);
  std::vector<const SceneRun*> all;
  for (const GlassRun& run : runs)
    for (const SceneRun& leg : run.legs) all.push_back(&leg);
  result.provenance = record_runs(all, id, request);
  add_plots(
      result, "tampubolon2017/fig08_hourglass_flip/plot.py", request,
      {{.file = "glasses.png",
        .caption =
            "The sand at rest before the first turn and after each, seen from within the glass, at the finer "
            "spacing; coloured by the volume that a particle gained and has not given back.",
        .alt = "Two rows of three hourglasses, without and with volume correction. Without it the heap in "
               "the lower "
               "or upper bulb is higher from picture to picture."},
       {.file = "volume.png",
        .caption = "Volume that the sand takes over the volume of its grains, by two measures.",
        .alt =
            "Two panels, one per spacing: volume against time with and without correction, turns as vertical "
            "lines."}});
  return result;
}

}  // namespace

Figure hourglass_flip() {
  return {.id = id,
          .title = "Volume of sand in an hourglass that is turned over",
          .method = method::mpm.name,
          .starred = true,
          .claim =
              "Sand that runs through an hourglass gains volume with each turn of the glass, at either "
              "resolution; "
              "with volume correction it does not.",
          .smoke = "h 14.8 mm, 1450 particles, 3 s between turns; some seconds",
          .desk =
              "h 7.4 and 3.7 mm as printed, 5800 and 23 000 particles, 5 s between turns, 2 seeds; about 10 "
              "minutes",
          .paper = "as desk with 4 seeds; about 20 minutes",
          .run = run};
}

}  // namespace repose::experiments::tampubolon2017
