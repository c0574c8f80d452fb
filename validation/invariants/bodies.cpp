#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/base/error.h"
#include "reference/interface/particles/sampling.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace repose::invariants {

namespace {

Material plain_sand(std::string name, double density) {
  Material m;
  m.name = std::move(name);
  m.density = density;
  m.youngs_modulus = 1e6;
  m.poisson_ratio = 0.3;
  return m;
}

/// A ball, a box and a cylinder of three materials, not in their order, that move and turn.
Scene three_bodies(int dim, Transfer transfer) {
  Scene scene;
  scene.grid = {.dim = dim,
                .h = 0.1,
                .domain_min = {-1, -2, dim == 3 ? -1.5 : 0.0},
                .cells = {40, 40, dim == 3 ? 30 : 1}};
  scene.scheme = MpmOptions{.transfer = transfer};
  scene.materials = {plain_sand("a", 1000), plain_sand("b", 2000), plain_sand("c", 3500)};
  const double z = dim == 3 ? 0.25 : 0.0;
  const std::array<Shape, 3> shapes{
      Sphere{.centre = {0.5, 0.5, z}, .radius = 0.4},
      Box{.min = {-0.7, -1.5, dim == 3 ? -1.0 : 0.0}, .max = {0.1, -1.1, dim == 3 ? -0.5 : 0.0}},
      Cylinder{.centre = {2, -1, z},
               .axis = dim == 3 ? Point(0.6, 0, 0.8) : Point(0, 0, 1),
               .radius = 0.3,
               .half_length = dim == 3 ? 0.25 : 0.0}};
  const std::array<Sampling, 3> samplings{Sampling::poisson_disk, Sampling::regular, Sampling::jittered};
  for (std::size_t k = 0; k < 3; ++k) {
    Seed seed;
    seed.name = "seed " + std::to_string(k);
    seed.shape = shapes[k];
    seed.material = static_cast<int>((k + 1) % 3);
    seed.sampling = samplings[k];
    seed.particles_per_cell = 4.0 + static_cast<double>(k);
    seed.seed = k;
    seed.velocity = {1.0 + static_cast<double>(k), -2.0, dim == 3 ? 0.5 : 0.0};
    seed.spin =
        dim == 3 ? Point(0.3, -1.0, 2.0 + static_cast<double>(k)) : Point(0, 0, 2.0 + static_cast<double>(k));
    scene.seeds.push_back(seed);
  }
  return scene;
}

/// Volume of a body by the formulas of school [m³].
double plain_volume(const Shape& shape, int dim) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    double product = 1.0;
    for (int axis = 0; axis < dim; ++axis) product *= box->max[axis] - box->min[axis];
    return product;
  }
  if (const auto* ball = std::get_if<Sphere>(&shape))
    return std::numbers::pi * (dim == 2 ? std::pow(ball->radius, 2) : std::pow(ball->radius, 3) * 4.0 / 3.0);
  const auto& rod = std::get<Cylinder>(shape);
  return std::numbers::pi * rod.radius * rod.radius * (dim == 2 ? 1.0 : 2.0 * rod.half_length);
}

/// One value of a particle's field.
double value_of(const Snapshot& state, std::string_view name, std::size_t particle,
                std::size_t component = 0) {
  const Field& f = state.get(name);
  return f.value.at(particle * static_cast<std::size_t>(f.components) + component);
}

Point place_of(const Snapshot& state, std::string_view name, std::size_t particle, int dim) {
  Point x = Point::Zero();
  for (int axis = 0; axis < dim; ++axis)
    x[axis] = value_of(state, name, particle, static_cast<std::size_t>(axis));
  return x;
}

