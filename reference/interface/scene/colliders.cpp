#include "reference/interface/scene/colliders.h"

#include <Eigen/Geometry>

#include <cmath>

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

}  // namespace

Distance signed_distance(const Collider& collider, const Point& x, double time, int dim) {
  const bool turns = !collider.spin.isZero(0.0);
  // Carry x into the frame in which the shape is at rest, and the normal back.
  Point at_rest = x - time * collider.velocity;
  if (turns) {
    const Point c = centre(collider.shape);
    at_rest = c + turned(collider.spin, at_rest - c, -time);
  }
  Distance result = signed_distance(collider.shape, at_rest, dim);
  if (turns) result.normal = turned(collider.spin, result.normal, time).normalized();
  if (collider.hollow) return {.phi = -result.phi, .normal = -result.normal};
  return result;
}

Point rigid_velocity(const Collider& collider, const Point& x, double time, double dt) {
  if (collider.spin.isZero(0.0)) return collider.velocity;
  const Point r = x - (centre(collider.shape) + time * collider.velocity);
  return collider.velocity + turning_velocity(collider.spin, r, dt);
}

}  // namespace repose
