#include "experiments/tampubolon2017/fig10_pile_unilateral/pile_unilateral.h"

#include "experiments/tampubolon2017/fig10_pile_unilateral/judge.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view pile_id = "tampubolon2017/fig10_pile_unilateral";

void write_cohesion_tables(const std::vector<CollapseRun>& runs, const std::filesystem::path& folder) {
  std::string metrics =
      "run,seed,mean_dt_s,courant,steps,newton,linear,cuts,displaced_share,spread_m,clumps\n";
  std::string looks = "run,time_s,dt_s,tension_pa,friction\n";
  std::string grains = "run,time_s,x_m,y_m,diameter_m\n";
  for (const CollapseRun& run : runs) {
    const std::size_t last = run.shots.size() - 1;
    const auto& counts = run.summary.total.counts;
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", run.chosen.name, run.chosen.seed,
                           mean_dt(run), courant_of(run.scene, mean_dt(run)), run.summary.steps,
                           counts[counter::newton_iterations], counts[counter::gmres_iterations],
                           counts[counter::step_cuts], displaced_share(runs.front(), run), spread(run),
                           clumps(run, last));
    if (run.chosen.seed != 1) continue;
    for (const ActingStress& look : run.looks)
      looks +=
          fmt::format("{},{},{},{},{}\n", run.chosen.name, look.time, look.dt, look.tension, look.friction);
    for (const std::size_t k : {std::size_t{0}, last / 2, last})
      for (const Point& grain : run.shots[k].grains)
        grains += fmt::format("{},{:.4g},{:.6g},{:.6g},{:.4g}\n", run.chosen.name, run.shots[k].time,
                              grain.x(), grain.y(), run.scene.grid.h / std::sqrt(4.0));
  }
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "cohesion.csv", looks);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run_cohesion(const FigureRequest& request) {
  const CollapseSetup setup = cohesion_setup(request.preset);
  return run_and_judge(
      request, pile_id, cohesion_cases(request.preset),
      [&](const CollapseCase& one) { return collapse(setup, one, request); },
      [&](const std::vector<CollapseRun>& runs) {
        return judge_cohesion(runs, lone_grains(runs, request), request.preset);
      },
      write_cohesion_tables,
      {{.file = "piles.png",
        .caption = "The sand at the start, in the middle and at the end, a column per run; the first four "
                   "are the paper's.",
        .alt = "Six columns of piles. Those of semi-implicit steps with the regular energy stay blocks, "
               "the more the longer the step; the others flatten, the unilateral ones most."},
       {.file = "dense_piles.png",
        .caption = "The same runs of the paper with the density that Table 2 prints, ten times as large.",
        .alt = "Four columns of piles. That of regular steps of 0.01 s keeps a flat top; the other three are "
               "alike."},
       {.file = "cohesion.png",
        .caption = "The stress that acts in a step, against time: mean tension over the pressure below the "
                   "block, and "
                   "shear over what the cone allows.",
        .alt = "Two panels of lines against time. Tension of the regular energy in semi-implicit steps is "
               "above zero, that "
               "of the others zero; shear of the regular energy is above 1, of the unilateral one below."}});
}

}  // namespace

Figure pile_unilateral() {
  return {.id = pile_id,
          .title = "A pile of sand, semi-implicit",
          .method = method::mpm.name,
          .starred = true,
          .claim =
              "Semi-implicit steps with the regular energy give sand artificial cohesion, the less the "
              "smaller Δt; with the unilateral energy they give none.",
          .smoke = "h 30 mm, 330 particles, 0.4 s; some seconds",
          .desk = "h 15 mm, 1300 particles, 0.6 s; some minutes",
          .paper = "h 2.5 mm as printed, 46 000 particles; hours",
          .run = run_cohesion};
}

}  // namespace repose::experiments::tampubolon2017
