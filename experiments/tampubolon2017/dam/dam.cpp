#include "experiments/tampubolon2017/dam/dam.h"

#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/judging.h"
#include "reference/interface/methods/mixture.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double cell = 0.1;  // of columns and of mixing, whatever the spacing [m]

const Material& sand_of(const Scene& scene) { return scene.materials.front(); }

/// The value behind which a share of the mass lies.
double behind(std::vector<std::pair<double, double>> value_and_mass, double share) {
  std::sort(value_and_mass.begin(), value_and_mass.end());
  double all = 0.0, so_far = 0.0;
  for (const auto& [value, mass] : value_and_mass) all += mass;
  for (const auto& [value, mass] : value_and_mass) {
    so_far += mass;
    if (so_far >= (1.0 - share) * all) return value;
  }
  return not_a_number;
}

double largest_speed(const Snapshot& state) {
  double largest = 0.0;
  for (std::size_t p = 0; p < state.particles(); ++p)
    largest = std::max(largest, crosscheck::point(state.get(field::v), p).norm());
  return largest;
}

DamSpecies species_of(const Snapshot& state, std::size_t p) {
  return state.get(field::material).value[p] == 0.0 ? of_sand : of_water;
}

DamShot shot_of(const Snapshot& state, const Scene& scene, double time) {
  DamShot shot{.time = time, .grains = {}};
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const DamSpecies species = species_of(state, p);
    shot.grains.push_back({crosscheck::point(state.get(field::x), p), species,
                           state.get(field::c_C).value[p] / sand_of(scene).cohesion});
  }
  return shot;
}

}  // namespace

Scene dam_scene(const DamSetup& setup, const DamCase& chosen) {
  Scene scene = load_scene(figure_file(setup.scene));
  set_spacing(scene, chosen.spacing);
  scene.duration = setup.duration;
  scene.frame_rate = setup.frame_rate;
  for (Seed& seed : scene.seeds) seed.seed += 2 * (chosen.seed - 1);
  Material& sand = scene.materials.front();
  sand.cohesion = chosen.cohesion;
  if (sand.unilateral)
    sand.unilateral->b = tip_before_hardening(sand, scene.dim())->trace /
                         (static_cast<double>(scene.dim()) * sand.unilateral->strain_unit);
  MixtureOptions& options = mixture_options(scene);
  options.drag = chosen.drag;
  options.reversible = chosen.reversible;
  if (chosen.drag == Drag::printed) {
    const double full = std::pow(chosen.printed_at, scene.dim());
    options.c_E = chosen.kappa / (full * sand.density * scene.materials.back().density);
    options.kappa = 0.0;
  } else {
    options.kappa = chosen.kappa;
  }
  validate(scene);
  return scene;
}

DamFrame dam_frame(const Snapshot& state, const Scene& scene, double past, double time) {
  const auto& m = state.get(field::mass).value;
  const auto& V = state.get(field::volume).value;
  DamFrame frame{.time = time};
  std::array<std::vector<std::pair<double, double>>, 2> along;
  std::vector<std::pair<double, double>> up;
  std::array<double, 2> mass{};
  std::map<std::array<std::int64_t, 3>, std::array<double, 2>> cells;
  double sand = 0.0;
  const auto columns =
      static_cast<std::size_t>(std::ceil(scene.grid.h * static_cast<double>(scene.grid.cells[0]) / cell));
  for (auto& one : frame.columns) one.assign(columns, 0.0);
  frame.farthest.fill(scene.grid.domain_min.x());
  for (std::size_t p = 0; p < m.size(); ++p) {
    const DamSpecies species = species_of(state, p);
    const Point x = crosscheck::point(state.get(field::x), p);
    mass[species] += m[p];
    along[species].emplace_back(x.x(), m[p]);
    frame.farthest[species] = std::max(frame.farthest[species], x.x());
    if (x.x() > past) frame.past[species] += m[p];
    const double column = std::floor((x.x() - scene.grid.domain_min.x()) / cell);
    frame.columns[species].at(std::min(columns - 1, static_cast<std::size_t>(std::max(0.0, column)))) += m[p];
    std::array<std::int64_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = static_cast<std::int64_t>(std::floor(x[static_cast<Eigen::Index>(a)] / cell));
    cells[at][species] += V[p];
    if (species == of_water) continue;
    up.emplace_back(x.y(), m[p]);
    sand += V[p];
    frame.cohesion += m[p] * state.get(field::c_C).value[p] / sand_of(scene).cohesion;
  }
  for (const std::size_t species : {of_sand, of_water}) {
    frame.front[species] = behind(std::move(along[species]), 0.02);
    frame.past[species] /= mass[species];
    for (double& share : frame.columns[species]) share /= mass[species];
  }
  for (const auto& [at, volume] : cells) frame.mixed += std::min(volume[of_sand], volume[of_water]);
  frame.mixed /= sand;
  frame.cohesion /= mass[of_sand];
  frame.crest = behind(std::move(up), 0.02);
  return frame;
}

