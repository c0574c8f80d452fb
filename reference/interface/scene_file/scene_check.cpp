#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/scene/body_keys.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/opening.h"
#include "reference/interface/scene/scene_keys.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <set>
#include <string>

namespace repose {

namespace {

constexpr std::string_view axes = "xyz";

/// `s.toml:12: seed "column"`, or without the place for a scene that no file holds.
template <class Body>
BuiltPart part_of(const Body& body, std::string_view list) {
  const std::string where = body.where.empty() ? "" : body.where + ": ";
  return BuiltPart(fmt::format("{}{} \"{}\"", where, list, body.name));
}

std::string text(const Point& x) { return fmt::format("[{}, {}, {}]", x.x(), x.y(), x.z()); }

/// How far rounding of decimal fractions may carry a body beyond the domain [m].
double rounding(const Scene& scene) { return 1e-9 * scene.grid.h; }

void check_outside_solids(const Point& centre, const Scene& scene, const ScenePart& part) {
  for (const Collider& collider : scene.colliders)
    if (!(signed_distance(collider, centre, 0.0, scene.grid).phi >= 0.0))
      part.refuse_value("shape", fmt::format("centred at {}", text(centre)),
                        fmt::format("outside of the solid \"{}\"", collider.name));
}

/// A body of particles may lie across the seam, but not over itself.
void check_across(const ScenePart& part, double centre, double length, int axis, const Grid& grid) {
  const char letter = axes[static_cast<std::size_t>(axis)];
  const double low = grid.domain_min[axis], high = grid.domain_max()[axis];
  if (!(centre >= low && centre <= high))
    part.refuse_value("shape", fmt::format("centred at {:.6g} m along {}", centre, letter),
                      fmt::format("centred inside the domain, from {:.6g} to {:.6g} m", low, high));
  if (!(length <= grid.period(axis) * (1.0 + 1e-9)))
    part.refuse_value(
        "shape", fmt::format("{:.6g} m long along {}", length, letter),
        fmt::format("at most as long as the domain along this periodic axis, {:.6g} m", grid.period(axis)));
}

/// What a solid cannot be where everything comes again along an axis.
void check_images(const Collider& c, const Grid& grid, const ScenePart& part) {
  const auto* plane = std::get_if<HalfSpace>(&c.shape);
  const auto* wedge = std::get_if<Wedge>(&c.shape);
  for (int axis = 0; axis < grid.dim; ++axis) {
    if (!grid.is_periodic(axis)) continue;
    const char letter = axes[static_cast<std::size_t>(axis)];
    if (wedge != nullptr && !wedge->edge.cross(Point::Unit(axis)).isZero(0.0))
      part.refuse_value(
          "shape", "\"wedge\"",
          fmt::format("one whose edge lies along the periodic axis {}: it would stand in its own way",
                      letter));
    if (!is_bounded(c.shape)) {
      if (plane != nullptr && plane->normal[axis] != 0.0)
        part.refuse_value(
            "normal", text(plane->normal),
            fmt::format("perpendicular to the periodic axis {}: a plane across it would stand in its own way",
                        letter));
      if (!c.spin.cross(Point::Unit(axis)).isZero(0.0))
        part.refuse_value(
            "spin", text(c.spin),
            fmt::format("along the periodic axis {}: a {} that turns otherwise is not the same on both "
                        "sides of the seam",
                        letter, plane != nullptr ? "plane" : "wedge"));
      continue;
    }
    const double length = length_along(c, axis, grid);
    if (!endless_along(c, axis, grid) && !(length <= grid.period(axis) * (1.0 + 1e-9)))
      part.refuse_value("shape", fmt::format("up to {:.6g} m long along {}", length, letter),
                        fmt::format("at most as long as the domain along this periodic axis, {:.6g} m, or a "
                                    "box or cylinder along it "
                                    "that turns about it at most",
                                    grid.period(axis)));
  }
}

void check_place(const Seed& seed, const Scene& scene, const ScenePart& part) {
  const Bounds b = bounds(seed.shape, scene.dim());
  const Point domain_max = scene.grid.domain_max();
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const double low = scene.grid.domain_min[axis], high = domain_max[axis];
    if (scene.grid.is_periodic(axis)) {
      const double length = b.max[axis] - b.min[axis];
      check_across(part, centre(seed.shape)[axis], length, axis, scene.grid);
      const bool meets_itself = length >= (high - low) * (1.0 - 1e-9);
      if (meets_itself && !seed.spin.cross(Point::Unit(axis)).isZero(0.0))
        part.refuse_value("spin", text(seed.spin),
                          fmt::format("along the periodic axis {} that the shape reaches along",
                                      axes[static_cast<std::size_t>(axis)]));
      continue;
    }
    if (!(b.min[axis] >= low - rounding(scene) && b.max[axis] <= high + rounding(scene)))
      part.refuse_value("shape",
                        fmt::format("from {:.6g} to {:.6g} m along {}", b.min[axis], b.max[axis],
                                    axes[static_cast<std::size_t>(axis)]),
                        fmt::format("inside the domain, from {:.6g} to {:.6g} m", low, high));
  }
  check_outside_solids(centre(seed.shape), scene, part);
}

void check_place(const Emitter& emitter, const Scene& scene, const ScenePart& part) {
  const Opening o = opening(emitter, scene.dim());
  const Point domain_max = scene.grid.domain_max();
  for (int axis = 0; axis < scene.dim(); ++axis) {
    const double half = std::abs(o.across_1[axis]) * o.half_1 + std::abs(o.across_2[axis]) * o.half_2;
    const double low = scene.grid.domain_min[axis], high = domain_max[axis];
    if (scene.grid.is_periodic(axis)) {
      check_across(part, o.centre[axis], 2.0 * half, axis, scene.grid);
      continue;
    }
    if (!(o.centre[axis] - half >= low - rounding(scene) && o.centre[axis] + half <= high + rounding(scene)))
      part.refuse_value("shape",
                        fmt::format("with an opening up to {:.6g} m from {:.6g} m along {}", half,
                                    o.centre[axis], axes[static_cast<std::size_t>(axis)]),
                        fmt::format("inside the domain, from {:.6g} to {:.6g} m", low, high));
  }
  check_outside_solids(o.centre, scene, part);
}

template <class Thing>
void check_one(const Thing& thing, const Keys<Thing>& keys, const ScenePart& part, const Scene& scene) {
  check_keys(keys, part, thing, {scene});
  check_rules(thing, part);
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
  const BuiltPart whole("scene");
  check_keys(scene_keys(), whole, scene, {scene});
  if (scene.scheme.method().empty()) whole.refuse_value("method", "", "given by the options of one");
  const SchemeTable& scheme = scene.scheme.table();
  scheme.check(scene);
  check_periods(scene, whole);
  check_names(scene.materials, "material");
  check_names(scene.seeds, "seed");
  check_names(scene.colliders, "collider");
  check_names(scene.emitters, "emitter");
  for (const Material& m : scene.materials) {
    const BuiltPart part(fmt::format("material \"{}\"", m.name));
    check_one(m, material_keys(), part, scene);
    scheme.check_material(m, part, scene);
  }
  for (const Collider& c : scene.colliders) {
    const BuiltPart part(fmt::format("collider \"{}\"", c.name));
    check_one(c, collider_keys(), part, scene);
    check_images(c, scene.grid, part);
  }
  if (scene.seeds.empty() && scene.emitters.empty())
    whole.refuse_value("seed", "", "at least one seed or emitter");
  for (const Emitter& e : scene.emitters) {
    const BuiltPart part = part_of(e, "emitter");
    check_one(e, emitter_keys(), part, scene);
    check_place(e, scene, part);
  }
  for (const Seed& s : scene.seeds) {
    const BuiltPart part = part_of(s, "seed");
    check_one(s, seed_keys(), part, scene);
    check_place(s, scene, part);
  }
  if (const auto found = unending(scene))
    whole.refuse_value(found->key, fmt::format("{}", found->value), found->allowed);
}

}  // namespace repose
