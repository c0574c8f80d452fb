#pragma once

#include "reference/mixture/coupled_step.h"
#include "reference/mixture/mixture_solver.h"
#include "reference/mpm/transfer_to_grid.h"
#include "tests/unit/mixture/scenes.h"
#include "tests/unit/mpm/balance_checks.h"

/// Scenes of semi-implicit steps of two phases.
namespace repose::test {

/// Options of such steps, solved to the last digits but a few.
inline MixtureOptions solved(MixtureOptions options = {}) {
  options.integrator = Integrator::semi_implicit;
  options.implicit = {
      .newton_tolerance = 1e-11, .newton_iterations = 60, .gmres_iterations = 400, .gmres_tolerance = 1e-6};
  return options;
}

/// A box of wet sand, in part corrected for volume, and of water under gravity; material 2 is sand, too.
inline Scene solved_box(int dim, const MixtureOptions& options) {
  Scene scene = mixed_box(dim, options);
  scene.gravity = Point(0.3, -9.81, 0.0);
  scene.materials[0].unilateral = Unilateral{.a = -0.01, .b = 0.0, .c0 = 0.1};
  scene.materials.push_back(scene.materials[0]);
  scene.materials[2].name = "corrected sand";
  scene.materials[2].volume_correction = options.energy == Energy::unilateral;
  return scene;
}

/// slurry(), every second grain of material 2 and, with the unilateral energy, shifted by its volume correction.
template <int d>
std::vector<Particle<d>> grains(const Scene& scene) {
  std::vector<Particle<d>> particles = slurry<d>(scene);
  for (std::size_t n = 0; n < particles.size(); n += 2) {
    if (particles[n].material != 0) continue;
    particles[n].material = 2;
    if (scene.materials[2].volume_correction) particles[n].v_c = 0.006;
  }
  return particles;
}

template <int d>
std::unique_ptr<Solver> solver_of(const Scene& scene) {
  auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<d>(grains<d>(scene), scene));
  return solver;
}

/// Both phases on their grids.
template <int d>
MixtureState<d> at_p2g(const Scene& scene) {
  MixtureState<d> state(scene);
  const std::vector<Particle<d>> all = grains<d>(scene);
  std::vector<std::int64_t> ids;
  for (const Particle<d>& p : all) {
    State<d>& own = state.of(mixture::phase_of(scene.materials[static_cast<std::size_t>(p.material)]));
    own.particles.push_back(p);
    if (p.material != 1) own.particles.back().c_C = scene.materials[0].cohesion;
  }
  StepReport report;
  transfer_both_to_grids<d>(state, {scene, 0.0, 1e-3}, report);
  return state;
}

}  // namespace repose::test
