#include "experiments/tampubolon2017/fig06_c0/openings.h"

#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig05_multiplier/regions.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <variant>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double early_at = 0.15;  ///< [s]

/// Elastic strain of a grain; none of one that is pressed so flat that rounding leaves it no thickness.
std::optional<PrincipalStrain> strain_of(const Field& F, std::size_t p, int dim) {
  try {
    return principal_strain(F, p, dim);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// What the energy makes of the elastic deformations.
void tell_regions(OpeningFrame& frame, const Snapshot& state, const Scene& scene) {
  const Material& sand = scene.materials.front();
  const bool hencky = mpm_options(scene).energy == Energy::hencky;
  std::size_t whole = 0, none = 0;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    // Pressed flat, v grows with −u, and with c₀ > 1 region C is where both are large.
    const auto strain = strain_of(state.get(field::F), p, scene.dim());
    const double h = hencky ? 1.0 : strain ? multiplier(strain->eps, scene.dim(), *sand.unilateral) : 0.0;
    whole += h == 1.0 ? 1U : 0U;
    none += h == 0.0 ? 1U : 0U;
    frame.least_J = std::min(frame.least_J, strain ? std::exp(strain->trace()) : 0.0);
  }
  const auto all = static_cast<double>(state.particles());
  frame.whole = static_cast<double>(whole) / all;
  frame.none = static_cast<double>(none) / all;
}

OpeningFrame opening_frame(const Snapshot& state, const Scene& scene, double time,
                           const std::vector<Point>& start) {
  OpeningFrame frame{.time = time, .occupied = metrics::occupied(state, scene)};
  const std::vector<Point> grains = metrics::positions(state, scene.dim());
  const auto all = static_cast<double>(grains.size());
  for (const Point& x : grains) frame.height += x.y() / all;
  for (const Point& x : start)
    frame.unborne += std::max(0.0, x.y() - 0.5 * scene.gravity.norm() * time * time) / all;
  const auto [low, high] = std::minmax_element(grains.begin(), grains.end(),
                                               [](const Point& a, const Point& b) { return a.x() < b.x(); });
  frame.width = high->x() - low->x();
  tell_regions(frame, state, scene);
  return frame;
}

/// Largest pressure along a way through the strains, over what the foot of the block bears.
template <class Way>
double most_borne(const Scene& scene, double reach, Way&& strain_at) {
  const Material& sand = scene.materials.front();
  const Box& block = std::get<Box>(scene.seeds.front().shape);
  constexpr int looks = 20000;
  double most = 0.0;
  for (int k = 1; k <= looks; ++k) {
    const std::array<double, 3> eps = strain_at(reach * k / looks);
    const double tau = unilateral_stress(eps, 2, lame(sand), *sand.unilateral)[1];
    most = std::max(most, -tau / std::exp(eps[0] + eps[1]));
  }
  return most / (sand.density * scene.gravity.norm() * (block.max.y() - block.min.y()));
}

}  // namespace

const std::vector<OpeningReading>& opening_readings() {
  static const std::vector<OpeningReading> all{
      {"per_cent", 0.01, 2000.0}, {"plain", 1.0, 2000.0}, {"plain_dense", 1.0, 20000.0}};
  return all;
}

const std::vector<double>& opening_c0() {
  static const std::vector<double> all{1.1, 2.0, 2.5, 3.0};
  return all;
}

OpeningSetup opening_setup(Preset preset) {
  if (preset == Preset::smoke) return {.spacing = 0.016, .duration = 0.3, .c0 = {1.1, 3.0}};
  return {.spacing = preset == Preset::desk ? 0.008 : 0.004, .c0 = opening_c0()};
}

std::vector<OpeningCase> opening_cases(const OpeningSetup& setup) {
  std::vector<OpeningCase> cases;
  for (const OpeningReading& reading : opening_readings())
    for (const Integrator integrator : {Integrator::semi_implicit, Integrator::explicit_})
      for (const double c0 : setup.c0) cases.push_back({reading, c0, integrator});
  for (const OpeningReading& reading : opening_readings())
    if (reading.unit == 1.0) cases.push_back({reading});
  return cases;
}

