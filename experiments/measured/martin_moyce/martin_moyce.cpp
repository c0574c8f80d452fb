#include "experiments/measured/martin_moyce/martin_moyce.h"

#include "experiments/measured/martin_moyce/collapse.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace repose::experiments::measured {

namespace {

constexpr std::string_view id = "measured/martin_moyce";

void write_tables(const std::vector<CollapseRun>& runs, const Reference& measured,
                  const std::filesystem::path& folder) {
  std::string history = "cells,T,Z,tau,height\n";
  std::string metrics = "cells,release,front_misfit,height_misfit,courant,steps,particles\n";
  std::string water = "T,x_m,y_m,diameter_m,speed_m_s\n";
  for (const CollapseRun& run : runs) {
    for (const Extent& one : run.extents)
      history += fmt::format("{},{},{},{},{}\n", run.cells, one.time, one.front,
                             one.time / std::numbers::sqrt2, one.height);
    const double fitted = fitted_release(run.extents, measured);
    for (const double release : {0.0, fitted})
      metrics += fmt::format("{},{},{},{},{},{},{}\n", run.cells, release,
                             front_misfit(run.extents, measured, release),
                             height_misfit(run.extents, measured, release), run.courant, run.summary.steps,
                             run.summary.particles);
  }
  const CollapseRun& fine = runs.back();
  for (const Moment& moment : fine.moments)
    for (std::size_t p = 0; p < moment.at.size(); ++p)
      water += fmt::format("{:.4g},{:.6g},{:.6g},{:.4g},{:.4g}\n", moment.time, moment.at[p].x(),
                           moment.at[p].y(), 0.5 * fine.scene.grid.h, moment.speed[p]);
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", water);
  std::string readings = "T,Z,tau,height\n";
  for (std::size_t n = 0; n < measured.T.size(); ++n)
    readings += fmt::format("{},{},,\n", measured.T[n], measured.Z[n]);
  for (std::size_t n = 0; n < measured.tau.size(); ++n)
    readings += fmt::format(",,{},{}\n", measured.tau[n], measured.H[n]);
  replace_file(folder / "measured.csv", readings);
  replace_file(folder / "fit.csv",
               fmt::format("release,band\n{},{}\n", fitted_release(fine.extents, measured), measured.band));
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const Reference measured = reference();
  const std::vector<CollapseRun> runs =
      run_cases(collapse_setup(request.preset).cells,
                [&](const double cells) { return let_go(cells, request, fmt::format("{:g} cells", cells)); });
  FigureResult result;
  result.interrupted = runs.empty();
  if (result.interrupted) return result;
  result.numbers = judge(runs, measured, request.preset);
  write_tables(runs, measured, request.folder);
  result.provenance = record_runs(scene_runs(runs), id, request);
  add_plots(
      result, "measured/martin_moyce/plot.py", request,
      {{.file = "front_and_height.png",
        .caption = "Front and height of the column against time, at each spacing, beside what was "
                   "measured; dashed: let go as late as the front fits best.",
        .alt = "Two panels. Left the front, which runs ahead of the measured points by a tenth and lies "
               "on them if it is let go later. Right the height, which lies on them and does not if it "
               "is let go later."},
       {.file = "water.png",
        .caption = "The water at three times on the finest grid, coloured by speed.",
        .alt = "A column that sinks along the left wall and runs out to the right in a layer that "
               "gets thinner towards its front."}});
  return result;
}

}  // namespace

Figure martin_moyce() {
  return {.id = id,
          .title = "Collapse of a water column",
          .method = method::mpm.name,
          .starred = false,
          .claim =
              "A column of water that is let go sinks and runs along the floor as Martin and Moyce "
              "measured, by their own clock or let go a little later.",
          .smoke = "5 and 10 cells to the column's width, 200 and 800 particles; some seconds",
          .desk = "10, 20 and 40 cells, up to 12 800 particles; a minute",
          .paper = "20, 40 and 80 cells, up to 51 200 particles; some minutes",
          .run = run};
}

}  // namespace repose::experiments::measured