/// The particles of seeds: in their order; V⁰ the body's volume over their number, m = ρ V⁰ of their own material, so that
/// each body has its mass; rigid motion about the body's centre; at rest in all else.
void particles_of_seeds(int dim, Ledger& ledger) {
  ledger.needs("particles", 300);
  ledger.needs("affine velocities", 300);
  const auto d = static_cast<std::size_t>(dim);
  for (const Transfer transfer : {Transfer::apic, Transfer::pic, Transfer::flip, Transfer::flip_pic}) {
    const Scene scene = three_bodies(dim, transfer);
    const Snapshot state = sample(scene);
    std::size_t p = 0;
    for (const Seed& seed : scene.seeds) {
      const Surface surface = surface_of(seed.shape, dim);
      const std::size_t first = p;
      double mass = 0.0, space = 0.0;
      while (p < state.particles() && value_of(state, field::material, p) == seed.material) {
        const Point x = place_of(state, field::x, p, dim);
        ledger.holds("particles inside their body", surface.inside(x) || surface.off(x) < 1e-14, x);
        mass += value_of(state, field::mass, p);
        space += value_of(state, field::volume, p);
        ledger.equal("volumes of a body's particles are alike", value_of(state, field::volume, p),
                     value_of(state, field::volume, first), x);
        // ω × r written out.
        const Point r = x - surface.centre;
        const Point& w = seed.spin;
        const Point turning(w.y() * r.z() - w.z() * r.y(), w.z() * r.x() - w.x() * r.z(),
                            w.x() * r.y() - w.y() * r.x());
        ledger.near("velocity", place_of(state, field::v, p, dim), seed.velocity + turning, 64.0 * 0x1p-53,
                    x);
        // C as a function: C e_b = ω × e_b for each axis.
        for (std::size_t b = 0; b < d; ++b) {
          const Point e = Point::Unit(static_cast<Eigen::Index>(b));
          const Point column(w.y() * e.z() - w.z() * e.y(), w.z() * e.x() - w.x() * e.z(),
                             w.x() * e.y() - w.y() * e.x());
          for (std::size_t a = 0; a < d; ++a) {
            const bool carried = transfer == Transfer::apic;
            ledger.equal("C", value_of(state, field::C, p, a * d + b),
                         carried ? column[static_cast<Eigen::Index>(a)] : 0.0, x);
            ledger.equal("F", value_of(state, field::F, p, a * d + b), a == b ? 1.0 : 0.0, x);
          }
        }
        if (transfer == Transfer::apic) ledger.saw("affine velocities");
        ledger.equal("q", value_of(state, field::q, p), 0.0, x);
        ledger.equal("v_c", value_of(state, field::v_c, p), 0.0, x);
        ledger.equal("J", value_of(state, field::J, p), 1.0, x);
        ledger.saw("particles");
        ++p;
      }
      const auto count = static_cast<double>(p - first);
      const double expected = plain_volume(seed.shape, dim);
      const double density = scene.materials.at(static_cast<std::size_t>(seed.material)).density;
      // A sum of as many equal numbers, and the product.
      const double rounding = (count + 8.0) * 0x1p-53;
      ledger.near("volume of a body's particles", space / expected, 1.0, rounding);
      ledger.near("mass of a body's particles", mass / (density * expected), 1.0, rounding);
      // A lattice misses its number by what lies at the border: a particle's width all around, surface over volume.
      const double wanted = seed.particles_per_cell * expected / std::pow(scene.grid.h, dim);
      ledger.within("particles over those wanted", count / wanted,
                    seed.sampling == Sampling::poisson_disk ? 0.98 : 0.7,
                    seed.sampling == Sampling::poisson_disk ? 1.02 : 1.4);
    }
    ledger.equal("particles of no seed", static_cast<double>(state.particles() - p), 0.0);
    ledger.equal("time", state.time, 0.0);
  }
}

/// Whether a scene is refused.
bool seeds_refused(const Scene& scene) {
  try {
    sample(scene);
  } catch (const BadInput&) {
    return true;
  }
  return false;
}

/// A body in a solid or beyond the domain is refused, one that touches them is taken; and one that gives no particle.
void places_of_seeds(int dim, Ledger& ledger) {
  ledger.needs("refusals", 5);
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.grid = {.dim = dim, .h = 0.1, .cells = {10, 10, dim == 3 ? 10 : 1}};
  scene.materials = {plain_sand("a", 1000)};
  Seed seed;
  seed.name = "block";
  seed.shape = Box{.min = {0, 0, 0}, .max = {0.4, 0.4, 0.4}};
  seed.sampling = Sampling::regular;
  seed.particles_per_cell = std::pow(2.0, dim);
  scene.seeds = {seed};
  ledger.holds("in the corner of the domain", !seeds_refused(scene));
  for (int axis = 0; axis < dim; ++axis) {
    for (const double way : {-1.0, 1.0}) {
      Scene moved = scene;
      auto& box = std::get<Box>(moved.seeds[0].shape);
      const Point by = (way < 0.0 ? 0.05 : 0.65) * way * Point::Unit(axis);
      box.min += by;
      box.max += by;
      ledger.holds("half a cell beyond the domain", seeds_refused(moved));
      ledger.saw("refusals");
    }
  }
  for (const bool hollow : {false, true}) {
    Scene walled = scene;
    Collider wall;
    wall.name = "wall";
    wall.hollow = hollow;
    wall.shape = hollow ? Shape(Box{.min = {0, 0, -1}, .max = {0.4, 0.4, 1}})
                        : Shape(HalfSpace{.point = {0.4, 0, 0}, .normal = {-1, 0, 0}});
    walled.colliders = {wall};
    ledger.holds("touching a solid", !seeds_refused(walled));
    std::get<Box>(walled.seeds[0].shape).max.x() += 0.1;
    ledger.holds("a cell deep in a solid", seeds_refused(walled));
    ledger.saw("refusals");
  }
  Scene empty = scene;
  empty.seeds[0].sampling = Sampling::poisson_disk;
  empty.seeds[0].particles_per_cell = 1e-3;
  ledger.holds("no particle at all", seeds_refused(empty));
}

}  // namespace

void add_bodies(std::vector<Invariant>& all) {
  all.push_back({"particles_of_seeds",
                 "mass, volume and rigid motion of the particles of seeds",
                 "seeds",
                 {2, 3},
                 particles_of_seeds});
  all.push_back({"places_of_seeds", "which places of a seed are refused", "seeds", {2, 3}, places_of_seeds});
}

}  // namespace repose::invariants
