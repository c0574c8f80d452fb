#include "experiments/tampubolon2017/fig03_wedge/wedge.h"

#include "experiments/tampubolon2017/fig03_wedge/drops.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view wedge_id = "tampubolon2017/fig03_wedge";

void write_wedge_tables(const std::vector<WedgeRun>& runs, const std::filesystem::path& folder) {
  std::string history = "series,e_c,seed,time_s";
  for (const std::string_view way : clump_ways)
    history += fmt::format(",size_{0},largest_{0},count_{0}", way);
  history += ",kept,spread_m,farthest_m\n";
  std::string metrics = "series,e_c,seed,youngs_modulus_pa,cohesion_pa,h_m,courant,steps,solids\n";
  std::string grains = "series,e_c,time_s,x_m,y_m,diameter_m\n";
  for (const WedgeRun& run : runs) {
    const std::string of = fmt::format("{},{}", series_of(run.chosen), run.chosen.tip);
    for (const WedgeFrame& frame : run.frames) {
      history += fmt::format("{},{},{}", of, run.chosen.seed, frame.time);
      for (const ClumpSizes& clumps : frame.clumps)
        history += fmt::format(",{},{},{}", clumps.mean, clumps.largest, clumps.count);
      history += fmt::format(",{},{},{}\n", frame.kept, frame.spread, frame.farthest);
    }
    const Material& sand = run.scene.materials.front();
    metrics +=
        fmt::format("{},{},{},{},{},{},{},{}\n", of, run.chosen.seed, sand.youngs_modulus, sand.cohesion,
                    run.scene.grid.h, run.courant, run.summary.steps, run.summary.solids.most);
    if (run.chosen.seed != 1) continue;
    const double end = run.frames.back().time;
    for (std::size_t k = 0; k < run.grains.size(); ++k) {
      const double time = k + 1 == run.grains.size() ? end : 0.2 * static_cast<double>(k + 1);
      for (const Point& x : run.grains[k])
        grains += fmt::format("{},{:.4g},{:.6g},{:.6g},{:.4g}\n", of, time, x.x(), x.y(),
                              run.scene.grid.h / std::sqrt(4.0));
    }
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run_wedge(const FigureRequest& request) {
  const WedgeSetup setup = wedge_setup(request.preset);
  return run_and_judge(
      request, wedge_id, wedge_cases(setup),
      [&](const WedgeCase& one) { return drop_on_wedge(setup, one, request); },
      [&](const std::vector<WedgeRun>& runs) { return judge(setup, runs, request.preset); },
      write_wedge_tables,
      {{.file = "wedges.png",
        .caption = "The sand at three times: dry in explicit steps, then by cohesion in semi-implicit and in "
                   "explicit steps.",
        .alt = "Rows of sand that parts on a wedge and lands on both sides of it; the more it coheres, the "
               "nearer to the wedge it stays."},
       {.file = "clumps.png",
        .caption = "Size of the clump of a grain drawn at random, by three ways of parting the sand, share "
                   "of neighbours kept, and distance from the middle, against time.",
        .alt = "Curves that fall from one when the sand parts; those of cohesive sand fall less far."}});
}

}  // namespace

Figure dropped_on_wedge() {
  return {.id = wedge_id,
          .title = "Moist sand dropped on a wedge",
          .method = method::mpm.name,
          .starred = false,
          .claim = "The more sand coheres, the larger the clumps in which it comes off a wedge.",
          .smoke = "h 15 mm, 400 particles, 10 runs of 0.4 s; some seconds",
          .desk = "h 6 mm, 2500 particles, 27 runs of 0.6 s; some minutes",
          .paper = "h 3 mm as printed, 10 000 particles; an hour",
          .run = run_wedge};
}

}  // namespace repose::experiments::tampubolon2017