Scene opening_scene(const OpeningSetup& setup, const OpeningCase& chosen) {
  Scene scene = load_scene(figure_file("tampubolon2017/fig06_c0/fig06_c0.toml"));
  set_spacing(scene, setup.spacing);
  scene.duration = setup.duration;
  Material& sand = scene.materials.front();
  sand.density = chosen.reading.density;
  sand.unilateral->strain_unit = chosen.reading.unit;
  if (chosen.c0)
    sand.unilateral->c0 = *chosen.c0;
  else
    mpm_options(scene).energy = Energy::hencky;
  mpm_options(scene).integrator = chosen.integrator;
  if (chosen.integrator == Integrator::explicit_) scene.step.max_dt = 1e-4;
  validate(scene);
  return scene;
}

std::string name_of(const OpeningCase& chosen) {
  std::string name = chosen.c0 ? "c0_" + word(fmt::format("{:g}", *chosen.c0)) + "_" : std::string("hencky_");
  name += chosen.reading.name;
  return chosen.integrator == Integrator::explicit_ ? name + "_explicit" : name;
}

const OpeningFrame* OpeningRun::at_early() const {
  const auto found = std::find_if(frames.begin(), frames.end(), [](const OpeningFrame& frame) {
    return std::abs(frame.time - early_at) < 1e-6;
  });
  return found == frames.end() ? nullptr : &*found;
}

const OpeningFrame* OpeningRun::at_end() const {
  return frames.empty() || failure ? nullptr : &frames.back();
}

double OpeningRun::loss(const OpeningFrame* then, double metrics::Occupied::*measure) const {
  if (then == nullptr) return not_a_number;
  return (frames.front().occupied.*measure - then->occupied.*measure) / grains;
}

double OpeningRun::resolved(const OpeningFrame* then) const {
  return then == nullptr ? not_a_number : 0.5 * scene.grid.h * then->width / grains;
}

double OpeningRun::fallen(const OpeningFrame* then) const {
  if (then == nullptr) return not_a_number;
  const double start = frames.front().height;
  return (start - then->height) / (start - then->unborne);
}

OpeningRun collapse_once(const OpeningSetup& setup, const OpeningCase& chosen, const FigureRequest& request) {
  const Scene scene = opening_scene(setup, chosen);
  OpeningRun run;
  std::vector<Point> start;
  RunWatch watch;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    const Snapshot state = solver.save(boundary::step_start, false);
    const auto& volume = state.get(field::volume).value;
    run.grains = std::accumulate(volume.begin(), volume.end(), 0.0);
    run.late = metrics::positions(state, scene.dim());
    if (frame == 0) start = run.late;
    run.frames.push_back(opening_frame(state, scene, solver.time(), start));
    if (run.at_early() == &run.frames.back()) run.early = run.late;
    return Go::on;
  };
  static_cast<SceneRun&>(run) =
      run_scene(scene, request, {.label = name_of(chosen), .keep_failure = true}, watch);
  run.chosen = chosen;
  return run;
}

Bearing bearing(const OpeningCase& chosen) {
  const Scene scene = opening_scene(opening_setup(Preset::smoke), chosen);
  const double reach = 4.0 * chosen.reading.unit, edge = widest_opening(scene.materials.front(), 2);
  return {.confined = most_borne(scene, reach,
                                 [](double e) {
                                   return std::array<double, 3>{0.0, -e, 0.0};
                                 }),
          .on_the_cone = most_borne(scene, reach, [&](double v) {
            const double u = -edge * v;
            return std::array<double, 3>{(u + v) / std::numbers::sqrt2, (u - v) / std::numbers::sqrt2, 0.0};
          })};
}

}  // namespace repose::experiments::tampubolon2017
