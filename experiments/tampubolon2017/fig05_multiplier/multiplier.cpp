#include "experiments/tampubolon2017/fig05_multiplier/multiplier.h"

#include "experiments/figures/scene_run.h"
#include "experiments/run/interrupt.h"
#include "experiments/tampubolon2017/fig05_multiplier/judge.h"
#include "reference/interface/methods/mpm.h"
#include "validation/file_output.h"

#include <fmt/format.h>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::string_view id = "tampubolon2017/fig05_multiplier";

/// h over (ε₁, ε₂) around the tip, for the plots: as far as `edge`.
std::string field_of(const MultiplierSet& set, double edge) {
  constexpr int points = 161;
  std::string rows;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j) {
      const double first = -edge + 1.25 * edge * i / (points - 1);
      const double second = -edge + 1.25 * edge * j / (points - 1);
      rows += fmt::format("{},{:.6g},{:.6g},{:.6g}\n", set.name, first, second,
                          multiplier({first, second, 0.0}, 2, set.of));
    }
  return rows;
}

void write_tables(const MultiplierFindings& found, const std::filesystem::path& folder) {
  std::string metrics =
      "set,a,b,c0,strain_unit,dim,depth,share_of_a,share_of_c,mean,share_of_a_by_integral,share_of_c_by_"
      "integral\n";
  for (const SetShares& s : found.shares)
    metrics += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", s.set.name, s.set.of.a, s.set.of.b,
                           s.set.of.c0, s.set.of.strain_unit, s.dim, s.depth, s.sampled.a, s.sampled.c,
                           s.sampled.mean, s.integrated.a, s.integrated.c);
  replace_file(folder / "metrics.csv", metrics);
  std::string field = "set,e1,e2,h\n";
  for (const MultiplierSet& set : multiplier_sets())
    if (set.name == "table2" || set.name.starts_with("fig6_c0_1p1"))
      field += field_of(set, set.name == "table2" ? 0.008 : 0.05);
  replace_file(folder / "field.csv", field);
}

/// @returns false if it was interrupted
bool measure(const FigureRequest& request, MultiplierFindings& found) {
  const std::size_t states = request.preset == Preset::smoke  ? 300
                             : request.preset == Preset::desk ? 5000
                                                              : 50'000;
  found.rows = request.preset == Preset::smoke ? 600 : request.preset == Preset::desk ? 2000 : 5000;
  const auto sets = multiplier_sets();
  found.of_a = border_orders(sets, true);
  found.of_c = border_orders(sets, false);
  for (const int dim : {2, 3}) {
    const Material sand = multiplier_scene(dim).materials.front();
    for (const MultiplierSet& set : sets)
      for (const double depth : {0.01, 0.05, 0.2}) {
        // At ten times the depth the rows in per cent have nothing to tell.
        if (depth > 0.1 && set.of.strain_unit < 1.0) continue;
        if (InterruptGuard::requested()) return false;
        found.shares.push_back({set, dim, depth, sampled_shares(sand, dim, set.of, depth, found.rows),
                                integrated_shares(sand, dim, set.of, depth)});
      }
  }
  for (const int dim : {2, 3})
    for (const SolverChoice& solver : all_solvers(method::mpm.name)) {
      if (InterruptGuard::requested()) return false;
      found.stress.push_back(measure_stress(dim, solver, sets.front(), states));
    }
  return true;
}

FigureResult run(const FigureRequest& request) {
  const InterruptGuard guard;
  MultiplierFindings found;
  FigureResult result;
  result.interrupted = !measure(request, found);
  if (result.interrupted) return result;
  const Scene scene = multiplier_scene(2);
  result.numbers = judge(found, scene.materials.front());
  write_tables(found, request.folder);
  result.provenance = record_states(scene, id, request);
  add_plots(result, "tampubolon2017/fig05_multiplier/plot.py", request,
            {{.file = "regions.png",
              .caption = "The multiplier h over the two principal strains, and the yield cone of sand "
                         "without cohesion (ν 0.4, φ 30°).",
              .alt = "Three panels of contours in the plane of two principal strains, with the two straight "
                     "lines of the yield cone. "
                     "With the numbers of Table 2 the region of h = 1 fills most of the cone. With those of "
                     "Figure 6 in per cent its "
                     "border bends away inside the cone; as plain strains h is nearly 0 in the whole panel."},
             {.file = "shares.png",
              .caption = "Share of the cone that the regions A and C cover, against c₀ of Figure 6.",
              .alt = "Lines against c₀ from 1.1 to 3: read in per cent the share of A falls from 0.31 to "
                     "0.23 and that of C rises from "
                     "0.27 to 0.47; read as plain strains A stays 0."}});
  return result;
}

}  // namespace

Figure multiplier_regions() {
  return {
      .id = id,
      .title = "Regions of the unilateral energy's multiplier",
      .method = method::mpm.name,
      .starred = false,
      .claim =
          "The multiplier is 1 in a region that covers most of the yield cone, 0 outside, and falls in "
          "between in a C² "
          "manner.",
      .smoke = "shares by 600 × 600 strains, stress of 300 states by all solvers in 2D and 3D; some seconds",
      .desk = "2000 × 2000 strains, 5000 states; half a minute",
      .paper = "5000 × 5000 strains, 50 000 states; some minutes",
      .run = run};
}

}  // namespace repose::experiments::tampubolon2017
