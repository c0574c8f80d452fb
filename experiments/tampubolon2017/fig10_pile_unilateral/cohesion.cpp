#include "experiments/tampubolon2017/fig10_pile_unilateral/cohesion.h"

#include "experiments/figures/all_solvers.h"
#include "experiments/tampubolon2017/fig05_multiplier/regions.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/cone.h"
#include "validation/metrics/elastic_state.h"
#include "validation/solvers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

/// Principal Kirchhoff stresses of the scene's energy [Pa].
std::array<double, 3> stress_of(const PrincipalStrain& strain, const Scene& scene) {
  const Material& sand = scene.materials.front();
  if (mpm_options(scene).energy == Energy::hencky) return kirchhoff_stress(strain, lame(sand));
  return unilateral_stress(strain.eps, strain.dim, lame(sand), *sand.unilateral);
}

/// What is told of the stress that acts, from a field of deformations.
void tell_stress(ActingStress& seen, const Field& F, const std::vector<double>& volume, const Scene& scene) {
  const double alpha = mechanics::cone_slope(scene.materials.front().friction.h0);
  const int dim = scene.dim();
  double tension = 0.0, all = 0.0, pressure = 0.0, shear = 0.0;
  for (std::size_t p = 0; p < volume.size(); ++p) {
    const auto tau = stress_of(principal_strain(F, p, dim), scene);
    const double trace = tau[0] + tau[1] + tau[2];
    double squares = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k)
      squares += (tau[k] - trace / dim) * (tau[k] - trace / dim);
    tension += volume[p] * std::max(0.0, trace / dim);
    pressure += volume[p] * std::max(0.0, -trace);
    shear += volume[p] * std::sqrt(squares);
    all += volume[p];
  }
  seen.tension = tension / all;
  seen.friction = pressure > 0.0 ? shear / (alpha * pressure) : 0.0;
}

ActingStress look_once(Solver& beside, const Scene& scene, const Snapshot& state, double dt) {
  ActingStress seen{.time = state.time, .dt = dt};
  const auto& volume = state.get(field::volume).value;
  const Integrator integrator = mpm_options(scene).integrator;
  if (integrator == Integrator::explicit_) {
    tell_stress(seen, state.get(field::F), volume, scene);
    return seen;
  }
  beside.load(state);
  beside.run(boundary::step_start, boundary::update, dt);
  if (integrator == Integrator::semi_implicit) {
    tell_stress(seen, beside.save(boundary::update, false).get(field::F_trial), volume, scene);
    return seen;
  }
  beside.run(boundary::update, boundary::plasticity, dt);
  tell_stress(seen, beside.save(boundary::plasticity, false).get(field::F), volume, scene);
  return seen;
}

}  // namespace

ActingStress acting_stress(Solver& beside, const Scene& scene, const Snapshot& state, double dt) {
  for (int cuts = mpm_options(scene).implicit.step_cuts;; --cuts, dt *= 0.5) {
    try {
      return look_once(beside, scene, state, dt);
    } catch (const SimulationError&) {
      if (cuts == 0) throw;
    }
  }
}

double parting_speed_taken(const Scene& scene, const FigureRequest& request, double dt) {
  // Terms of higher order are a thousandth, and so is what rounding in float leaves of a rate.
  constexpr double stretch = 1e-3;
  Scene empty = scene;
  empty.colliders.clear();
  Point node = empty.grid.domain_min;
  for (int axis = 0; axis < empty.dim(); ++axis)
    node[axis] += empty.grid.h * static_cast<double>(empty.grid.cells[static_cast<std::size_t>(axis)] / 2);
  Snapshot grain = placed_particles(empty, {node});
  const auto d = static_cast<std::size_t>(empty.dim());
  const double rate = stretch / dt;
  for (std::size_t axis = 0; axis < d; ++axis) grain.get(field::C).value[axis * d + axis] = rate;
  const auto solver = make_solver(request.solver, empty, request.options);
  solver->load(grain);
  solver->run(boundary::step_start, boundary::g2p, dt);
  const Snapshot moved = solver->save(boundary::g2p, false);
  double left = 0.0;
  for (std::size_t axis = 0; axis < d; ++axis) left += moved.get(field::grad_v).value[axis * d + axis];
  constexpr double digits = 1e5;
  return std::round(digits * (1.0 - left / (static_cast<double>(d) * rate))) / digits;
}

double lagged_share(const Scene& scene, double dt) {
  const Material& sand = scene.materials.front();
  const double stiffness = scene.dim() * lame(sand).lambda + 2.0 * lame(sand).mu;
  const double squared = stiffness / sand.density * std::pow(dt / scene.grid.h, 2);
  return 4.0 * squared / (1.0 + 4.0 * squared);
}

}  // namespace repose::experiments::tampubolon2017
