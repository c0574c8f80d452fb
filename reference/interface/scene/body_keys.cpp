#include "reference/interface/scene/body_keys.h"

#include <algorithm>

namespace repose {

namespace {

using kind::Choice;
using kind::Flag;
using kind::MaterialName;
using kind::Name;
using kind::Number;
using kind::RandomSeed;
using kind::ShapeOf;
using kind::Spin;
using kind::Vector;

/// "seed_1", "seed_2", … where no name is given.
template <class Body>
auto numbered(std::string_view list) {
  return [list](const Body&, const Setting& setting) { return fmt::format("{}_{}", list, setting.number); };
}

template <class Body>
double usual_density(const Body&, const Setting& setting) {
  return setting.dim() == 2 ? 4.0 : 8.0;
}

bool has_inside(const Collider& collider, const Setting&) { return is_bounded(collider.shape); }

template <class... Lists>
Keys<Collider> joined(const Keys<Collider>& first, const Lists&... more) {
  Keys<Collider> all = first;
  (all.insert(all.end(), more.begin(), more.end()), ...);
  return all;
}

}  // namespace

const Keys<Seed>& seed_keys() {
  static const Keys<Seed> keys{
      key("name", &Seed::name, Name{}, computed("`seed_1`, …", numbered<Seed>("seed")), ""),
      key("shape", &Seed::shape, ShapeOf(body_shapes()), required,
          "inside the domain, outside of solids; its keys are below"),
      key("material", &Seed::material, MaterialName{}, required, ""),
      key("sampling", &Seed::sampling, Choice(names::sampling), initial, "see below"),
      key("particles_per_cell", &Seed::particles_per_cell, Number(rule::positive),
          computed("4 in 2D, 8 in 3D", usual_density<Seed>), "wanted particles per h^d"),
      key("seed", &Seed::seed, RandomSeed{}, required,
          "start of the random sequence: the same number gives the same particles"),
      key("velocity", &Seed::velocity, Vector("m/s"), initial, "of the centre"),
      key("spin", &Seed::spin, Spin{}, initial, "about the centre"),
  };
  return keys;
}

const Keys<Emitter>& emitter_keys() {
  static const Keys<Emitter> keys{
      key("name", &Emitter::name, Name{}, computed("`emitter_1`, …", numbered<Emitter>("emitter")), ""),
      key("shape", &Emitter::shape, ShapeOf(body_shapes()), required,
          "the opening is its section through the centre, perpendicular to `velocity`"),
      key("material", &Emitter::material, MaterialName{}, required, ""),
      key("velocity", &Emitter::velocity, Vector("m/s"), required,
          "of what comes out, not 0; along an axis of the grid for a box, along its axis for a cylinder"),
      key("rate", &Emitter::rate, Number(rule::positive, "m^d/s"), required,
          "volume of material per time, however small, at most the opening's area times the speed; below the "
          "most, particles come further apart"),
      key("start", &Emitter::start, Number(rule::non_negative, "s"), initial, ""),
      key("stop", &Emitter::stop, Number(rule::positive, "s"),
          computed("`duration`",
                   [](const Emitter&, const Setting& setting) { return setting.scene.duration; }),
          "after `start`"),
      key("particles_per_cell", &Emitter::particles_per_cell, Number(rule::positive),
          computed("4 in 2D, 8 in 3D", usual_density<Emitter>),
          "wanted particles per h^d of material at rest"),
      key("seed", &Emitter::seed, RandomSeed{}, required, "start of the random sequence"),
  };
  return keys;
}

const Keys<Collider>& wall_keys() {
  static const Keys<Collider> keys{
      key("name", &Collider::name, Name{}, computed("`collider_1`, …", numbered<Collider>("collider")), ""),
      key("contact", &Collider::contact, Choice(names::contact), initial, ""),
      key("friction", &Collider::friction, Number(rule::non_negative), initial,
          "Coulomb μ_b; sticky contacts do not use it"),
      key("friction_from_push_only", &Collider::friction_from_push_only, Flag{}, initial,
          "only what pushes out of the body gives friction, not what a slipping contact pulls"),
      key("velocity", &Collider::velocity, Vector("m/s"), initial, "constant"),
  };
  return keys;
}

const Keys<Collider>& collider_keys() {
  static const Keys<Collider> keys = joined(
      wall_keys(),
      Keys<Collider>{
          key("shape", &Collider::shape, ShapeOf(solid_shapes()), required, "its keys are below"),
          only_if("the shape is bounded", has_inside,
                  key("hollow", &Collider::hollow, Flag{}, initial, "the solid is everything outside")),
          key("spin", &Collider::spin, Spin{}, initial,
              "constant, about the centre, a half-space's `point` or a wedge's `tip`; not for rooms"),
      });
  return keys;
}

void check_rules(const Seed&, const ScenePart&) {}

void check_rules(const Emitter& emitter, const ScenePart& part) {
  if (!(emitter.stop > emitter.start))
    part.refuse_value("stop", fmt::format("{}", emitter.stop),
                      fmt::format("a finite number > start = {}", emitter.start));
}

void check_rules(const Collider& collider, const ScenePart& part) {
  if (collider.hollow && std::holds_alternative<HalfSpace>(collider.shape))
    part.refuse_value("hollow", "true", "false for a half-space; turn its normal");
  if (collider.hollow && std::holds_alternative<Wedge>(collider.shape))
    part.refuse_value("hollow", "true", "false for a wedge; two half-spaces make a valley");
}

std::vector<Collider> walls_of(const Room& room, const Collider& common, const ScenePart& part, int dim) {
  require_extent(room.min, room.max, part, dim);
  std::vector<Collider> walls;
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(dim); ++i) {
    const std::string name(names::walls[i]);
    if (std::count(room.walls.begin(), room.walls.end(), name) == 0) continue;
    const bool is_min = i % 2 == 0;
    Collider wall = common;
    wall.name += "." + name;
    if (!is_name(wall.name))
      part.refuse_value("name", toml_text(common.name),
                        "shorter: the name of a wall, \"" + name + "\", is added to it");
    Point into_room = Point::Zero();
    into_room[static_cast<Eigen::Index>(i / 2)] = is_min ? 1.0 : -1.0;
    wall.shape = HalfSpace{.point = is_min ? room.min : room.max, .normal = into_room};
    walls.push_back(wall);
  }
  return walls;
}

}  // namespace repose
