#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/scene/opening.h"
#include "reference/interface/scene/scene_file.h"
#include "reference/interface/scene/scene_rules.h"
#include "reference/interface/scene/step_control.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace repose {

namespace {

/// Refuses values of one part of a scene; `part` says which, e.g. "scene.toml:12: seed \"column\"".
class Part {
 public:
  Part(std::string part, int dim) : part_(std::move(part)), dim_(dim) {}

  void require(bool is_fine, std::string_view key, const std::string& value, std::string_view allowed) const {
    if (!is_fine) throw BadInput(fmt::format("{}: {} = {}: must be {}", part_, key, value, allowed));
  }
  void number(std::string_view key, double value, const Range& range) const {
    require(range.allows(value), key, fmt::format("{}", value), range.text);
  }
  void vector(std::string_view key, const Point& x) const {
    require(x.allFinite(), key, text(x), "finite");
    require(dim_ == 3 || x.z() == 0.0, key, text(x), "in the plane z = 0 of a 2D scene");
  }
  void direction(std::string_view key, const Point& x) const {
    require(x.allFinite() && std::abs(x.norm() - 1.0) <= 1e-12, key, text(x), "a vector of length 1");
  }
  void spin(const Point& x) const {
    require(x.allFinite(), "spin", text(x), "finite");
    require(dim_ == 3 || (x.x() == 0.0 && x.y() == 0.0), "spin", text(x), "along z in a 2D scene");
  }
  void shape(const Shape& shape) const {
    std::visit([this](const auto& s) { check(s); }, shape);
  }

  static std::string text(const Point& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

 private:
  void check(const HalfSpace& s) const {
    vector("point", s.point);
    vector("normal", s.normal);
    direction("normal", s.normal);
  }
  void check(const Box& s) const {
    vector("min", s.min);
    vector("max", s.max);
    for (int axis = 0; axis < dim_; ++axis) {
      require(s.max[axis] > s.min[axis], "max", text(s.max), "larger than min along every axis");
    }
  }
  void check(const Sphere& s) const {
    vector("centre", s.centre);
    number("radius", s.radius, rule::positive);
  }
  void check(const Cylinder& s) const {
    vector("centre", s.centre);
    number("radius", s.radius, rule::positive);
    direction("axis", s.axis);
    require(dim_ == 3 || (s.axis == Point::UnitZ()), "axis", text(s.axis), "along z in a 2D scene");
    if (dim_ == 3) number("length", 2.0 * s.half_length, rule::positive);
  }

  std::string part_;
  int dim_;
};

/// A periodic axis along which a stencil would meet itself, or which does not exist, is none.
void check_periodic(const Scene& scene, const Part& part) {
  const std::int64_t width = scene.kernel == Kernel::cubic ? 4 : 3;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (!scene.grid.periodic[a]) continue;
    part.require(axis < scene.dim(), "domain.periodic", "z", "x or y in a 2D scene");
    part.require(scene.grid.cells[a] >= width, "domain.periodic",
                 fmt::format("{} with {} cells", "xyz"[axis], scene.grid.cells[a]),
                 fmt::format("an axis of at least {} cells, which a stencil is wide", width));
  }
}

void check_whole(const Scene& scene) {
  const Part part("scene", scene.dim());
  part.require(scene.dim() == 2 || scene.dim() == 3, "dimension", fmt::format("{}", scene.dim()), "2 or 3");
  part.number("spacing", scene.grid.h, rule::scale);
  part.vector("domain.min", scene.grid.domain_min);
  for (const std::int64_t cells : scene.grid.cells) {
    part.require(cells >= 1 && cells <= 1'000'000, "domain", fmt::format("{} cells", cells),
                 "1 to 1000000 cells along each axis");
  }
  part.require(scene.dim() == 3 || scene.grid.cells[2] == 1, "domain",
               fmt::format("{} cells", scene.grid.cells[2]), "1 cell along z in a 2D scene");
  check_periodic(scene, part);
  part.vector("gravity", scene.gravity);
  part.number("flip_share", scene.flip_share, rule::share);
  part.number("frame_rate", scene.frame_rate, rule::positive);
  part.number("duration", scene.duration, rule::positive);
  part.number("max_dt", scene.step.max_dt, rule::positive);
  part.number("cfl", scene.step.cfl, rule::scale);
  part.number("elastic_bound", scene.step.elastic_bound, rule::scale);
  part.require(scene.integrator == Integrator::explicit_ || scene.motion == ParticleMotion::before_friction,
               "particle_motion", "\"after_friction\"", "\"before_friction\" in implicit steps");
}

void check_material(const Material& m, int dim) {
  const Part part(fmt::format("material \"{}\"", m.name), dim);
  part.number("density", m.density, rule::positive);
  part.number("youngs_modulus", m.youngs_modulus, rule::positive);
  part.number("poisson_ratio", m.poisson_ratio, rule::poisson_ratio);
  if (m.law == Law::elastic) return;
  const FrictionLaw& f = m.friction;
  part.number("h0 [rad]", f.h0, rule::friction_angle);
  part.number("h1 [rad]", f.h1, rule::non_negative_angle);
  part.number("h2", f.h2, rule::non_negative);
  part.number("h3 [rad]", f.h3, rule::friction_angle);
  const bool hardens = f.h1 != 0.0 || f.h2 != 0.0 || f.h3 != 0.0;
  part.require(!hardens || f.h0 > f.h3, "h3 [rad]", fmt::format("{}", f.h3), "less than h0");
  part.number("largest friction angle [rad]", largest_friction_angle(f), rule::friction_angle);
}

/// A body of particles may lie across the seam, but not over itself.
void check_across(const Part& part, double centre, double length, int axis, const Grid& grid) {
  const double low = grid.domain_min[axis];
  const double high = grid.domain_max()[axis];
  part.require(centre >= low && centre <= high, "shape",
               fmt::format("centred at {:.6g} m along {}", centre, "xyz"[axis]),
               fmt::format("centred inside the domain, from {:.6g} to {:.6g} m", low, high));
  part.require(
      length <= grid.period(axis) * (1.0 + 1e-9), "shape",
      fmt::format("{:.6g} m long along {}", length, "xyz"[axis]),
      fmt::format("at most as long as the domain along this periodic axis, {:.6g} m", grid.period(axis)));
}

void check_seed(const Seed& s, const Scene& scene) {
  const std::string where = s.where.empty() ? "" : s.where + ": ";
  const Part part(fmt::format("{}seed \"{}\"", where, s.name), scene.dim());
  const int last = static_cast<int>(scene.materials.size()) - 1;
  part.require(s.material >= 0 && s.material <= last, "material", fmt::format("{}", s.material),
               fmt::format("an index from 0 to {}", last));
  part.require(!std::holds_alternative<HalfSpace>(s.shape), "shape", "half_space", "bounded");
  part.shape(s.shape);
  part.number("particles_per_cell", s.particles_per_cell, rule::positive);
  part.require(s.seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), "seed",
               fmt::format("{}", s.seed), "less than 2^63, the range of integers in scene files");
  part.vector("velocity", s.velocity);
  part.spin(s.spin);

