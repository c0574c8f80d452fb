#pragma once

#include "reference/interface/base/types.h"

#include <string>
#include <variant>

namespace repose {

/// All points x with (x − point)·normal < 0. In collision terms: the solid lies behind the plane.
struct HalfSpace {
  Point point = Point::Zero();    ///< a point of the plane [m]
  Point normal = Point::UnitY();  ///< unit vector, out of the solid
};

/// Axis-aligned box at rest; a moving collider turns it about its centre.
struct Box {
  Point min = Point::Zero();  ///< [m]
  Point max = Point::Zero();  ///< [m]; in 2D z is ignored
};

/// Sphere in 3D, disk in 2D.
struct Sphere {
  Point centre = Point::Zero();  ///< [m]
  double radius = 0.0;           ///< [m]
};

/// Finite cylinder with flat ends. In 2D only an axis along z is allowed: a disk.
struct Cylinder {
  Point centre = Point::Zero();  ///< middle of the axis [m]
  Point axis = Point::UnitZ();   ///< unit vector
  double radius = 0.0;           ///< [m]
  double half_length = 0.0;      ///< [m]
};

/// What lies between two planes that meet in an edge, on the side where they enclose less than a half-space. It ends there alone.
struct Wedge {
  Point tip = Point::Zero();      ///< a point of the edge [m]
  Point normal = Point::UnitY();  ///< unit vector, out of the solid along the middle between its faces
  Point edge = Point::UnitZ();    ///< unit vector along the edge, across `normal`; in 2D z
  double angle = 0.0;             ///< between its faces [rad], in (0, π)
};

using Shape = std::variant<HalfSpace, Box, Sphere, Cylinder, Wedge>;

/// Whether a shape ends in every direction: a half-space and a wedge do not.
bool is_bounded(const Shape& shape);

/// Signed distance φ [m] (negative inside) and its gradient, a unit vector.
struct Distance {
  double phi = 0.0;
  Point normal = Point::Zero();
};

/// Exact signed distance to a shape in d dimensions (for d = 2 all that concerns z is ignored).
/// Where the gradient is not unique (edges, centres, medial axis) one of the nearest faces is taken, always the same:
/// of a box the first in the order −x +x −y +y −z +z, of a cylinder its side before its ends; at a sphere's centre +x; of a
/// wedge the face on the side of edge × normal.
/// The normal is never zero and never nan.
Distance signed_distance(const Shape& shape, const Point& x, int dim);

/// Point about which a shape turns: its centre, or the given point of a half-space or of a wedge's edge [m].
Point centre(const Shape& shape);

/// Axis-aligned box around a shape [m].
struct Bounds {
  Point min = Point::Zero();
  Point max = Point::Zero();
};

/// The smallest axis-aligned box around a bounded shape; z = 0 in 2D. @throws std::invalid_argument for shapes without bounds
Bounds bounds(const Shape& shape, int dim);

}  // namespace repose
