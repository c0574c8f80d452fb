#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"
#include "reference/mpm/state.h"
#include "reference/mpm/state_snapshot.h"
#include "tests/unit/samples.h"

namespace repose::test {

inline Material sand(double friction_deg = 30.0) {
  Material material;
  material.name = "sand";
  material.density = 2200.0;
  material.youngs_modulus = 3.537e5;
  material.poisson_ratio = 0.3;
  material.friction.h0 = friction_deg * degree;
  return material;
}

inline Material rubber() {
  Material material = sand();
  material.name = "rubber";
  material.kind = MaterialKind::elastic;
  return material;
}

/// A box of 12 cells per axis with its corner at the origin; no gravity, no bodies, sand.
inline Scene empty_box(int dim, Kernel kernel = Kernel::cubic, Transfer transfer = Transfer::apic,
                       double h = 0.1) {
  Scene scene;
  scene.grid.dim = dim;
  scene.grid.h = h;
  scene.grid.cells = {12, 12, dim == 3 ? 12 : 1};
  scene.scheme = MpmOptions{.kernel = kernel, .transfer = transfer};
  scene.materials = {sand()};
  return scene;
}

template <int d>
Particle<d> particle_at(const Vec<d>& x, double m = 1.0, double V0 = 1e-3) {
  Particle<d> p;
  p.x = x;
  p.m = m;
  p.V0 = V0;
  return p;
}

/// Particles at random places in the middle third of the box, so that no stencil reaches the border, with
/// random masses in [1, 2] kg, velocities and affine velocities.
template <int d>
std::vector<Particle<d>> cloud(const Scene& scene, std::size_t count, std::uint64_t seed, double speed = 1.0,
                               double rate = 3.0) {
  std::mt19937_64 random(seed);
  const double extent = scene.grid.h * static_cast<double>(scene.grid.cells[0]);
  std::vector<Particle<d>> particles;
  for (std::size_t n = 0; n < count; ++n) {
    const Vec<d> x =
        in_plane<d>(scene.grid.domain_min) + draw_vector<d>(random, extent / 3.0, 2.0 * extent / 3.0);
    const double m = draw(random, 1.0, 2.0);
    Particle<d> p = particle_at<d>(x, m, m / 2200.0);
    p.v = draw_vector<d>(random, -speed, speed);
    p.C = draw_matrix<d>(random, -rate, rate);
    particles.push_back(p);
  }
  return particles;
}

/// The particles as a step_start snapshot at time 0.
template <int d>
Snapshot start(const Scene& scene, const std::vector<Particle<d>>& particles) {
  State<d> state(scene.grid);
  state.particles = particles;
  return save_state<d>(state, boundary::step_start);
}

template <int d>
Vec<d> momentum(const std::vector<Particle<d>>& particles) {
  Vec<d> sum = Vec<d>::Zero();
  for (const Particle<d>& p : particles) sum += p.m * p.v;
  return sum;
}

/// Component (a, b) of x ⊗ v − v ⊗ x: angular momentum in any dimension.
template <int d>
Mat<d> wedge(const Vec<d>& x, const Vec<d>& v) {
  return x * v.transpose() - v * x.transpose();
}

/// An empty box for water.
inline Scene pool(int dim, Kernel kernel = Kernel::quadratic) {
  Scene scene = empty_box(dim, kernel);
  Material& m = scene.materials[0];
  m = Material{};
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = 5e4;
  m.water_gamma = 3.0;
  return scene;
}

}  // namespace repose::test
