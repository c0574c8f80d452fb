#include "experiments/tampubolon2017/fig11_fully_implicit/fully_implicit.h"

#include "experiments/tampubolon2017/fig11_fully_implicit/schemes.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view schemes_id = "tampubolon2017/fig11_fully_implicit";

void write_scheme_tables(const std::vector<CollapseRun>& runs, const std::filesystem::path& folder) {
  std::string metrics =
      "run,seed,mean_dt_s,courant,steps,newton,linear,cuts,step_seconds,displaced_share,spread_m\n";
  std::string looks = "run,time_s,dt_s,tension_pa,friction\n";
  std::string grains = "run,time_s,x_m,y_m,diameter_m\n";
  for (const CollapseRun& run : runs) {
    const auto& counts = run.summary.total.counts;
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", run.chosen.name, run.chosen.seed,
                           mean_dt(run), courant_of(run.scene, mean_dt(run)), run.summary.steps,
                           counts[counter::newton_iterations], counts[counter::gmres_iterations],
                           counts[counter::step_cuts], run.summary.step_seconds,
                           displaced_share(runs.front(), run), spread(run));
    if (run.chosen.seed != 1) continue;
    for (const ActingStress& look : run.looks)
      looks +=
          fmt::format("{},{},{},{},{}\n", run.chosen.name, look.time, look.dt, look.tension, look.friction);
    const std::size_t last = run.shots.size() - 1;
    for (const std::size_t k : {std::size_t{0}, last / 2, last})
      for (const Point& grain : run.shots[k].grains)
        grains += fmt::format("{},{:.4g},{:.6g},{:.6g},{:.4g}\n", run.chosen.name, run.shots[k].time,
                              grain.x(), grain.y(), run.scene.grid.h / std::sqrt(4.0));
  }
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "stress.csv", looks);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run_schemes(const FigureRequest& request) {
  const CollapseSetup setup = scheme_setup(request.preset);
  return run_and_judge(
      request, schemes_id, scheme_cases(),
      [&](const CollapseCase& one) { return collapse(setup, one, request); },
      [&](const std::vector<CollapseRun>& runs) { return judge_schemes(runs, request.preset); },
      write_scheme_tables,
      {{.file = "piles.png",
        .caption = "The sand at the start, in the middle and at the end: the paper's three columns, more "
                   "implicit to the "
                   "right, and explicit steps with both energies beside them.",
        .alt = "Five columns of piles. The one of semi-implicit steps with the regular energy is the "
               "steepest."},
       {.file = "profiles.png",
        .caption = "Height of the sand at its initial volume, in columns two cells wide, at the end.",
        .alt = "Lines over the floor, one per way of stepping: heaps that differ in height and width."}});
}

}  // namespace

Figure fully_implicit() {
  return {.id = schemes_id,
          .title = "A pile of sand, fully implicit",
          .method = method::mpm.name,
          .starred = true,
          .claim =
              "With the unilateral energy semi-implicit steps give a good approximation of fully implicit "
              "ones; with the regular energy sand coheres.",
          .smoke = "h 20 mm, 380 particles, 0.3 s; some seconds",
          .desk = "h 10 mm, 1500 particles, 0.5 s; some minutes",
          .paper = "h 4 mm as printed, 9400 particles; an hour or more",
          .run = run_schemes};
}

}  // namespace repose::experiments::tampubolon2017
