#include "experiments/tampubolon2017/sec434_volume_drop/volume_drop.h"

#include "experiments/run/interrupt.h"
#include "experiments/tampubolon2017/sec434_volume_drop/dropped_block.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_names.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view id = "tampubolon2017/sec434_volume_drop";

std::string columns_of(const DropRun& run) {
  const DropCase& of = run.chosen;
  return fmt::format("{},{},{:d},{:d},{},{},{}", names::of(of.kernel, names::kernel), of.spacing, of.corrects,
                     of.hardens, of.apart == HardeningApart::opening ? "opening" : "opening_and_closing",
                     of.step_share, run.solver);
}

void write_tables(const std::vector<DropRun>& runs, const std::filesystem::path& folder) {
  const std::string of = "kernel,h_m,corrected,hardens,hardening_apart,step_share,solver";
  std::string history = of + ",time_s,fill,mean_v_c,share_with_v_c\n";
  std::string metrics = of + ",fill,mean_v_c,largest_mean_v_c,share_with_v_c,mean_q,courant,steps\n";
  std::string grains = "kernel,h_m,corrected,x_m,y_m,diameter_m,v_c\n";
  for (const DropRun& run : runs) {
    const std::string columns = columns_of(run);
    for (const DropFrame& f : run.frames)
      history += fmt::format("{},{},{},{},{}\n", columns, f.time, f.fill, f.v_c, f.held);
    const DropFrame& end = run.frames.back();
    metrics += fmt::format("{},{},{},{},{},{},{},{}\n", columns, end.fill, end.v_c, run.opened(), end.held,
                           run.hardening, run.courant, run.summary.steps);
    if (run.chosen.hardens || run.chosen.step_share < 1.0 || run.chosen.readable ||
        run.chosen.apart != HardeningApart::opening)
      continue;
    for (std::size_t p = 0; p < run.grains.size(); ++p)
      grains +=
          fmt::format("{},{},{:d},{:.6g},{:.6g},{:.4g},{:.4g}\n", names::of(run.chosen.kernel, names::kernel),
                      run.chosen.spacing, run.chosen.corrects, run.grains[p].x(), run.grains[p].y(),
                      run.chosen.spacing / 2.0, run.v_c[p]);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const DropSetup setup = drop_setup(request.preset);
  const std::vector<DropRun> runs = run_cases(drop_cases(setup), [&](const DropCase& one) {
    const std::string label =
        fmt::format("{} h {:.3g} mm{}{}{}{}{}", names::of(one.kernel, names::kernel), 1e3 * one.spacing,
                    one.corrects ? "" : " uncorrected", one.hardens ? " hardening" : "",
                    one.apart == HardeningApart::opening ? "" : " closing too",
                    one.step_share < 1.0 ? " half the step" : "", one.readable ? " readable" : "");
    return drop_once(one, request, label);
  });
  FigureResult result;
  result.interrupted = runs.empty();
  if (result.interrupted) return result;
  result.numbers = judge(setup, runs, request.preset);
  write_tables(runs, request.folder);
  result.provenance = record_runs(scene_runs(runs), id, request);
  add_plots(result, "tampubolon2017/sec434_volume_drop/plot.py", request,
            {{.file = "fills.png",
              .caption = "The sand at rest after its drop, coloured by the volume that a particle gained and "
                         "has not given back; the dashed "
                         "line is the height that the block had.",
              .alt = "Rooms filled with sand, without and with correction: the sand lies higher than the "
                     "dashed line, most without "
                     "correction."},
             {.file = "history.png",
              .caption = "Fill and mean v_c against time.",
              .alt = "Left: twice the mean height over that of the block falls to its value at rest. Right: "
                     "mean v_c rises as the block lands, "
                     "and falls to what is left."}});
  return result;
}

}  // namespace

Figure volume_drop() {
  return {
      .id = id,
      .title = "What volume correction gives back after a drop",
      .method = method::mpm.name,
      .starred = false,
      .claim = "Sand that came apart is compressed with volume correction to less than it would be without.",
      .smoke = "h 40 mm, 400 particles, both kernels, 12 runs; some seconds",
      .desk = "h 40 and 20 mm, 400 and 1600 particles, 22 runs; a minute",
      .paper = "h 40, 20 and 10 mm; some minutes",
      .run = run};
}

}  // namespace repose::experiments::tampubolon2017