  const Bounds b = bounds(s.shape, scene.dim());
  const Point domain_max = scene.grid.domain_max();
  const double rounding = 1e-9 * scene.grid.h;  // of decimal fractions in the file
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const double low = scene.grid.domain_min[axis];
    const double high = domain_max[axis];
    if (scene.grid.is_periodic(axis)) {
      check_across(part, centre(s.shape)[axis], b.max[axis] - b.min[axis], axis, scene.grid);
      const bool meets_itself = b.max[axis] - b.min[axis] >= (high - low) * (1.0 - 1e-9);
      part.require(!meets_itself || s.spin.cross(Point::Unit(axis)).isZero(0.0), "spin", Part::text(s.spin),
                   fmt::format("along the periodic axis {} that the shape reaches along", "xyz"[axis]));
      continue;
    }
    part.require(b.min[axis] >= low - rounding && b.max[axis] <= high + rounding, "shape",
                 fmt::format("from {:.6g} to {:.6g} m along {}", b.min[axis], b.max[axis], "xyz"[axis]),
                 fmt::format("inside the domain, from {:.6g} to {:.6g} m", low, high));
  }
  const Point c = centre(s.shape);
  for (const Collider& collider : scene.colliders) {
    part.require(signed_distance(collider, c, 0.0, scene.grid).phi >= 0.0, "shape",
                 fmt::format("centred at {}", Part::text(c)),
                 fmt::format("outside of the solid \"{}\"", collider.name));
  }
}

void check_emitter(const Emitter& e, const Scene& scene) {
  const std::string where = e.where.empty() ? "" : e.where + ": ";
  const Part part(fmt::format("{}emitter \"{}\"", where, e.name), scene.dim());
  const int last = static_cast<int>(scene.materials.size()) - 1;
  part.require(e.material >= 0 && e.material <= last, "material", fmt::format("{}", e.material),
               fmt::format("an index from 0 to {}", last));
  part.require(!std::holds_alternative<HalfSpace>(e.shape), "shape", "half_space", "bounded");
  part.shape(e.shape);
  part.vector("velocity", e.velocity);
  part.number("rate", e.rate, rule::positive);
  part.number("start", e.start, rule::non_negative);
  part.require(std::isfinite(e.stop) && e.stop > e.start, "stop", fmt::format("{}", e.stop),
               fmt::format("a finite number > start = {}", e.start));
  part.number("particles_per_cell", e.particles_per_cell, rule::positive);
  part.require(e.seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), "seed",
               fmt::format("{}", e.seed), "less than 2^63, the range of integers in scene files");

  const Opening o = opening(e, scene.dim());
  const Point domain_max = scene.grid.domain_max();
  const double rounding = 1e-9 * scene.grid.h;  // of decimal fractions in the file
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const double half = std::abs(o.across_1[axis]) * o.half_1 + std::abs(o.across_2[axis]) * o.half_2;
    const double low = scene.grid.domain_min[axis];
    if (scene.grid.is_periodic(axis)) {
      check_across(part, o.centre[axis], 2.0 * half, axis, scene.grid);
      continue;
    }
    part.require(
        o.centre[axis] - half >= low - rounding && o.centre[axis] + half <= domain_max[axis] + rounding,
        "shape",
        fmt::format("with an opening up to {:.6g} m from {:.6g} m along {}", half, o.centre[axis],
                    "xyz"[axis]),
        fmt::format("inside the domain, from {:.6g} to {:.6g} m", low, domain_max[axis]));
  }
  for (const Collider& collider : scene.colliders) {
    part.require(signed_distance(collider, o.centre, 0.0, scene.grid).phi >= 0.0, "shape",
                 fmt::format("centred at {}", Part::text(o.centre)),
                 fmt::format("outside of the solid \"{}\"", collider.name));
  }
}

