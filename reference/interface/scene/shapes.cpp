#include "reference/interface/scene/shapes.h"

#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose {

namespace {

/// The components that exist in d dimensions.
Point in_dimension(Point r, int dim) {
  if (dim == 2) r.z() = 0.0;
  return r;
}

/// Length and direction of r ≠ 0, unit also where the square of a component underflows.
Distance length_and_direction(const Point& r) {
  const double squared = r.squaredNorm();
  if (squared > 1e-280) {
    const double length = std::sqrt(squared);
    return {.phi = length, .normal = r / length};
  }
  const double largest = r.cwiseAbs().maxCoeff();
  const Point scaled = r / largest;
  return {.phi = largest * scaled.norm(), .normal = scaled.normalized()};
}

Distance distance_to(const HalfSpace& s, const Point& x, int dim) {
  const Point n = in_dimension(s.normal, dim);
  return {.phi = n.dot(in_dimension(x - s.point, dim)), .normal = n};
}

Distance distance_to(const Box& s, const Point& x, int dim) {
  Point outside = Point::Zero();  // from the nearest point of the box to x
  bool is_outside = false;
  Distance nearest_face{.phi = -std::numeric_limits<double>::infinity(), .normal = Point::Zero()};
  for (int axis = 0; axis < dim; ++axis) {
    const double below = s.min[axis] - x[axis];
    const double above = x[axis] - s.max[axis];
    const double beyond = std::max(below, above);
    const double side = above > below ? 1.0 : -1.0;
    if (beyond > 0.0) {
      outside[axis] = side * beyond;
      is_outside = true;
    }
    if (beyond > nearest_face.phi) nearest_face = {.phi = beyond, .normal = side * Point::Unit(axis)};
  }
  return is_outside ? length_and_direction(outside) : nearest_face;
}

Distance distance_to_ball(const Point& centre, double radius, const Point& x, int dim) {
  const Point r = in_dimension(x - centre, dim);
  if (r.isZero(0.0)) return {.phi = -radius, .normal = Point::UnitX()};
  Distance result = length_and_direction(r);
  result.phi -= radius;
  return result;
}

Distance distance_to(const Sphere& s, const Point& x, int dim) {
  return distance_to_ball(s.centre, s.radius, x, dim);
}

/// A unit vector across a given one, from the coordinate axis that is least along it.
Point across(const Point& axis) {
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Point e = Point::Unit(least);
  return (e - axis * axis.dot(e)).normalized();
}

Distance distance_to(const Cylinder& s, const Point& x, int dim) {
  if (dim == 2) return distance_to_ball(s.centre, s.radius, x, dim);
  const Point r = x - s.centre;
  const double along = s.axis.dot(r);
  Point radial = r - along * s.axis;
  // Near the axis the first projection leaves rounding of the size of |along|; the second removes it.
  radial -= s.axis.dot(radial) * s.axis;
  const Distance from_axis =
      radial.isZero(0.0) ? Distance{.phi = 0.0, .normal = across(s.axis)} : length_and_direction(radial);
  const double side = from_axis.phi - s.radius;
  const double end = std::abs(along) - s.half_length;
  const Point end_normal = along < 0.0 ? Point(-s.axis) : s.axis;
  if (side <= 0.0 || end <= 0.0) {
    return side >= end ? Distance{.phi = side, .normal = from_axis.normal}
                       : Distance{.phi = end, .normal = end_normal};
  }
  return length_and_direction(side * from_axis.normal + end * end_normal);
}

/// Of the face on the side of x, or of the edge where x lies beyond the face's end.
Distance distance_to(const Wedge& s, const Point& x, int dim) {
  Point r = in_dimension(x - s.tip, dim);
  // As far along the edge the first projection leaves rounding, and the second removes it.
  for (int n = 0; n < 2 && dim == 3; ++n) r -= s.edge.dot(r) * s.edge;
  const Point across = dim == 2 ? Point(-s.normal.y(), s.normal.x(), 0.0) : Point(s.edge.cross(s.normal));
  const Point to_side = across.dot(r) < 0.0 ? Point(-across) : across;
  const double sine = std::sin(0.5 * s.angle), cosine = std::cos(0.5 * s.angle);
  const Point out = in_dimension(sine * s.normal + cosine * to_side, dim);
  const Point down = in_dimension(sine * to_side - cosine * s.normal, dim);
  if (down.dot(r) >= 0.0) return {.phi = out.dot(r), .normal = out.normalized()};
  return length_and_direction(r);
}

}  // namespace

bool is_bounded(const Shape& shape) {
  return !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<Wedge>(shape);
}

Distance signed_distance(const Shape& shape, const Point& x, int dim) {
  return std::visit([&](const auto& s) { return distance_to(s, x, dim); }, shape);
}

Point centre(const Shape& shape) {
  struct Centre {
    Point operator()(const HalfSpace& s) const { return s.point; }
    Point operator()(const Box& s) const { return s.min + 0.5 * (s.max - s.min); }
    Point operator()(const Sphere& s) const { return s.centre; }
    Point operator()(const Cylinder& s) const { return s.centre; }
    Point operator()(const Wedge& s) const { return s.tip; }
  };
  return std::visit(Centre{}, shape);
}

Bounds bounds(const Shape& shape, int dim) {
  struct Around {
    int dim;
    Bounds operator()(const HalfSpace&) const { throw std::invalid_argument("a half-space has no bounds"); }
    Bounds operator()(const Wedge&) const { throw std::invalid_argument("a wedge has no bounds"); }
    Bounds operator()(const Box& s) const { return {.min = s.min, .max = s.max}; }
    Bounds operator()(const Sphere& s) const { return reach(s.centre, Point::Constant(s.radius)); }
    Bounds operator()(const Cylinder& s) const {
      if (dim == 2) return reach(s.centre, Point::Constant(s.radius));
      // A disk across the unit vector a reaches R √(1 − a_i²) along axis i.
      const Point across_axis = (1.0 - s.axis.array().square()).max(0.0).sqrt();
      return reach(s.centre, s.half_length * s.axis.cwiseAbs() + s.radius * across_axis);
    }
    static Bounds reach(const Point& c, const Point& half) { return {.min = c - half, .max = c + half}; }
  };
  const Bounds found = std::visit(Around{dim}, shape);
  return {.min = in_dimension(found.min, dim), .max = in_dimension(found.max, dim)};
}

}  // namespace repose