DamRun dam(const DamSetup& setup, const DamCase& chosen, const FigureRequest& request) {
  const Scene scene = dam_scene(setup, chosen);
  const StepControl control(scene);
  const FigureRequest readable = with_readable_solver(request);
  const auto beside = make_solver(readable.solver, scene, readable.options);
  std::unique_ptr<Solver> without;
  if (chosen.reversible != ReversibleTerm::none) {
    DamCase other = chosen;
    other.reversible = ReversibleTerm::none;
    without = make_solver(readable.solver, dam_scene(setup, other), readable.options);
  }
  const std::int64_t frames = control.frames();
  const auto looks = std::max<std::int64_t>(1, std::lround(setup.look_every * setup.frame_rate));
  DamRun run;
  RunWatch watch;
  watch.frame = [&](std::int64_t frame, const Solver& solver) {
    const Snapshot state = solver.save(boundary::step_start, false);
    run.frames.push_back(dam_frame(state, scene, setup.past, solver.time()));
    if (frame == 0)
      for (std::size_t p = 0; p < state.particles(); ++p)
        run.mass[species_of(state, p)] += state.get(field::mass).value[p];
    if (frame == 0 || frame == frames / 4 || frame == frames / 2 || frame == frames)
      run.shots.push_back(shot_of(state, scene, solver.time()));
    if (frame > 0 && (frame % looks == 0 || frame == frames))
      run.balances.push_back(
          balance_of(*beside, without.get(), scene, state, control.bound(largest_speed(state)).dt));
    return Go::on;
  };
  static_cast<SceneRun&>(run) = run_scene(scene, request, {.label = chosen.name}, watch);
  run.chosen = chosen;
  return run;
}

double first_past(const DamRun& run) { return share_past(run, 0.0); }

double share_past(const DamRun& run, double share) {
  for (const DamFrame& frame : run.frames)
    if (frame.past[of_water] > share) return frame.time;
  return not_a_number;
}

Elsewhere elsewhere(const DamRun& a, const DamRun& b, std::size_t species) {
  const std::size_t frames = std::min(a.frames.size(), b.frames.size());
  Elsewhere found;
  for (std::size_t n = 0; n < frames; ++n) {
    const auto &one = a.frames[n].columns[species], &other = b.frames[n].columns[species];
    double apart = 0.0;
    for (std::size_t k = 0; k < one.size(); ++k) apart += 0.5 * std::abs(one[k] - other.at(k));
    found.most = std::max(found.most, apart);
    found.mean += apart / static_cast<double>(frames);
  }
  return found;
}

double dam_height(const Scene& scene) {
  const Box& box = std::get<Box>(scene.seeds.front().shape);
  return box.max.y() - box.min.y();
}

double crest_below(const DamRun& run, double part) {
  for (const DamFrame& frame : run.frames)
    if (frame.crest < part * dam_height(run.scene)) return frame.time;
  return not_a_number;
}

double static_strain_of_dam(const Scene& scene) {
  const double c = wave_speed(sand_of(scene));
  return scene.gravity.norm() * dam_height(scene) / (c * c);
}

}  // namespace repose::experiments::tampubolon2017
