#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/scene/colliders.h"

#include <Eigen/Geometry>

#include <cmath>

namespace repose::invariants {

namespace {

/// A body of a random kind that moves and turns; every third does not turn, in 3D about any axis.
Collider random_body(int n, Dice& dice, int dim) {
  Collider body;
  body.shape = random_shape(static_cast<Kind>(n % 5), dice, dim);
  body.velocity = dice.point(2.0, dim);
  if (n % 3 != 0) body.spin = dim == 2 ? Point(0, 0, dice.between(-4.0, 4.0)) : Point(dice.point(3.0, 3));
  body.hollow = n % 7 < 3 && !std::holds_alternative<HalfSpace>(body.shape) &&
                !std::holds_alternative<Wedge>(body.shape);
  return body;
}

/// Where a body turns about: as documented, the shape's centre, the half-space's point or the wedge's tip.
Point pivot(const Shape& shape, int dim) {
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) return plane->point;
  if (const auto* wedge = std::get_if<Wedge>(&shape)) return wedge->tip;
  return surface_of(shape, dim).centre;
}

/// Where the material point that is at X in the shape at rest has come to [m].
Point carried(const Collider& body, const Point& pivot, const Point& X, double time) {
  return pivot + time * body.velocity + turned_by_quaternion(body.spin, time, X - pivot);
}

/// Coordinates reach 10 m, angles 40 rad, and a pose takes some fifty operations.
constexpr double pose_rounding = 50.0 * 40.0 * 10.0 * 0x1p-53;

/// Distance and normal of a body that has moved: material points are carried along by quaternions, and a foot is carried
/// back to the shape at rest.
void pose_of_bodies(int dim, Ledger& ledger) {
  for (const char* kind : {"turning bodies", "hollow bodies", "bodies that only move", "times other than 0"})
    ledger.needs(kind, 10);
  Dice dice(21);
  for (int n = 0; n < 72; ++n) {
    const Collider body = random_body(n, dice, dim);
    const double time = n % 8 == 7 ? 0.0 : dice.between(0.0, 4.0);
    const Point c = pivot(body.shape, dim);
    const double out = body.hollow ? -1.0 : 1.0;
    ledger.saw(body.spin.isZero(0.0) ? "bodies that only move" : "turning bodies");
    if (body.hollow) ledger.saw("hollow bodies");
    if (time != 0.0) ledger.saw("times other than 0");
    for (int k = 0; k < 4; ++k) {
      const Point X = c + dice.point(0.7, dim);  // in the shape at rest
      const Point x = carried(body, c, X, time);
      const Distance got = signed_distance(body, x, time, {.dim = dim});
      const Point foot =
          c + turned_by_quaternion(body.spin, -time, x - got.phi * got.normal - time * body.velocity - c);
      if (const auto* plane = std::get_if<HalfSpace>(&body.shape)) {
        ledger.near("phi of a moving half-space", got.phi, (X - c).dot(plane->normal), pose_rounding, x);
        ledger.near("normal of a moving half-space", got.normal,
                    turned_by_quaternion(body.spin, time, plane->normal), pose_rounding, x);
        continue;
      }
      const Surface surface = surface_of(body.shape, dim);
      const double searched = searched_distance(surface, X, dim);
      ledger.near("phi of a moving body", got.phi, out * (surface.inside(X) ? -searched : searched),
                  search_error * surface.size + pose_rounding, x);
      ledger.near("x - phi n is on the moved surface", surface.off(foot), 0.0, pose_rounding, x);
      ledger.near("length of a moving body's normal", got.normal.norm(), 1.0, 16.0 * 0x1p-53, x);
    }
  }
}

/// The velocity of material points: their displacement over Δt by quaternions, over Δt; at Δt = 0 central differences over
/// ±e, whose error is e² ω³ r/6 and the rounding of poses over e; and small turns strung together.
void velocity_of_bodies(int dim, Ledger& ledger) {
  for (const char* kind : {"turning bodies", "bodies that only move", "steps of some length"})
    ledger.needs(kind, 20);
  Dice dice(22);
  for (int n = 0; n < 120; ++n) {
    const Collider body = random_body(n, dice, dim);
    const double time = dice.between(0.0, 4.0);
    const Point c = pivot(body.shape, dim);
    const Point X = c + dice.point(1.0, dim);
    const Point x = carried(body, c, X, time);
    ledger.saw(body.spin.isZero(0.0) ? "bodies that only move" : "turning bodies");

    constexpr double e = 1e-4;
    const double r = (X - c).norm(), omega = body.spin.norm();
    const Point slope = (carried(body, c, X, time + e) - carried(body, c, X, time - e)) / (2.0 * e);
    ledger.near("velocity at dt = 0", rigid_velocity(body, x, time, 0.0, {.dim = dim}), slope,
                e * e * omega * omega * omega * r / 6.0 + pose_rounding / e, x);
    for (const double dt : {1e-6, 1e-3, 0.3, 1.5}) {
      const Point mean = (carried(body, c, X, time + dt) - x) / dt;
      ledger.near("mean velocity over dt", rigid_velocity(body, x, time, dt, {.dim = dim}), mean,
                  pose_rounding / dt, x);
      ledger.saw("steps of some length");
    }
    // 200 exact displacements over Δt lead to where the point is after 200 Δt: nothing leaves its circle.
    Point y = x;
    constexpr double step = 0.01;
    for (int k = 0; k < 200; ++k) y += step * rigid_velocity(body, y, time + k * step, step, {.dim = dim});
    ledger.near("place after 200 steps", y, carried(body, c, X, time + 200 * step), 200.0 * pose_rounding, x);
  }
}

/// A sticky or slipping body holds the nodes on its surface, and up to a millionth of h outside [SCENES.md].
void nodes_on_a_surface(int, Ledger& ledger) {
  ledger.needs("distances", 50);
  Dice dice(23);
  for (int n = 0; n < 30; ++n) {
    const double h = std::exp(dice.between(-7.0, 7.0));
    for (const double share : {-1.0, -1e-6, 0.0, 1e-9, 0.99e-6})
      ledger.holds("held", holds_node(share * h, h));
    for (const double share : {1.01e-6, 1e-5, 1e-3, 1.0}) ledger.holds("not held", !holds_node(share * h, h));
    ledger.saw("distances", 9);
  }
}

}  // namespace

void add_motion(std::vector<Invariant>& all) {
  all.push_back({"pose_of_bodies",
                 "distance and normal of bodies that move and turn, by quaternions",
                 "motion",
                 {2, 3},
                 pose_of_bodies});
  all.push_back({"velocity_of_bodies",
                 "velocity of bodies, from displacements of their material points",
                 "motion",
                 {2, 3},
                 velocity_of_bodies});
  all.push_back({"nodes_on_a_surface",
                 "which nodes a sticky or slipping body holds",
                 "motion",
                 {},
                 nodes_on_a_surface});
}

}  // namespace repose::invariants