void check_implicit(const ImplicitOptions& o, int dim) {
  const Part part("implicit", dim);
  part.number("newton_tolerance", o.newton_tolerance, rule::tolerance);
  part.number("gmres_tolerance", o.gmres_tolerance, rule::tolerance);
  const auto count = [&part](std::string_view key, int value, int low) {
    part.require(value >= low && value <= 1'000'000, key, fmt::format("{}", value),
                 fmt::format("an integer from {} to 1000000", low));
  };
  count("newton_iterations", o.newton_iterations, 1);
  count("gmres_restart", o.gmres_restart, 1);
  count("gmres_iterations", o.gmres_iterations, 1);
  count("step_cuts", o.step_cuts, 0);
}

/// What a body cannot be where everything comes again along an axis.
void check_images(const Collider& c, const Part& part, const Grid& grid) {
  const auto* plane = std::get_if<HalfSpace>(&c.shape);
  for (int axis = 0; axis < grid.dim; ++axis) {
    if (!grid.is_periodic(axis)) continue;
    const char letter = "xyz"[axis];
    if (plane != nullptr) {
      part.require(
          plane->normal[axis] == 0.0, "normal", Part::text(plane->normal),
          fmt::format("perpendicular to the periodic axis {}: a plane across it would stand in its own way",
                      letter));
      part.require(
          c.spin.cross(Point::Unit(axis)).isZero(0.0), "spin", Part::text(c.spin),
          fmt::format("along the periodic axis {}: a plane that turns otherwise is not the same on both "
                      "sides of the seam",
                      letter));
      continue;
    }
    const double length = length_along(c, axis, grid);
    part.require(
        endless_along(c, axis, grid) || length <= grid.period(axis) * (1.0 + 1e-9), "shape",
        fmt::format("up to {:.6g} m long along {}", length, letter),
        fmt::format("at most as long as the domain along this periodic axis, {:.6g} m, or a box or cylinder "
                    "along it that turns about it at most",
                    grid.period(axis)));
  }
}

void check_collider(const Collider& c, const Grid& grid) {
  const Part part(fmt::format("collider \"{}\"", c.name), grid.dim);
  part.shape(c.shape);
  part.require(!c.hollow || !std::holds_alternative<HalfSpace>(c.shape), "hollow", "true",
               "false for a half-space; turn its normal");
  part.number("friction", c.friction, rule::non_negative);
  part.vector("velocity", c.velocity);
  part.spin(c.spin);
  check_images(c, part, grid);
}

template <class Things>
void check_names(const Things& things, std::string_view kind) {
  std::set<std::string_view> seen;
  for (const auto& thing : things) {
    if (!is_name(thing.name) || !seen.insert(thing.name).second) {
      throw BadInput(fmt::format("{} name = \"{}\": must be 1 to {} bytes long and different from the others",
                                 kind, in_one_line(thing.name, longest_quote), longest_name));
    }
  }
}

}  // namespace

void validate(const Scene& scene) {
  check_whole(scene);
  check_names(scene.materials, "material");
  check_names(scene.seeds, "seed");
  check_names(scene.colliders, "collider");
  for (const Material& m : scene.materials) check_material(m, scene.dim());
  for (const Collider& c : scene.colliders) check_collider(c, scene.grid);
  check_names(scene.emitters, "emitter");
  if (scene.integrator == Integrator::implicit_) check_implicit(scene.implicit, scene.dim());
  if (scene.seeds.empty() && scene.emitters.empty())
    throw BadInput("scene: seed is missing: must be at least one seed or emitter");
  for (const Emitter& e : scene.emitters) check_emitter(e, scene);
  for (const Seed& s : scene.seeds) check_seed(s, scene);
  if (const auto found = unending(scene)) {
    Part("scene", scene.dim()).require(false, found->key, fmt::format("{}", found->value), found->allowed);
  }
}

}  // namespace repose
