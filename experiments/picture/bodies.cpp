#include "experiments/picture/bodies.h"

#include <Eigen/Geometry>

#include <cmath>
#include <limits>

namespace repose::experiments {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Part of a ray o + t d within a convex shape, with the outward normals at its ends; empty if first > last.
struct Chord {
  double first = -infinity;
  double last = infinity;
  Point first_normal = Point::Zero();
  Point last_normal = Point::Zero();

  void cut(const Chord& other) {
    if (other.first > first) {
      first = other.first;
      first_normal = other.first_normal;
    }
    if (other.last < last) {
      last = other.last;
      last_normal = other.last_normal;
    }
  }
};

const Chord no_chord{.first = infinity, .last = -infinity};

/// Behind a plane: (x − point)·normal < 0.
Chord behind(const Point& point, const Point& normal, const Point& o, const Point& d) {
  const double height = (o - point).dot(normal);
  const double rise = d.dot(normal);
  if (rise == 0.0) return height < 0.0 ? Chord{} : no_chord;
  Chord chord;
  (rise < 0.0 ? chord.first : chord.last) = -height / rise;
  (rise < 0.0 ? chord.first_normal : chord.last_normal) = normal;
  return chord;
}

Chord chord_of(const HalfSpace& s, const Point& o, const Point& d) { return behind(s.point, s.normal, o, d); }

Chord chord_of(const Box& s, const Point& o, const Point& d) {
  Chord chord;
  for (int axis = 0; axis < 3; ++axis) {
    chord.cut(behind(s.min, -Point::Unit(axis), o, d));
    chord.cut(behind(s.max, Point::Unit(axis), o, d));
  }
  return chord;
}

/// ‖o + t d‖ < radius, for the parts of o and d across an axis or as they are.
Chord within(double radius, const Point& o, const Point& d) {
  const double a = d.squaredNorm();
  const double b = o.dot(d);
  const double c = o.squaredNorm() - radius * radius;
  if (a == 0.0) return c < 0.0 ? Chord{} : no_chord;
  const double root = b * b - a * c;
  if (root <= 0.0) return no_chord;
  Chord chord{.first = (-b - std::sqrt(root)) / a, .last = (-b + std::sqrt(root)) / a};
  chord.first_normal = (o + chord.first * d) / radius;
  chord.last_normal = (o + chord.last * d) / radius;
  return chord;
}

Chord chord_of(const Sphere& s, const Point& o, const Point& d) { return within(s.radius, o - s.centre, d); }

Chord chord_of(const Cylinder& s, const Point& o, const Point& d) {
  const auto across = [&](const Point& v) { return (v - v.dot(s.axis) * s.axis).eval(); };
  Chord chord = within(s.radius, across(o - s.centre), across(d));
  chord.cut(behind(s.centre + s.half_length * s.axis, s.axis, o, d));
  chord.cut(behind(s.centre - s.half_length * s.axis, -s.axis, o, d));
  return chord;
}

Chord chord_of(const Wedge& s, const Point& o, const Point& d) {
  Chord chord;
  for (const double side : {-1.0, 1.0}) {
    const Point out =
        std::sin(0.5 * s.angle) * s.normal + side * std::cos(0.5 * s.angle) * s.edge.cross(s.normal);
    chord.cut(behind(s.tip, out, o, d));
  }
  return chord;
}

bool inside(const Bounds& limits, const Point& x) {
  const Point slack = Point::Constant(1e-9 * (limits.max - limits.min).norm());
  return ((x - limits.min + slack).array() >= 0.0).all() && ((limits.max + slack - x).array() >= 0.0).all();
}

}  // namespace

bool buried(const Body& half_space, const Point& x) {
  const auto* plane = std::get_if<HalfSpace>(&half_space.shape);
  if (plane == nullptr || half_space.hollow) return false;
  const double height = (half_space.to_rest * x - plane->point).dot(plane->normal);
  return height <
         -1e-6 * (half_space.limits ? (half_space.limits->max - half_space.limits->min).norm() : 1.0);
}

std::optional<BodyHit> first_hit(const Body& body, const Point& eye, const Point& direction) {
  const Point o = body.to_rest * eye;
  const Point d = body.to_rest.linear() * direction;
  const Chord chord = std::visit([&](const auto& shape) { return chord_of(shape, o, d); }, body.shape);
  if (chord.first > chord.last) return std::nullopt;
  const double distance = body.hollow ? chord.last : chord.first;
  if (!(distance > 0.0) || !std::isfinite(distance)) return std::nullopt;
  if (body.limits && !inside(*body.limits, eye + distance * direction)) return std::nullopt;
  const Point normal = body.hollow ? (-chord.last_normal).eval() : chord.first_normal;
  return BodyHit{.distance = distance, .normal = body.to_rest.linear().transpose() * normal};
}

}  // namespace repose::experiments
