#include "experiments/liu2021/fig02_sand/sand.h"

#include "experiments/liu2021/fig02_sand/block.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::liu2021 {

namespace {

constexpr std::string_view id = "liu2021/fig02_sand";

void write_tables(const std::vector<BlockRun>& runs, const std::filesystem::path& folder) {
  std::string history = "printed_lambda,sample,time_s,height_m,runout_m,moving_share\n";
  std::string metrics = "printed_lambda,sample,height_m,runout_m,courant,steps\n";
  std::string grains = "printed_lambda,x_m,y_m,diameter_m,q\n";
  for (const BlockRun& run : runs) {
    const BlockCase& of = run.chosen;
    for (const Heap& heap : run.heaps)
      history += fmt::format("{:d},{},{},{},{},{}\n", of.printed_lambda, of.sample, heap.time, heap.height,
                             heap.runout, heap.moving);
    metrics += fmt::format("{:d},{},{},{},{},{}\n", of.printed_lambda, of.sample, run.heaps.back().height,
                           run.heaps.back().runout, run.courant, run.summary.steps);
    if (of.sample > 0) continue;
    for (std::size_t p = 0; p < run.grains.size(); ++p)
      grains += fmt::format("{:d},{:.6g},{:.6g},{:.4g},{:.4g}\n", of.printed_lambda, run.grains[p].x(),
                            run.grains[p].y(), std::sqrt(2.0), run.hardening[p]);
  }
  replace_file(folder / "history.csv", history);
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const std::uint64_t samples = request.preset == Preset::smoke ? 3 : request.preset == Preset::desk ? 8 : 24;
  std::vector<BlockCase> cases;
  for (const bool printed : {false, true})
    for (std::uint64_t sample = 0; sample < samples; ++sample)
      cases.push_back({.printed_lambda = printed, .sample = sample});
  return run_and_judge(
      request, id, cases,
      [&](const BlockCase& one) {
        return drop_block(
            one, request,
            fmt::format("{} λ, sample {}", one.printed_lambda ? "printed" : "corrected", one.sample));
      },
      [&](const std::vector<BlockRun>& runs) { return judge(runs, request.preset); }, write_tables,
      {{.file = "piles.png",
        .caption = "The 400 particles of the regular block at rest after 30 s, with λ as corrected and "
                   "as printed; coloured by "
                   "their hardening q.",
        .alt = "Two heaps of round particles on the floor of a wide box, highest in the middle and "
               "running out to both sides."},
       {.file = "history.png",
        .caption = "Height in the middle and run-out against time, of every sample.",
        .alt = "Two panels of lines against time up to 30 s: height falls as the block does and sinks "
               "slowly afterwards, lines of the printed λ below those of the corrected one; run-out "
               "grows to the walls and stays."}});
}

}  // namespace

Figure sand() {
  return {
      .id = id,
      .title = "A block of sand falls into a box",
      .method = method::mpm.name,
      .starred = false,
      .claim =
          "With plasticity and hardening a block of sand that falls under gravity flows and piles up at the "
          "bottom.",
      .smoke =
          "the paper's 400 particles and 30 s, 3 samples with λ as corrected and as printed; some seconds",
      .desk = "8 samples each; some seconds",
      .paper = "24 samples each; half a minute",
      .run = run};
}

}  // namespace repose::experiments::liu2021
