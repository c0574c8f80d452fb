#include "reference/interface/particles/sampling.h"

#include "reference/interface/base/error.h"
#include "reference/interface/particles/fresh_particles.h"
#include "reference/interface/particles/poisson_disk.h"
#include "reference/interface/particles/random.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace repose {

namespace {

/// Distance of lattice points that gives the wanted density: h/k where particles_per_cell = k^d, so that the points of
/// a shape on grid nodes have dyadic offsets for k = 2, 4, …; h/∛ppc (√ppc in 2D) otherwise.
double lattice_spacing(double particles_per_cell, double h, int dim) {
  const double k = dim == 2 ? std::sqrt(particles_per_cell) : std::cbrt(particles_per_cell);
  const double whole = std::round(k);
  const double power = dim == 2 ? whole * whole : whole * whole * whole;
  return power == particles_per_cell ? h / whole : h / k;
}

/// The cells of a lattice that fits a whole number of times into the shape's bounding box, x slowest; calls
/// visit(lower corner, extent) for each.
template <class Visit>
void for_each_lattice_cell(const Bounds& box, double spacing, int dim, const Visit& visit) {
  std::array<std::int64_t, 3> cells{1, 1, 1};
  Point extent = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) {
    const double length = box.max[axis] - box.min[axis];
    auto& count = cells[static_cast<std::size_t>(axis)];
    count = std::max<std::int64_t>(1, std::llround(length / spacing));
    extent[axis] = length / static_cast<double>(count);
  }
  for (std::int64_t i = 0; i < cells[0]; ++i) {
    for (std::int64_t j = 0; j < cells[1]; ++j) {
      for (std::int64_t k = 0; k < cells[2]; ++k) {
        const Point index(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        visit(Point(box.min + index.cwiseProduct(extent)), extent);
      }
    }
  }
}

std::vector<Point> regular(const Shape& shape, double spacing, int dim) {
  std::vector<Point> points;
  for_each_lattice_cell(bounds(shape, dim), spacing, dim, [&](const Point& corner, const Point& extent) {
    const Point x = corner + 0.5 * extent;
    if (signed_distance(shape, x, dim).phi <= 0.0) points.push_back(x);
  });
  return points;
}

std::vector<Point> jittered(const Shape& shape, double spacing, std::uint64_t seed, int dim) {
  Random random(seed);
  std::vector<Point> points;
  for_each_lattice_cell(bounds(shape, dim), spacing, dim, [&](const Point& corner, const Point& extent) {
    Point x = corner;
    for (int axis = 0; axis < dim; ++axis) x[axis] += extent[axis] * random.unit();
    if (signed_distance(shape, x, dim).phi <= 0.0) points.push_back(x);
  });
  return points;
}

/// ∇v of a rigid rotation: (∇v) r = ω × r.
Eigen::Matrix3d rotation_gradient(const Point& omega) {
  Eigen::Matrix3d gradient;
  gradient << 0.0, -omega.z(), omega.y(), omega.z(), 0.0, -omega.x(), -omega.y(), omega.x(), 0.0;
  return gradient;
}

std::string prefix(const Seed& seed) { return seed.where.empty() ? "" : seed.where + ": "; }

[[noreturn]] void refuse(const Seed& seed, const std::string& problem) {
  throw BadInput(fmt::format("{}seed = \"{}\": {}", prefix(seed), seed.name, problem));
}

std::string text(const Point& x, int dim) {
  return dim == 2 ? fmt::format("({:.6g}, {:.6g})", x.x(), x.y())
                  : fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z());
}

