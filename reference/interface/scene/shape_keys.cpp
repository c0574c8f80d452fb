#include "reference/interface/scene/shape_keys.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace repose {

namespace {

using kind::Angle;
using kind::Direction;
using kind::Number;
using kind::Vector;

template <class S>
bool in_3d(const S&, const Setting& setting) {
  return setting.dim() == 3;
}

/// Different walls of a room, in any order.
struct Walls : kind::Plain {
  using Value = std::vector<std::string>;

  std::vector<KeyRow> rows(KeyRow row) const {
    row.allowed = fmt::format("`\"{}\"`", fmt::join(names::walls, "\"`, `\""));
    return {std::move(row)};
  }
  Value read(TomlTable& table, const std::string& name, const Setting& setting) const {
    const Value all = of(setting.dim());
    const std::string allowed =
        fmt::format("a list of different walls out of \"{}\"", fmt::join(all, "\", \""));
    const Value chosen = table.strings_or(all, name, allowed);
    for (const std::string& wall : chosen)
      if (std::count(all.begin(), all.end(), wall) == 0 || std::count(chosen.begin(), chosen.end(), wall) > 1)
        table.refuse(name, allowed);
    if (chosen.empty()) table.refuse(name, allowed);
    return chosen;
  }
  // Rooms are half-spaces in memory.
  void check(const ScenePart&, const std::string&, const Value&, const Setting&) const {}
  void write(TomlWriter&, const std::string&, const Value&, const Setting&) const {}

  static Value of(int dim) { return {names::walls.begin(), names::walls.begin() + 2 * dim}; }
};

/// Calls `use` with the keys of a shape.
template <class Use>
auto with_keys(const HalfSpace&, const Use& use) {
  return use(half_space_keys());
}
template <class Use>
auto with_keys(const Box&, const Use& use) {
  return use(box_keys());
}
template <class Use>
auto with_keys(const Sphere&, const Use& use) {
  return use(sphere_keys());
}
template <class Use>
auto with_keys(const Cylinder&, const Use& use) {
  return use(cylinder_keys());
}
template <class Use>
auto with_keys(const Wedge&, const Use& use) {
  return use(wedge_keys());
}

/// Rules across the keys of a shape.
void check_rules(const HalfSpace&, const ScenePart&, int) {}
void check_rules(const Box& box, const ScenePart& part, int dim) {
  require_extent(box.min, box.max, part, dim);
}
void check_rules(const Sphere&, const ScenePart&, int) {}
void check_rules(const Cylinder& cylinder, const ScenePart& part, int dim) {
  if (dim == 2 && cylinder.axis != Point::UnitZ())
    part.refuse_value("axis", toml_vector(cylinder.axis, 3), "along z in a 2D scene");
}
void check_rules(const Wedge& wedge, const ScenePart& part, int dim) {
  if (dim == 2 && wedge.edge != Point::UnitZ())
    part.refuse_value("edge", toml_vector(wedge.edge, 3), "along z in a 2D scene");
  if (!(std::abs(wedge.edge.dot(wedge.normal)) <= 1e-12))
    part.refuse_value("edge", toml_vector(wedge.edge, 3), "perpendicular to normal");
}

template <class S>
Shape read_shape(TomlTable& table, const Setting& setting) {
  S shape;
  with_keys(shape, [&](const Keys<S>& keys) { read_keys(keys, table, shape, setting); });
  check_rules(shape, table, setting.dim());
  return shape;
}

ShapeName name_of(const Shape& shape) {
  constexpr ShapeName by_index[] = {ShapeName::half_space, ShapeName::box, ShapeName::sphere,
                                    ShapeName::cylinder, ShapeName::wedge};
  return by_index[shape.index()];
}

}  // namespace

const Names<ShapeName>& body_shapes() {
  static const Names<ShapeName> all{
      {"box", ShapeName::box}, {"sphere", ShapeName::sphere}, {"cylinder", ShapeName::cylinder}};
  return all;
}

const Names<ShapeName>& solid_shapes() {
  static const Names<ShapeName> all{
      {"half_space", ShapeName::half_space}, {"room", ShapeName::room},         {"box", ShapeName::box},
      {"sphere", ShapeName::sphere},         {"cylinder", ShapeName::cylinder}, {"wedge", ShapeName::wedge}};
  return all;
}

