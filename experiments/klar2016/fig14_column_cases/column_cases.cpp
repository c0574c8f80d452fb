#include "experiments/klar2016/fig14_column_cases/column_cases.h"

#include "experiments/klar2016/fig14_column_cases/cases.h"
#include "experiments/run/interrupt.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr std::string_view id = "klar2016/fig14_column_cases";

void write_tables(const std::vector<CasesRun>& runs, const std::filesystem::path& folder) {
  std::string metrics =
      "solver,spacing_m,unit_roundoff,particles,steps,yield_residual,surface_residual,tip_strain,inside,tip,"
      "surface\n";
  for (const CasesRun& run : runs) {
    metrics +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", run.solver, run.scene.grid.h, run.rounding.unit,
                    run.summary.particles, run.summary.steps, run.errors.outside, run.errors.surface_inside,
                    run.errors.tip_strain, run.summary.total.counts[counter::inside],
                    run.summary.total.counts[counter::tip], run.summary.total.counts[counter::surface]);
  }
  std::string history = "time_s,inside,tip,surface\n";
  for (const CaseShares& shares : runs.front().shares) {
    history += fmt::format("{:.6g},{:.5g},{:.5g},{:.5g}\n", shares.time, shares.share[0], shares.share[1],
                           shares.share[2]);
  }
  std::string grains = "time_s,x_m,y_m,diameter_m,case,tau_1_Pa,tau_2_Pa\n";
  const Scene& scene = runs.front().scene;
  const double diameter = scene.grid.h / std::sqrt(scene.seeds.front().particles_per_cell);
  for (const CasesPicture& picture : runs.front().pictures) {
    for (const CasedGrain& grain : picture.grains) {
      grains += fmt::format("{:.4g},{:.6g},{:.6g},{:.4g},{},{:.5g},{:.5g}\n", picture.time, grain.at.x(),
                            grain.at.y(), diameter, grain.part, grain.tau_1, grain.tau_2);
    }
  }
  replace_file(folder / "metrics.csv", metrics);
  replace_file(folder / "history.csv", history);
  replace_file(folder / "particles.csv", grains);
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  const CasesSetup setup = cases_setup(request.preset);
  FigureResult result;
  const std::vector<CasesRun> runs = run_beside_readable(
      request, setup.spacing, setup.reference_spacing, [&](const FigureRequest& asked, double spacing) {
        return collapse_cases(cases_scene(spacing, setup.duration), asked);
      });
  if (runs.empty()) {
    result.interrupted = true;
    return result;
  }
  result.numbers = judge(runs);
  write_tables(runs, request.folder);
  result.provenance = record_runs(scene_runs(runs), id, request);
  add_plots(
      result, "klar2016/fig14_column_cases/plot.py", request,
      {{.file = "column.png",
        .caption =
            "The column at four times, particles coloured by their plastic case, and the same particles in "
            "the space of principal stresses with the yield surface.",
        .alt =
            "Four rows. Left: the collapsing column, green particles inside the cone, blue ones on its "
            "surface, "
            "red ones at its tip. Right: their principal stresses in kilopascal within the two lines of the "
            "cone."},
       {.file = "shares.png",
        .caption = "Shares of the three cases over time.",
        .alt = "Stacked areas over time in seconds: green for elastic, blue for slip, red for separation."}});
  return result;
}

}  // namespace

Figure column_cases() {
  return {.id = id,
          .title = "Plastic cases in a collapsing column",
          .method = method::mpm.name,
          .starred = false,
          .claim =
              "In a collapsing column some particles stick, some slip and some separate; after the return "
              "mapping "
              "all lie within the yield surface.",
          .smoke = "h 10 mm, 3200 particles, and 800 with the readable solver; some seconds",
          .desk = "h 5 mm, 12 800 particles, and 3200 with the readable solver; about half a minute",
          .paper = "h 2.5 mm, 51 200 particles (the paper prints no set-up); some minutes",
          .run = run};
}

}  // namespace repose::experiments::klar2016
