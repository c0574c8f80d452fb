#pragma once

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/snapshot.h"
#include "tests/unit/mpm/scenes.h"

namespace repose::test {

inline Material pore_water() {
  Material m;
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = 5e4;
  m.water_gamma = 3.0;
  return m;
}

inline Material wet_sand() {
  Material m = sand();
  m.cohesion = 400.0;
  return m;
}

/// A box of 12 cells per axis with its corner at the origin; no gravity, no bodies; material 0 is cohesive sand, 1 water.
inline Scene mixed_box(int dim, MixtureOptions options = {}, double h = 0.1) {
  Scene scene = empty_box(dim, options.kernel, options.transfer, h);
  scene.scheme = options;
  scene.materials = {wet_sand(), pore_water()};
  return scene;
}

/// Particles of both phases in turn, as a step_start state at time 0.
template <int d>
Snapshot mixed_start(const std::vector<Particle<d>>& particles, const Scene& scene) {
  Snapshot s;
  s.method = method::mixture.name;
  s.fields = method::state_at_rest(method::mixture, d, particles.size());
  const auto vector = [&](std::string_view name, std::size_t p, const Vec<d>& value) {
    for (std::size_t a = 0; a < d; ++a) s.get(name).value[p * d + a] = value[static_cast<Eigen::Index>(a)];
  };
  const auto matrix = [&](std::string_view name, std::size_t p, const Mat<d>& value) {
    for (std::size_t i = 0; i < d * d; ++i)
      s.get(name).value[p * d * d + i] =
          value(static_cast<Eigen::Index>(i / d), static_cast<Eigen::Index>(i % d));
  };
  for (std::size_t p = 0; p < particles.size(); ++p) {
    const Particle<d>& one = particles[p];
    s.get(field::mass).value[p] = one.m;
    s.get(field::volume).value[p] = one.V0;
    s.get(field::material).value[p] = one.material;
    vector(field::x, p, one.x);
    vector(field::v, p, one.v);
    matrix(field::C, p, one.C);
    matrix(field::F, p, one.F);
    s.get(field::J).value[p] = one.J;
    s.get(field::q).value[p] = one.q;
    s.get(field::v_c).value[p] = one.v_c;
    s.get(field::c_C).value[p] = scene.materials.at(static_cast<std::size_t>(one.material)).cohesion;
  }
  return s;
}

/// Particles at random places in the middle of the box, in motion and deformed: sand on the left, water on the right, by turns
/// in between.
template <int d>
std::vector<Particle<d>> slurry(const Scene& scene, std::size_t count = 120, std::uint64_t seed = 17) {
  std::vector<Particle<d>> particles = cloud<d>(scene, count, seed, 0.5, 2.0);
  std::mt19937_64 random(seed + 1);
  for (std::size_t n = 0; n < particles.size(); ++n) {
    Particle<d>& p = particles[n];
    const double cells = p.x[0] / scene.grid.h;
    p.material = cells < 5.0 ? 0 : cells > 7.0 ? 1 : static_cast<int>(n % 2);
    if (p.material == 1)
      p.J = draw(random, 0.9, 1.05);
    else
      p.F += draw_matrix<d>(random, -0.01, 0.008);
  }
  return particles;
}

/// Numbers of a field at one element.
inline std::vector<double> numbers(const Snapshot& state, std::string_view name, std::size_t element) {
  const Field& field = state.get(name);
  const auto k = static_cast<std::size_t>(field.components);
  const auto from = field.value.begin() + static_cast<std::ptrdiff_t>(element * k);
  return {from, from + static_cast<std::ptrdiff_t>(k)};
}

template <int d>
Vec<d> vector_at(const Snapshot& state, std::string_view name, std::size_t element) {
  return Eigen::Map<const Vec<d>>(state.get(name).value.data() + element * d);
}

}  // namespace repose::test