void check_place(const Scene& scene, const Seed& seed, const Point& x) {
  const int dim = scene.dim();
  const Point domain_max = scene.grid.domain_max();
  for (int axis = 0; axis < dim; ++axis) {
    const bool below =
        scene.grid.is_periodic(axis) ? x[axis] < domain_max[axis] : x[axis] <= domain_max[axis];
    if (!(x[axis] >= scene.grid.domain_min[axis] && below)) {
      refuse(seed, fmt::format("a particle at {} m lies outside the domain; move or shrink the shape",
                               text(x, dim)));
    }
  }
  // A seed may touch a wall: rounding of the sampled positions is far below this share of h.
  const double allowed = -1e-9 * scene.grid.h;
  for (const Collider& collider : scene.colliders) {
    if (signed_distance(collider, x, 0.0, scene.grid).phi < allowed) {
      refuse(seed,
             fmt::format(
                 "a particle at {} m lies inside the collider \"{}\"; seeds must start outside of solids",
                 text(x, dim), collider.name));
    }
  }
}

/// sample_shape(), whose errors name no seed.
std::vector<Point> points_of(const Seed& seed, const Grid& grid) {
  try {
    return sample_shape(seed.shape, seed.sampling, seed.particles_per_cell, grid.h, seed.seed, grid.dim,
                        grid.periods());
  } catch (const BadInput& error) {
    refuse(seed, error.what());
  }
}

}  // namespace

std::vector<Point> sample_shape(const Shape& shape, Sampling sampling, double particles_per_cell,
                                double spacing, std::uint64_t seed, int dim, const Point& periods) {
  switch (sampling) {
    case Sampling::regular:
      return regular(shape, lattice_spacing(particles_per_cell, spacing, dim), dim);
    case Sampling::jittered:
      return jittered(shape, lattice_spacing(particles_per_cell, spacing, dim), seed, dim);
    case Sampling::poisson_disk:
      break;
  }
  const double cell_volume = dim == 2 ? spacing * spacing : spacing * spacing * spacing;
  const double wanted = particles_per_cell * (volume(shape, dim) / cell_volume);
  // Fewer than half a particle is none, as it would be for a lattice that misses the shape.
  if (wanted < 0.5) return {};
  return poisson_disk_of_count(shape, wanted, seed, dim, periods).points;
}

double volume(const Shape& shape, int dim) {
  struct Volume {
    int dim;
    double operator()(const HalfSpace&) const {
      throw std::invalid_argument("a half-space has no finite volume");
    }
    double operator()(const Wedge&) const { throw std::invalid_argument("a wedge has no finite volume"); }
    double operator()(const Box& s) const {
      const Point e = s.max - s.min;
      return dim == 2 ? e.x() * e.y() : e.x() * e.y() * e.z();
    }
    double operator()(const Sphere& s) const {
      const double disk = std::numbers::pi * s.radius * s.radius;
      return dim == 2 ? disk : 4.0 / 3.0 * disk * s.radius;
    }
    double operator()(const Cylinder& s) const {
      const double disk = std::numbers::pi * s.radius * s.radius;
      return dim == 2 ? disk : disk * (2.0 * s.half_length);
    }
  };
  return std::visit(Volume{dim}, shape);
}

Snapshot sample(const Scene& scene) {
  const int dim = scene.dim();
  FreshParticles particles(scene);

  for (const Seed& seed : scene.seeds) {
    const std::vector<Point> points = points_of(seed, scene.grid);
    if (points.empty()) refuse(seed, "gives no particle; enlarge the shape or raise particles_per_cell");
    const double V0 = volume(seed.shape, dim) / static_cast<double>(points.size());
    const double m = scene.materials.at(static_cast<std::size_t>(seed.material)).density * V0;
    const Point c = centre(seed.shape);
    // What carries no affine velocity has no use for C: it is zero.
    const Eigen::Matrix3d C = scene.scheme.table().affine(scene) ? rotation_gradient(seed.spin)
                                                                 : Eigen::Matrix3d(Eigen::Matrix3d::Zero());
    for (const Point& x : points) {
      Point place = x;
      for (int axis = 0; axis < dim; ++axis) scene.grid.wrap(place[axis], axis);
      check_place(scene, seed, place);
      particles.add(m, V0, seed.material, place, seed.velocity + seed.spin.cross(x - c), C);
    }
  }

  return particles.take();
}

}  // namespace repose
