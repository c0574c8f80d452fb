#pragma once

#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/materials.h"
#include "reference/interface/solver.h"
#include "tests/unit/samples.h"

#include <Eigen/Geometry>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>

namespace repose {
// Names of data in test names.
inline std::ostream& operator<<(std::ostream& out, Kernel k) {
  return out << (k == Kernel::cubic ? "cubic" : "quadratic");
}
inline std::ostream& operator<<(std::ostream& out, Transfer t) {
  constexpr const char* names[] = {"apic", "pic", "flip", "flip_pic"};
  return out << names[static_cast<int>(t)];
}
inline std::ostream& operator<<(std::ostream& out, HardeningApart h) {
  return out << (h == HardeningApart::opening ? "opening" : "opening and closing");
}
inline std::ostream& operator<<(std::ostream& out, Precision p) {
  return out << (p == Precision::single_ ? "float" : "double");
}
}  // namespace repose

/// Scenes and states for tests of the fast solver: small blocks of particles in random motion.
namespace repose::optimized_tests {

using test::draw;

inline Material sand() {
  Material m;
  m.name = "sand";
  m.density = 2200.0;
  m.youngs_modulus = 3.5e5;
  m.poisson_ratio = 0.3;
  m.friction = {.h0 = 35 * degree, .h1 = 9 * degree, .h2 = 0.2, .h3 = 10 * degree};
  m.volume_correction = true;
  return m;
}

/// Cohesive, with a tip at tr ε = .003 in 3D before it hardens, and an energy whose regions meet at strains of some .3 %.
inline Material wet_sand() {
  Material m = sand();
  m.name = "wet sand";
  m.cohesion = 700.0;
  m.unilateral = Unilateral{.a = -0.4, .b = 0.1, .c0 = 0.5, .strain_unit = 0.01};
  return m;
}

inline Material rubber() {
  Material m = sand();
  m.name = "rubber";
  m.kind = MaterialKind::elastic;
  m.density = 1100.0;
  m.youngs_modulus = 1.0e5;
  return m;
}

/// A domain of `cells` cells of 1/16 m per axis, no bodies.
inline Scene empty_scene(int dim, Kernel kernel, Transfer transfer, int cells = 16) {
  Scene s;
  s.grid.dim = dim;
  s.grid.h = 0.0625;
  for (int a = 0; a < dim; ++a) s.grid.cells[static_cast<std::size_t>(a)] = cells;
  s.scheme = MpmOptions{.kernel = kernel, .transfer = transfer, .flip_share = 0.9, .elastic_bound = 0.5};
  s.gravity = dim == 3 ? Point(0, 0, -9.81) : Point(0, -9.81, 0);
  s.materials = {sand(), rubber()};
  s.step = {.max_dt = 1e-3, .cfl = 1.0};
  s.frame_rate = 100;
  s.duration = 1;
  return s;
}

inline Field particle_field(std::string_view name, int components, std::size_t count) {
  return {std::string(name), "", Place::particle, components,
          std::vector<double>(static_cast<std::size_t>(components) * count)};
}

/// A step_start snapshot of `count` particles at rest, undeformed, of material 0, at the origin of the domain.
inline Snapshot resting(const Scene& scene, std::size_t count) {
  const int d = scene.dim();
  Snapshot s;
  s.method = "mpm";
  for (const auto& [name, components] : {std::pair{field::mass, 1},
                                         {field::volume, 1},
                                         {field::material, 1},
                                         {field::x, d},
                                         {field::v, d},
                                         {field::C, d * d},
                                         {field::F, d * d},
                                         {field::q, 1},
                                         {field::v_c, 1},
                                         {field::J, 1}})
    s.set(particle_field(name, components, count));
  const double cell = std::pow(scene.grid.h, d);
  s.get(field::J).value.assign(count, 1.0);
  for (std::size_t p = 0; p < count; ++p) {
    s.get(field::volume).value[p] = cell / 8.0;
    s.get(field::mass).value[p] = cell / 8.0 * scene.materials[0].density;
    for (int a = 0; a < d; ++a)
      s.get(field::F).value[static_cast<std::size_t>(d * d) * p + static_cast<std::size_t>(a * (d + 1))] =
          1.0;
  }
  return s;
}

/// Particles uniformly in the box [low, high] (fractions of the domain), with random velocities, affine parts, strains
/// of size `strain`, hardening and volume corrections.
inline Snapshot random_state(const Scene& scene, std::size_t count, double low, double high,
                             std::uint64_t seed, double speed = 1.0, double strain = 0.01) {
  std::mt19937_64 random(seed);
  const int d = scene.dim();
  Snapshot s = resting(scene, count);
  const Point size = scene.grid.domain_max() - scene.grid.domain_min;
  for (std::size_t p = 0; p < count; ++p) {
    const auto n = static_cast<std::size_t>(d);
    for (std::size_t a = 0; a < n; ++a) {
      const int axis = static_cast<int>(a);
      s.get(field::x).value[n * p + a] = scene.grid.domain_min[axis] + size[axis] * draw(random, low, high);
      s.get(field::v).value[n * p + a] = draw(random, -speed, speed);
    }
    for (std::size_t k = 0; k < n * n; ++k) {
      if (mpm_options(scene).transfer == Transfer::apic)
        s.get(field::C).value[n * n * p + k] = draw(random, -speed, speed);
      s.get(field::F).value[n * n * p + k] += draw(random, -strain, strain);
    }
    const double kind = draw(random, 0.0, 3.0);
    if (scene.materials.size() > 1 && kind < 1.0) {
      s.get(field::material).value[p] = 1;
      s.get(field::mass).value[p] *= scene.materials[1].density / scene.materials[0].density;
    } else {
      s.get(field::q).value[p] = draw(random, 0.0, 0.5);
      if (kind < 1.5) s.get(field::v_c).value[p] = draw(random, 0.0, strain);
    }
  }
  return s;
}

/// A floor, a slipping wall, a moving and turning box, a sticky ball; the first two with friction.
inline void add_bodies(Scene& s) {
  const int d = s.dim();
  const Point up = d == 3 ? Point(0, 0, 1) : Point(0, 1, 0);
  Collider floor;
  floor.name = "floor";
  floor.shape = HalfSpace{0.3 * up, up};
  floor.friction = 0.4;
  s.colliders.push_back(floor);
  Collider wall;
  wall.name = "wall";
  wall.shape = HalfSpace{Point(0.35, 0, 0), Point(1, 0, 0)};
  wall.contact = Contact::slipping;
  wall.friction = 0.3;
  s.colliders.push_back(wall);
  Collider box;
  box.name = "box";
  box.shape = Box{Point(0.6, 0.55, 0.55), Point(0.9, 0.9, 0.9)};
  box.velocity = Point(-1.0, 0.2, 0.0);
  box.spin = Point(0, 0, 2.0);
  box.friction = 0.5;
  box.friction_from_push_only = true;
  s.colliders.push_back(box);
  Collider ball;
  ball.name = "ball";
  ball.shape = Sphere{d == 3 ? Point(0.5, 0.5, 0.5) : Point(0.5, 0.5, 0), 0.08};
  ball.contact = Contact::sticky;
  ball.spin = Point(0, 0, 1.0);
  s.colliders.push_back(ball);
}

/// A frame turned about z, in 3D about x as well.
inline Mat<3> turned_axes(std::mt19937_64& random, int dim) {
  const double about_z = draw(random, 0.0, 6.0);
  const double about_x = dim == 3 ? draw(random, 0.0, 6.0) : 0.0;
  return (Eigen::AngleAxisd(about_z, Vec<3>::UnitZ()) * Eigen::AngleAxisd(about_x, Vec<3>::UnitX()))
      .toRotationMatrix();
}

/// A solver that shares every loop among its threads, however few the particles are.
inline std::unique_ptr<Solver> solver_of(const Scene& scene, Precision precision, int threads = 1,
                                         const std::string& simd = {}) {
  return make_optimized_solver(
      scene, {.precision = precision, .threads = threads, .simd = simd, .all_threads = true});
}

/// The same elements, and the same bits in every field of the first.
inline void require_equal(const Snapshot& a, const Snapshot& b) {
  BOOST_TEST(a.time == b.time);
  BOOST_TEST(a.step == b.step);
  BOOST_REQUIRE(a.ids(Place::node) == b.ids(Place::node));
  BOOST_REQUIRE(a.fields.size() == b.fields.size());
  for (const Field& f : a.fields) {
    const Field& other = b.get(f.name);
    BOOST_REQUIRE(f.value.size() == other.value.size());
    const bool same = std::memcmp(f.value.data(), other.value.data(), f.value.size() * sizeof(double)) == 0;
    BOOST_TEST(same, "field " << f.name << " at " << a.at);
  }
}

}  // namespace repose::optimized_tests
