#include "validation/crosscheck/mpm/case_drawn.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_drawn_materials.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace repose::crosscheck {

namespace {

/// Where the block of sand stands when the case starts.
struct Region {
  Point centre = Point::Zero();
  Point half = Point::Zero();  ///< [m]
};

Point random_direction(int dim, Random& random) {
  const double around = random.between(0.0, 2.0 * std::numbers::pi);
  const double z = dim > 2 ? random.between(-1.0, 1.0) : 0.0;
  const double radius = std::sqrt(1.0 - z * z);
  return {radius * std::cos(around), radius * std::sin(around), z};
}

/// A direction at an angle to another.
Point turned_by(const Point& from, double angle, int dim, Random& random) {
  Point axis = Point::UnitZ();
  if (dim > 2) axis = from.cross(random_direction(3, random)).normalized();
  return (Eigen::AngleAxisd(angle, axis) * from).normalized();
}

void draw_grid(Case& c, Random& random) {
  Grid& grid = c.scene.grid;
  const int dim = c.setup.dim;
  grid.h = random.between(0.03, 0.08);
  grid.cells = {13, 12, dim > 2 ? 11 : 1};
  for (int a = 0; a < dim; ++a) grid.domain_min[a] = random.between(-1.5, 1.0);
  c.dt = grid.h * random.between(0.01, 0.02);
  c.scene.step.max_dt = c.dt;
  c.scene.gravity = random_direction(dim, random);
  c.scene.gravity *= random.between(2.0, 40.0);
  if (chance(random, 0.8)) {
    c.start.time = random.between(0.01, 2.0);
    c.start.step = 1000;
  }
}

/// The block, and for a side of the domain the direction away from it.
Region draw_block(Case& c, int border, Random& random, Point& inward) {
  const Grid& grid = c.scene.grid;
  const int dim = c.setup.dim;
  std::array<int, 3> first{0, 0, 0};
  std::array<int, 3> last{1, 1, 1};
  const int side = border < 0 ? -1 : border % (2 * dim);
  for (int a = 0; a < dim; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const int cells = static_cast<int>(grid.cells[axis]);
    const int extent = a == 0 ? 4 : 3;
    first[axis] = 2 + static_cast<int>(random.between(0.0, cells - extent - 3.0));
    if (side == 2 * a) first[axis] = 0;
    if (side == 2 * a + 1) first[axis] = cells - extent;
    last[axis] = first[axis] + extent;
  }
  fill_block(c, first, last, dim > 2 ? 2 : 4, 1);
  inward.setZero();
  Region region;
  for (int a = 0; a < dim; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    region.half[a] = 0.5 * grid.h * (last[axis] - first[axis]);
    region.centre[a] = grid.domain_min[a] + grid.h * first[axis] + region.half[a];
  }
  if (side < 0) return region;
  inward[side / 2] = side % 2 == 0 ? 1.0 : -1.0;
  // Every eighth particle stands on the border itself.
  Field& x = c.start.get(field::x);
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t p = 0; p < c.start.particles(); p += 8)
    x.value[p * d + static_cast<std::size_t>(side / 2)] =
        side % 2 == 0 ? grid.domain_min[side / 2] : grid.domain_max()[side / 2];
  return region;
}

/// A plane that cuts a part off the block; its normals make all angles with those of the planes before.
HalfSpace draw_plane(const Case& c, const Region& block, Collider& body, Point& last_normal, Random& random) {
  const int dim = c.setup.dim;
  const double h = c.scene.grid.h;
  Point n = last_normal.isZero(0.0)
                ? random_direction(dim, random)
                : turned_by(last_normal, random.between(10.0, 170.0) * degree, dim, random);
  const bool on_nodes = chance(random, 0.3);
  if (on_nodes) {
    const int axis = static_cast<int>(random.between(0.0, dim));
    n = Point::Zero();
    n[axis] = chance(random, 0.5) ? 1.0 : -1.0;
  }
  last_normal = n;
  const double deep = n.cwiseAbs().dot(block.half);
  Point p = block.centre - random.between(0.1, 0.6) * deep * n;
  if (on_nodes) {
    const Point low = c.scene.grid.domain_min;
    p = low + h * ((p - low) / h).array().round().matrix() - 0.01 * surface_tolerance * h * n;
    if (dim < 3) p[2] = 0.0;
    body.velocity.setZero();
    body.spin.setZero();
    return {p, n};
  }
  // It turns about a point of the plane away from the sand, and is where it must be only now.
  const Point away = turned_by(n, 90.0 * degree, dim, random);
  const double angle = body.spin.norm() * c.start.time;
  const Point axis = angle > 0.0 ? Point(body.spin.normalized()) : Point(Point::UnitZ());
  const Point normal_at_0 = (Eigen::AngleAxisd(-angle, axis) * n).normalized();
  return {p + random.between(0.0, 1.0) * away - c.start.time * body.velocity, normal_at_0};
}

