#include "experiments/klar2016/sec5_implicit/implicit.h"

#include "experiments/klar2016/sec5_implicit/solves.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/sec5_implicit";

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const SolvesSetup setup = solves_setup(request.preset);
  std::vector<SolvesPair> pairs;
  FigureResult result;
  for (const double modulus : solved_moduli) {
    pairs.push_back(solve_both(setup, modulus, request));
    if (InterruptGuard::requested()) {
      result.interrupted = true;
      return result;
    }
  }
  result.numbers = judge(pairs);
  std::string metrics =
      "youngs_modulus_Pa,solver,implicit_steps,explicit_steps,implicit_s,explicit_s,ratio,newton_per_step,"
      "share_above_3,"
      "share_above_4,step_cuts\n";
  std::string histogram = "youngs_modulus_Pa,kind,iterations,count\n";
  std::vector<const SceneRun*> all;
  for (const SolvesPair& pair : pairs) {
    metrics += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{}\n", pair.youngs_modulus, pair.implicit_run.solver,
        pair.implicit_run.summary.steps, pair.explicit_run.summary.steps, pair.implicit_seconds,
        pair.explicit_seconds, pair.ratio(), pair.iterations.mean_newton(), pair.iterations.share_above(3),
        pair.iterations.share_above(4), pair.implicit_run.summary.total.counts[counter::step_cuts]);
    const auto rows = [&](std::string_view kind, const std::map<std::uint64_t, std::uint64_t>& counts) {
      for (const auto& [iterations, count] : counts) {
        histogram += fmt::format("{},{},{},{}\n", pair.youngs_modulus, kind, iterations, count);
      }
    };
    rows("newton", pair.iterations.newton);
    rows("gmres", pair.iterations.gmres);
    all.push_back(&pair.implicit_run);
    all.push_back(&pair.explicit_run);
  }
  replace_file(request.folder / "metrics.csv", metrics);
  replace_file(request.folder / "histogram.csv", histogram);
  result.provenance = record_runs(all, id, request);
  add_plots(
      result, "klar2016/sec5_implicit/plot.py", request,
      {{.file = "iterations.png",
        .caption = "GMRES iterations per linear system and Newton iterations per step.",
        .alt =
            "Left: share of linear systems against their GMRES iterations, one row of bars per Young's "
            "modulus, "
            "with "
            "the paper's bounds of three and four. Right: share of steps against their Newton iterations."},
       {.file = "times.png",
        .caption = "Processor time of implicit steps over that of explicit ones.",
        .alt = "Time ratio against Young's modulus on logarithmic scales, with the line of equal times."}});
  return result;
}

}  // namespace

Figure implicit_steps() {
  return {
      .id = id,
      .title = "Iterations and cost of implicit steps",
      .method = method::mpm.name,
      .starred = false,
      .claim =
          "GMRES usually needs three iterations or fewer and in less than 1 % of the systems more than four; "
          "explicit steps are often faster than implicit ones.",
      .smoke = "h 32 mm, 190 particles, 5 moduli, both kinds of steps, 0.5 s; some seconds",
      .desk = "h 16 mm, 740 particles, 5 moduli, both kinds of steps, 1 s; about a minute when idle",
      .paper = "as desk, 3 s; some minutes",
      .run = run};
}

}  // namespace repose::experiments::klar2016
