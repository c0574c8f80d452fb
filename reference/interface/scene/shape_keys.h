#pragma once

#include "reference/interface/scene/key_kinds.h"

#include <string>
#include <vector>

namespace repose {

enum class ShapeName : unsigned char { half_space, room, box, sphere, cylinder, wedge };

/// Shapes of bodies that have an inside of finite size, and those that colliders may have besides.
const Names<ShapeName>& body_shapes();
const Names<ShapeName>& solid_shapes();

/// The walls of a room, each of which becomes a half-space.
struct Room {
  Point min = Point::Zero();       ///< [m]
  Point max = Point::Zero();       ///< [m]
  std::vector<std::string> walls;  ///< names (names::walls)
};

const Keys<HalfSpace>& half_space_keys();
const Keys<Box>& box_keys();
const Keys<Sphere>& sphere_keys();
const Keys<Cylinder>& cylinder_keys();
const Keys<Wedge>& wedge_keys();
const Keys<Room>& room_keys();

/// That max lies beyond min along every axis.
void require_extent(const Point& min, const Point& max, const ScenePart& part, int dim);

namespace kind {

/// A shape: the key that names it and the keys of that shape, in the same table. No room.
struct ShapeOf : Plain {
  using Value = Shape;
  const Names<ShapeName>* names;

  explicit ShapeOf(const Names<ShapeName>& all) : names(&all) {}
  std::vector<KeyRow> rows(KeyRow row) const;
  Shape read(TomlTable& table, const std::string& name, const Setting& setting) const;
  void check(const ScenePart& part, const std::string& name, const Shape& shape,
             const Setting& setting) const;
  void write(TomlWriter& writer, const std::string& name, const Shape& shape, const Setting& setting) const;
};

}  // namespace kind

}  // namespace repose
