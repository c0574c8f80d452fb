#include "experiments/klar2016/fig14_column_cases/cases.h"

#include "experiments/figures/inflow_pile.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/extremes.h"

namespace repose::experiments::klar2016 {

CasesSetup cases_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacing = 0.01, .reference_spacing = 0.02, .duration = 0.7};
  if (preset == Preset::desk) return {.spacing = 0.005};
  return {.spacing = 0.0025, .reference_spacing = 0.005};
}

Scene cases_scene(double spacing, double duration) {
  Scene scene = load_scene(figure_file("klar2016/fig14_column_cases/fig14_column_cases.toml"));
  set_spacing(scene, spacing);
  scene.duration = duration;
  validate(scene);
  return scene;
}

void add_errors(CaseErrors& errors, const Snapshot& state, const Scene& scene, const Rounding& rounding) {
  const Field& F = state.get(field::F);
  const auto& part = state.get(field::plastic_case).value;
  const auto& material = state.get(field::material).value;
  for (std::size_t p = 0; p < part.size(); ++p) {
    const Material& sand = scene.materials[static_cast<std::size_t>(material[p])];
    const double alpha = cone_slope(sand.friction.h0);
    const Lame moduli = lame(sand);
    const PrincipalStrain strain = principal_strain(F, p, scene.dim());
    const double residual =
        yield_residual(strain, moduli, alpha) / yield_rounding(strain, moduli, alpha, rounding);
    errors.outside = metrics::larger(errors.outside, residual);
    const int which = static_cast<int>(part[p]);
    if (which < 1 || which > 3) {
      ++errors.unknown;
      continue;
    }
    ++errors.judged[static_cast<std::size_t>(which - 1)];
    if (which == 3) errors.surface_inside = metrics::larger(errors.surface_inside, -residual);
    if (which == 2) {
      double largest = 0.0;
      for (const double eps : strain.eps) largest = metrics::larger(largest, std::abs(eps));
      errors.tip_strain = metrics::larger(errors.tip_strain, largest / strain_rounding(strain, rounding));
    }
  }
}

namespace {

CasesPicture picture(const Snapshot& state, const Scene& scene, double time) {
  CasesPicture result{.time = time, .grains = {}};
  const Lame moduli = lame(scene.materials.front());
  const Field& x = state.get(field::x);
  const auto& part = state.get(field::plastic_case).value;
  for (std::size_t p = 0; p < part.size(); ++p) {
    const auto tau = kirchhoff_stress(principal_strain(state.get(field::F), p, scene.dim()), moduli);
    result.grains.push_back({.at = crosscheck::in_dimensions(crosscheck::point(x, p), scene.dim()),
                             .part = static_cast<int>(part[p]),
                             .tau_1 = tau[0],
                             .tau_2 = tau[1]});
  }
  return result;
}

}  // namespace

CasesRun collapse_cases(const Scene& scene, const FigureRequest& request) {
  CasesRun run;
  std::array<std::uint64_t, 3> counts{};
  const std::vector<double> wanted{0.1, 0.25, 0.4, scene.duration};
  RunWatch watch;
  watch.step = [&](const StepRecord& record, const Solver& solver) {
    run.rounding = solver.rounding();
    counts[0] += record.report.counts[counter::inside];
    counts[1] += record.report.counts[counter::tip];
    counts[2] += record.report.counts[counter::surface];
  };
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    if (frame == 0) return Go::on;
    const Snapshot state = solver.save(boundary::plasticity, false);
    add_errors(run.errors, state, scene, run.rounding);
    const double all = static_cast<double>(counts[0] + counts[1] + counts[2]);
    CaseShares shares{.time = solver.time()};
    for (std::size_t k = 0; k < 3; ++k) shares.share[k] = static_cast<double>(counts[k]) / all;
    run.shares.push_back(shares);
    counts = {};
    if (run.pictures.size() < wanted.size() && solver.time() >= wanted[run.pictures.size()] - 1e-9) {
      run.pictures.push_back(picture(state, scene, solver.time()));
    }
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = request.solver}, watch);
  return run;
}

}  // namespace repose::experiments::klar2016
