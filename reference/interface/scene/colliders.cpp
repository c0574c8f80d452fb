#include "reference/interface/scene/colliders.h"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <limits>

namespace repose {

namespace {

/// sin(a)/a, 1 at a = 0. The quotient keeps full precision for every a ≠ 0.
double sinc(double a) { return a == 0.0 ? 1.0 : std::sin(a) / a; }

/// (R(ω t) r − r)/t: mean velocity of an arm r that turns with angular velocity ω for a time t, by Rodrigues' formula
///     sinc(θ) ω × r + ½ t sinc²(θ/2) ω × (ω × r),   θ = ‖ω‖ t,
/// in which nothing cancels at small θ and which is ω × r at t = 0.
Point turning_velocity(const Point& omega, const Point& r, double t) {
  const double theta = omega.norm() * t;
  const double half = sinc(0.5 * theta);
  const Point first = omega.cross(r);
  return sinc(theta) * first + (0.5 * t * half * half) * omega.cross(first);
}

/// R(ω t) r.
Point turned(const Point& omega, const Point& r, double t) { return r + t * turning_velocity(omega, r, t); }

/// Distance of the shape in its pose at a time, without images and as if it were not hollow.
Distance posed_distance(const Collider& collider, const Shape& shape, const Point& x, double time, int dim) {
  const bool turns = !collider.spin.isZero(0.0);
  // Carry x into the frame in which the shape is at rest, and the normal back.
  Point at_rest = x - time * collider.velocity;
  if (turns) {
    const Point c = centre(shape);
    at_rest = c + turned(collider.spin, at_rest - c, -time);
  }
  Distance result = signed_distance(shape, at_rest, dim);
  if (turns) result.normal = turned(collider.spin, result.normal, time).normalized();
  return result;
}

/// Decimal fractions round: a billionth less than the domain's length is no intent.
bool spans(double extent, double period) { return extent >= period * (1.0 - 1e-9); }

bool turns_about(const Point& spin, int axis) { return spin.cross(Point::Unit(axis)).isZero(0.0); }

/// The shape without the ends that meet those of its images. It is drawn out so far that nothing inside is nearer to the
/// ends that are left than to a side.
Shape drawn_out(const Collider& collider, const Grid& grid) {
  Shape result = collider.shape;
  for (int axis = 0; axis < grid.dim; ++axis) {
    if (!endless_along(collider, axis, grid)) continue;
    if (auto* box = std::get_if<Box>(&result)) {
      double more = 0.0;
      for (int side = 0; side < grid.dim; ++side) more += box->max[side] - box->min[side];
      box->min[axis] -= more;
      box->max[axis] += more;
    }
    if (auto* cylinder = std::get_if<Cylinder>(&result))
      cylinder->half_length += cylinder->radius + grid.period(axis);
  }
  return result;
}

/// A place among images of a body.
struct Place {
  Point x = Point::Zero();  ///< moved by whole lengths to where the body's own place is the nearest image [m]
  Distance distance;        ///< of the shape there
};

Place nearest_place(const Collider& collider, const Point& x, double time, const Grid& grid) {
  if (!grid.any_periodic() || !is_bounded(collider.shape))
    return {x, posed_distance(collider, collider.shape, x, time, grid.dim)};
  const Shape shape = drawn_out(collider, grid);
  const Point from_centre = x - (centre(collider.shape) + time * collider.velocity);
  Point first = x;
  std::array<int, 3> images{1, 1, 1};
  for (int axis = 0; axis < grid.dim; ++axis) {
    const double period = grid.period(axis);
    if (period == 0.0) continue;
    first[axis] -= period * std::round(from_centre[axis] / period);
    // Of an oblique body, the image whose centre is nearest need not be the nearest.
    if (!endless_along(collider, axis, grid)) images[static_cast<std::size_t>(axis)] = 3;
  }
  constexpr std::array<double, 3> lengths{0.0, 1.0, -1.0};
  Place best{first, {.phi = std::numeric_limits<double>::infinity(), .normal = Point::UnitX()}};
  for (int n = 0; n < images[0] * images[1] * images[2]; ++n) {
    Point image = first;
    for (int axis = 0, rest = n; axis < grid.dim; ++axis) {
      const int count = images[static_cast<std::size_t>(axis)];
      image[axis] += lengths[static_cast<std::size_t>(rest % count)] * grid.period(axis);
      rest /= count;
    }
    const Distance distance = posed_distance(collider, shape, image, time, grid.dim);
    if (distance.phi < best.distance.phi) best = {image, distance};
  }
  return best;
}

}  // namespace

Distance signed_distance(const Collider& collider, const Point& x, double time, const Grid& grid) {
  const Distance result = nearest_place(collider, x, time, grid).distance;
  if (collider.hollow) return {.phi = -result.phi, .normal = -result.normal};
  return result;
}

Point rigid_velocity(const Collider& collider, const Point& x, double time, double dt, const Grid& grid) {
  if (collider.spin.isZero(0.0)) return collider.velocity;
  const Point place = grid.any_periodic() ? nearest_place(collider, x, time, grid).x : x;
  const Point r = place - (centre(collider.shape) + time * collider.velocity);
  return collider.velocity + turning_velocity(collider.spin, r, dt);
}

bool endless_along(const Collider& collider, int axis, const Grid& grid) {
  const double period = grid.period(axis);
  if (period == 0.0 || !turns_about(collider.spin, axis)) return false;
  if (const auto* box = std::get_if<Box>(&collider.shape))
    return spans(box->max[axis] - box->min[axis], period);
  const auto* cylinder = std::get_if<Cylinder>(&collider.shape);
  return cylinder != nullptr && grid.dim == 3 && std::abs(cylinder->axis[axis]) == 1.0 &&
         spans(2.0 * cylinder->half_length, period);
}

double length_along(const Collider& collider, int axis, const Grid& grid) {
  const Bounds box = bounds(collider.shape, grid.dim);
  const bool round = std::holds_alternative<Sphere>(collider.shape) ||
                     (grid.dim == 2 && std::holds_alternative<Cylinder>(collider.shape));
  if (round || collider.spin.isZero(0.0)) return box.max[axis] - box.min[axis];
  Point turning = box.max - box.min;  // whose diagonal is the longest way across
  if (const auto* cylinder = std::get_if<Cylinder>(&collider.shape))
    turning = Point(2.0 * cylinder->radius, 0.0, 2.0 * cylinder->half_length);
  for (int other = 0; other < grid.dim; ++other)
    if (endless_along(collider, other, grid))
      turning[std::holds_alternative<Cylinder>(collider.shape) ? 2 : other] = 0.0;
  if (grid.dim < 3) turning.z() = 0.0;
  return turning.norm();
}

}  // namespace repose
