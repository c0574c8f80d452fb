#include "experiments/tampubolon2017/fig09_pouring/pouring.h"

#include "experiments/tampubolon2017/fig09_pouring/spout.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view id = "tampubolon2017/fig09_pouring";

void write_tables(const std::vector<PourRun>& runs, const std::filesystem::path& folder) {
  std::string history =
      "corrected,h_m,seed,loose,time_s,poured_m2,volume_by_cells_m2,volume_by_density_m2,moving_share,share_"
      "with_v_"
      "c\n";
  std::string metrics =
      "corrected,h_m,seed,loose,poured_m2,volume_by_cells_m2,volume_by_density_m2,floor_m,share_with_v_c,"
      "courant,"
      "steps\n";
  std::string grains = "corrected,h_m,x_m,y_m,diameter_m,v_c\n";
  for (const PourRun& run : runs) {
    const PourCase& of = run.chosen;
    for (const PourFrame& f : run.frames)
      history +=
          fmt::format("{:d},{},{},{:d},{},{},{},{},{},{}\n", of.corrects, of.spacing, of.seed, of.loose,
                      f.time, f.poured, f.occupied.by_cells, f.occupied.by_density, f.moving, f.held);
    const PourFrame& end = run.frames.back();
    metrics += fmt::format("{:d},{},{},{:d},{},{},{},{},{},{},{}\n", of.corrects, of.spacing, of.seed,
                           of.loose, end.poured, end.occupied.by_cells, end.occupied.by_density, run.surface,
                           end.held, run.courant, run.summary.steps);
    if (of.loose || of.seed != runs.front().chosen.seed) continue;
    for (const PourGrain& grain : run.grains)
      grains += fmt::format("{:d},{},{:.6g},{:.6g},{:.4g},{:.4g}\n", of.corrects, of.spacing, grain.at.x(),
                            grain.at.y(), of.spacing / std::sqrt(4.0), grain.v_c);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const PourSetup setup = pour_setup(request.preset);
  std::vector<PourCase> cases;
  for (const double spacing : setup.spacings)
    for (const std::uint64_t seed : setup.seeds)
      for (const bool corrects : {false, true})
        cases.push_back({.corrects = corrects, .spacing = spacing, .seed = seed});
  cases.push_back(
      {.corrects = true, .spacing = setup.spacings.front(), .seed = setup.seeds.front(), .loose = true});
  return run_and_judge(
      request, id, cases,
      [&](const PourCase& one) {
        return pour(one, request,
                    fmt::format("{} h {:.3g} mm seed {}{}", one.corrects ? "corrected" : "uncorrected",
                                1e3 * one.spacing, one.seed, one.loose ? " loose" : ""));
      },
      [&](const std::vector<PourRun>& runs) { return judge(setup, runs, request.preset); }, write_tables,
      {{.file = "piles.png",
        .caption = "The poured sand at rest, without and with volume correction, at both spacings; "
                   "coloured by the volume that a "
                   "particle gained and has not given back.",
        .alt = "Four piles between two walls: the left ones, without correction, are higher and wider "
               "than the right ones."},
       {.file = "volume.png",
        .caption = "Volume that the sand takes over the volume of its grains, by two measures.",
        .alt = "Two panels, one per spacing: volume against time with and without correction. Both "
               "start far above 1 while little "
               "sand falls, and come down to their values at rest."}});
}

}  // namespace

Figure pouring() {
  return {.id = id,
          .title = "Volume of a poured pile",
          .method = method::mpm.name,
          .starred = true,
          .claim =
              "Sand poured through a spout gains volume, less on a finer grid; with volume correction it "
              "does not.",
          .smoke = "h 20 and 10 mm, 600 and 2400 particles; some seconds",
          .desk = "h 10 (as printed) and 5 mm, 2400 and 9600 particles, 2 seeds; some minutes",
          .paper = "h 10 and 1 mm as printed, 2400 and 240 000 particles; an hour or more",
          .run = run};
}

}  // namespace repose::experiments::tampubolon2017