const Keys<HalfSpace>& half_space_keys() {
  static const Keys<HalfSpace> keys{
      key("point", &HalfSpace::point, Vector("m"), required, "of the plane"),
      key("normal", &HalfSpace::normal, Direction{}, required, "out of the solid"),
  };
  return keys;
}

const Keys<Box>& box_keys() {
  static const Keys<Box> keys{
      key("min", &Box::min, Vector("m"), required, "lower corner"),
      key("max", &Box::max, Vector("m"), required, "upper corner, beyond `min` along every axis"),
  };
  return keys;
}

const Keys<Sphere>& sphere_keys() {
  static const Keys<Sphere> keys{
      key("centre", &Sphere::centre, Vector("m"), required, "of the sphere, in 2D of a disk"),
      key("radius", &Sphere::radius, Number(rule::positive, "m"), required, ""),
  };
  return keys;
}

const Keys<Cylinder>& cylinder_keys() {
  static const Keys<Cylinder> keys{
      key("centre", &Cylinder::centre, Vector("m"), required, "middle of the axis, in 2D of a disk"),
      key("radius", &Cylinder::radius, Number(rule::positive, "m"), required, ""),
      only_if("dimension = 3", in_3d<Cylinder>, key("axis", &Cylinder::axis, Direction{}, required, "")),
      only_if("dimension = 3", in_3d<Cylinder>,
              key("length", &Cylinder::half_length, Number(rule::positive, "m", 2.0), required, "")),
  };
  return keys;
}

const Keys<Wedge>& wedge_keys() {
  static const Keys<Wedge> keys{
      key("tip", &Wedge::tip, Vector("m"), required, "of the edge in which its faces meet"),
      key("normal", &Wedge::normal, Direction{}, required,
          "out of the solid, along the middle between its faces"),
      key("angle", &Wedge::angle, Angle{rule::wedge_angle}, required, "between its faces"),
      only_if("dimension = 3", in_3d<Wedge>,
              key("edge", &Wedge::edge, Direction{}, required, "along the edge, perpendicular to `normal`")),
  };
  return keys;
}

const Keys<Room>& room_keys() {
  static const Keys<Room> keys{
      key("min", &Room::min, Vector("m"), required, "lower corner"),
      key("max", &Room::max, Vector("m"), required, "upper corner, beyond `min` along every axis"),
      key("walls", &Room::walls, Walls{},
          computed("all", [](const Room&, const Setting& setting) { return Walls::of(setting.dim()); }),
          "any of them; the room becomes one half-space per wall, in this order, named `NAME.x_min`, …"),
  };
  return keys;
}

void require_extent(const Point& min, const Point& max, const ScenePart& part, int dim) {
  for (int axis = 0; axis < dim; ++axis)
    if (!(max[axis] > min[axis]))
      part.refuse_value("max", toml_vector(max, dim), "larger than min along every axis");
}

namespace kind {

std::vector<KeyRow> ShapeOf::rows(KeyRow row) const {
  for (const auto& [name, value] : *names)
    row.allowed += fmt::format("{}`\"{}\"`", row.allowed.empty() ? "" : ", ", name);
  return {std::move(row)};
}

Shape ShapeOf::read(TomlTable& table, const std::string& name, const Setting& setting) const {
  switch (table.choice(name, *names)) {
    case ShapeName::half_space:
      return read_shape<HalfSpace>(table, setting);
    case ShapeName::box:
      return read_shape<Box>(table, setting);
    case ShapeName::sphere:
      return read_shape<Sphere>(table, setting);
    case ShapeName::cylinder:
      return read_shape<Cylinder>(table, setting);
    case ShapeName::wedge:
      return read_shape<Wedge>(table, setting);
    case ShapeName::room:
      break;
  }
  table.refuse(name, "no room here");
}

void ShapeOf::check(const ScenePart& part, const std::string& name, const Shape& shape,
                    const Setting& setting) const {
  Choice<ShapeName>(*names).check(part, name, name_of(shape), setting);
  std::visit(
      [&](const auto& s) {
        with_keys(s, [&](const auto& keys) { check_keys(keys, part, s, setting); });
        check_rules(s, part, setting.dim());
      },
      shape);
}

void ShapeOf::write(TomlWriter& writer, const std::string& name, const Shape& shape,
                    const Setting& setting) const {
  writer.text(name, names::of(name_of(shape), solid_shapes()));
  std::visit(
      [&](const auto& s) { with_keys(s, [&](const auto& keys) { write_keys(keys, writer, s, setting); }); },
      shape);
}

}  // namespace kind

}  // namespace repose
