#include "experiments/klar2016/fig15_yield_surface/yield_surface.h"

#include "experiments/figures/scene_run.h"
#include "experiments/klar2016/fig15_yield_surface/returns.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig15_yield_surface";

FigureResult run(const FigureRequest& request) {
  const std::size_t count = request.preset == Preset::smoke  ? 2000
                            : request.preset == Preset::desk ? 100'000
                                                             : 1'000'000;
  std::vector<ReturnErrors> all;
  for (const int dim : {2, 3}) {
    for (const SolverChoice& solver : all_solvers(method::mpm.name))
      all.push_back(measure_returns(dim, solver, count));
  }
  FigureResult result;
  result.numbers = judge(all);
  std::string metrics =
      "dim,solver,inside,tip,surface,wrong_case,unchanged,tip_strain,trace,on_cone,direction,idempotence,"
      "hardening\n";
  std::string samples = "dim,solver,case,e1,e2,e3,r1,r2,r3\n";
  for (const ReturnErrors& e : all) {
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", e.dim, e.solver.label, e.states[0],
                           e.states[1], e.states[2], e.wrong_case, e.unchanged, e.tip, e.trace, e.on_cone,
                           e.direction, e.idempotence, e.hardening);
    for (const ReturnedState& s : e.sample) {
      samples +=
          fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", e.dim, e.solver.label, s.part,
                      s.trial[0], s.trial[1], s.trial[2], s.result[0], s.result[1], s.result[2]);
    }
  }
  replace_file(request.folder / "metrics.csv", metrics);
  replace_file(request.folder / "samples.csv", samples);
  result.provenance = record_states(return_scene(2), id, request);
  add_plots(
      result, "klar2016/fig15_yield_surface/plot.py", request,
      {{.file = "cone.png",
        .caption = "Some of the trial states and what they are returned to by the readable solver: in "
                   "principal Hencky strains, and in the plane of "
                   "volume and shear.",
        .alt =
            "Left: a cone in three dimensions with its tip at the origin and arrows from blue states outside "
            "to "
            "its surface and from red states to its tip; green states lie inside. Right: norm of the strain "
            "deviator against volume strain, blue arrows run straight down to the line of the cone, red ones "
            "to "
            "the origin."}});
  return result;
}

}  // namespace

Figure yield_surface() {
  return {
      .id = id,
      .title = "Yield surface and the two projections",
      .method = method::mpm.name,
      .starred = false,
      .claim =
          "States inside the cone stay, sheared ones are projected to its surface without change of volume, "
          "expanded ones to its tip.",
      .smoke = "2000 states in 2D and in 3D, all solvers and precisions; a second",
      .desk = "100 000 states; half a minute",
      .paper = "a million states; some minutes",
      .run = run};
}

}  // namespace repose::experiments::klar2016