Shape draw_shape(const Case& c, int kind, const Region& block, Collider& body, Point& last_normal,
                 Random& random) {
  const int dim = c.setup.dim;
  const double h = c.scene.grid.h;
  if (kind == 0) return draw_plane(c, block, body, last_normal, random);
  body.hollow = chance(random, 0.3);
  Point p = block.centre - c.start.time * body.velocity;
  for (int a = 0; a < dim; ++a) p[a] += random.between(-0.7, 0.7) * block.half[a];
  const double size = body.hollow ? random.between(1.1, 1.5) : random.between(0.8, 1.3);
  if (kind == 1) {
    Point half = Point::Zero();
    for (int a = 0; a < dim; ++a) half[a] = h * size * random.between(0.7, 1.2);
    return Box{p - half, p + half};
  }
  if (kind == 2) return Sphere{p, h * size};
  const Point axis = dim > 2 ? random_direction(3, random) : Point(Point::UnitZ());
  return Cylinder{p, axis, h * size, h * random.between(0.7, 1.4)};
}

Collider draw_body(const Case& c, int kind, const Region& block, Point& last_normal, Random& random) {
  const int dim = c.setup.dim;
  constexpr std::array contacts{Contact::separating, Contact::slipping, Contact::sticky};
  Collider body;
  body.contact = contacts.at(static_cast<std::size_t>(kind / 4) % contacts.size());
  const bool rough = chance(random, 0.8);
  body.friction = rough ? random.between(0.05, 1.2) : 0.0;
  body.friction_from_push_only = chance(random, 0.4);
  if (chance(random, 0.5)) {
    const double speed = random.between(0.1, 2.0);
    body.velocity = speed * random_direction(dim, random);
  }
  if (chance(random, 0.5)) {
    const double rate = random.between(1.0, 12.0) * (chance(random, 0.5) ? 1.0 : -1.0);
    body.spin = dim > 2 ? Point(rate * random_direction(3, random)) : Point(0.0, 0.0, rate);
  }
  body.shape = draw_shape(c, kind % 4, block, body, last_normal, random);
  return body;
}

void draw_motion(Case& c, const Point& inward, Random& random) {
  const double per_step = c.scene.grid.h / c.dt;
  // At a border: away from it, faster than anything pushes back.
  const double speed = inward.isZero(0.0) ? random.between(0.005, 0.1) * per_step : 0.08 * per_step;
  const Point base =
      inward.isZero(0.0) ? Point(speed * random_direction(c.setup.dim, random)) : Point(speed * inward);
  const double rate = random.between(1.0, 6.0);
  const double part = random.between(0.1, 0.4);
  shake(c, base, part * speed, rate, 2);
}

void need_contacts(Case& c) {
  bool spins = false;
  bool moves = false;
  for (std::size_t k = 0; k < c.scene.colliders.size(); ++k) {
    c.needs.push_back({fmt::format("contacts with body {}", k), 1});
    spins = spins || !c.scene.colliders[k].spin.isZero(0.0);
    moves = moves || !c.scene.colliders[k].velocity.isZero(0.0);
  }
  if (c.scene.colliders.size() > 1 && c.scene.colliders[0].contact != Contact::sticky &&
      c.scene.colliders[1].contact != Contact::sticky)
    c.needs.push_back({"nodes in two bodies", 1});
  if (spins) c.needs.push_back({"contacts on spinning bodies", 1});
  if (moves) c.needs.push_back({"contacts on moving bodies", 1});
}

}  // namespace

void draw_scene(Case& c, const Kinds& kinds, std::uint64_t seed) {
  Random random(seed);
  std::vector<Material> materials;
  std::vector<Volumes> volumes;
  const bool water = kinds.waters >= 0;
  for (int k = 0; k < kinds.materials; ++k) {
    if (water)
      materials.push_back(draw_water(random, kinds.waters + k, volumes.emplace_back()));
    else
      materials.push_back(draw_material(random, k > 0 && chance(random, 0.35)));
    materials.back().name = fmt::format("material {}", k);
  }
  lay_out(c, std::move(materials));
  Random later(
      seed +
      0x7a6d);  // what came later draws from its own sequence, which leaves the other numbers as they are
  if (!water) draw_cohesion(c, later);
  draw_grid(c, random);
  if (transfer_of(c.setup) == Transfer::flip_pic) mpm_options(c.scene).flip_share = random.between(0.05, 0.9);
  if (chance(random, 0.4)) mpm_options(c.scene).motion = ParticleMotion::after_friction;
  Point inward = Point::Zero();
  const Region block_region = draw_block(c, kinds.border, random, inward);
  draw_motion(c, inward, random);
  if (water)
    draw_volumes(c, volumes, random);
  else
    draw_strains(c, inward, random);
  Point last_normal = Point::Zero();
  for (int k = 0; k < kinds.bodies; ++k) {
    // 5 and 12 have no divisor in common: twelve bodies in a row are all pairs of shape and contact.
    const int kind = k < kinds.walls ? 4 * (kinds.first + k) : 5 * (kinds.first + k - kinds.walls) % 12;
    c.scene.colliders.push_back(draw_body(c, kind, block_region, last_normal, random));
    c.scene.colliders.back().name = fmt::format("body {}", k);
  }
  c.steps = 2;
  if (water)
    need_volumes(c, volumes);
  else
    need_yield(c);
  need_contacts(c);
}

}  // namespace repose::crosscheck
