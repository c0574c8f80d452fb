#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/mpm/reference_solver.h"
#include "reference/mpm/transfer_to_grid.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/math/special_functions/lambert_w.hpp>

#include <algorithm>
#include <cmath>

/// Scenes of steps that solve for their velocities.
namespace repose::test {

inline constexpr double g = 9.81;

/// Largest speed component of a state [m/s].
inline double fastest(const Snapshot& state) {
  double speed = 0.0;
  for (const double v : state.get(field::v).value) speed = std::max(speed, std::abs(v));
  return speed;
}

/// Sand whose unilateral energy falls over strains of a hundredth.
inline Material unilateral_sand() {
  Material material = sand();
  material.unilateral = Unilateral{.a = -0.01, .b = 0.0, .c0 = 0.1};
  return material;
}

/// A column of 1 m between slipping walls on a slipping floor, 2 × 2 particles per cell. Nodes lie a
/// millionth of a cell inside the solids: those of the surface are held.
inline Scene hencky_column(Integrator integrator, std::int64_t cells, Material material = rubber()) {
  Scene scene;
  scene.grid.dim = 2;
  scene.grid.h = 1.0 / static_cast<double>(cells);
  const double h = scene.grid.h;
  const double inside = 1e-6 * h;
  scene.grid.cells = {8, cells + 4, 1};
  scene.grid.domain_min = {-2.0 * h - inside, -2.0 * h - inside, 0};
  scene.gravity = {0, -g, 0};
  scene.scheme = MpmOptions{.integrator = integrator};
  material.density = 2000.0;
  const double M = 1e6;  // λ + 2μ
  const double nu = material.poisson_ratio;
  material.youngs_modulus = M * (1.0 + nu) * (1.0 - 2.0 * nu) / (1.0 - nu);
  scene.materials = {material};
  scene.seeds = {{.name = "column",
                  .shape = Box{.min = {0, 0, 0}, .max = {4.0 * h, 1, 0}},
                  .sampling = Sampling::regular,
                  .particles_per_cell = 4.0}};
  const auto wall = [](const char* name, Point point, Point normal) {
    return Collider{
        .name = name, .shape = HalfSpace{.point = point, .normal = normal}, .contact = Contact::slipping};
  };
  scene.colliders = {wall("floor", Point::Zero(), Point::UnitY()),
                     wall("left", Point::Zero(), Point::UnitX()),
                     wall("right", {4.0 * h - 2.0 * inside, 0, 0}, -Point::UnitX())};
  return scene;
}

/// Where a particle of the column that was at Y rests: M ln F/F = −ρ₀ g (H − Y).
inline double settled(double Y, double M, double density) {
  const double z0 = density * g / M;
  const auto G = [](double z) {
    const double W = boost::math::lambert_w0(z);
    return W + 0.5 * W * W;
  };
  return M / (density * g) * (G(z0) - G(z0 * (1.0 - Y)));
}

/// A block of sand or rubber that falls on a floor while it is squeezed.
inline Scene falling_block(const Material& material, Integrator integrator) {
  Scene scene = empty_box(2);
  scene.materials = {material};
  scene.gravity = {0, -g, 0};
  mpm_options(scene).integrator = integrator;
  mpm_options(scene).implicit.newton_tolerance = 1e-10;
  mpm_options(scene).implicit.gmres_iterations = 200;
  mpm_options(scene).implicit.gmres_tolerance = 1e-6;
  scene.colliders = {{.name = "floor",
                      .shape = HalfSpace{.point = {0, 0.35, 0}},
                      .contact = Contact::separating,
                      .friction = 0.4}};
  scene.seeds = {{.name = "block",
                  .shape = Box{.min = {0.4, 0.35, 0}, .max = {0.7, 0.65, 0}},
                  .sampling = Sampling::regular,
                  .particles_per_cell = 4.0,
                  .velocity = {0.3, -0.5, 0}}};
  return scene;
}

inline Snapshot run_for(const Scene& scene, double time, int steps) {
  const auto solver = make_reference_solver(scene);
  solver->load(sample(scene));
  for (int n = 0; n < steps; ++n) solver->advance([&](double) { return time / steps; });
  return solver->save(boundary::step_start, false);
}

inline double largest_difference(const Snapshot& a, const Snapshot& b, std::string_view name) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.get(name).value.size(); ++i) {
    largest = std::max(largest, std::abs(a.get(name).value[i] - b.get(name).value[i]));
  }
  return largest;
}

/// A block of 6 × 6 particles with a velocity field, on its grid.
inline State<2> block(const Scene& scene, const Vec<2>& low, const Vec<2>& v, double squeeze = 0.0) {
  State<2> state(scene.grid);
  const double spacing = 0.5 * scene.grid.h;
  for (int i = 0; i < 36; ++i) {
    const Vec<2> offset = spacing * Vec<2>(i % 6 + 0.5, i / 6 + 0.5);
    Particle<2> p = particle_at<2>(low + offset, 2200.0 * spacing * spacing, spacing * spacing);
    p.C = -squeeze * Mat<2>::Identity();
    p.v = v - squeeze * (offset - 3.0 * spacing * Vec<2>::Ones());
    state.particles.push_back(p);
  }
  StepReport report;
  transfer_to_grid<2>(state, StepContext{scene, 0.0, 0.0}, report);
  return state;
}

inline Scene with_floor(Contact contact, const Material& material) {
  Scene scene = empty_box(2);
  scene.materials = {material};
  scene.gravity = {0, -9.81, 0};
  // Between two rows of nodes.
  scene.colliders = {{.name = "floor", .shape = HalfSpace{.point = {0, 0.35, 0}}, .contact = contact}};
  mpm_options(scene).implicit = {.newton_tolerance = 1e-11, .gmres_iterations = 500, .gmres_tolerance = 1e-8};
  return scene;
}

}  // namespace repose::test
