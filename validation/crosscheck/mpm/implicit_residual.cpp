#include "validation/crosscheck/mpm/implicit_residual.h"

#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/contact_trace.h"
#include "validation/mechanics/field_access.h"

#include <fmt/format.h>
#include <Eigen/QR>

#include <algorithm>
#include <bit>
#include <limits>

namespace repose::crosscheck {

namespace {

/// {u : n·(u − v) + gap ≥ 0}, or = 0.
struct Constraint {
  double gap;  ///< [m/s]
  Point n;
  bool equality;
  const Collider& body;
};

/// Nearest point to v + y in all constraints, less v, by trying every set of active ones.
/// @param active the set found, one bit for each
Point nearest(const std::vector<Constraint>& all, const Point& y, unsigned& active) {
  double scale = y.norm();
  for (const Constraint& one : all) scale = std::max(scale, std::abs(one.gap));
  const double slack = 256.0 * std::numeric_limits<double>::epsilon() * scale;
  Point best = y;
  double least_violation = std::numeric_limits<double>::infinity();
  double least_distance = least_violation;
  for (unsigned set = 0; set < (1U << all.size()); ++set) {
    const auto size = static_cast<Eigen::Index>(std::popcount(set));
    if (size > 3) continue;
    Eigen::MatrixXd N(size, 3);
    Eigen::VectorXd rest(size);
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if ((set >> k & 1U) == 0) continue;
      N.row(row) = all[k].n.transpose();
      rest[row++] = -(all[k].gap + all[k].n.dot(y));
    }
    Point at = y;
    if (size > 0) at += N.completeOrthogonalDecomposition().solve(rest);
    double violation = 0.0;
    for (const Constraint& one : all) {
      const double room = one.gap + one.n.dot(at);
      violation = std::max(violation, one.equality ? std::abs(room) : -room);
    }
    if (violation <= slack) violation = 0.0;
    const double distance = (at - y).norm();
    if (violation > least_violation || (violation == least_violation && distance >= least_distance)) continue;
    least_violation = violation;
    least_distance = distance;
    best = at;
    active = set;
  }
  return best;
}

void count_holder(const Scene& scene, const Collider& body, Counters& counters) {
  counters[fmt::format("nodes held by body {}", &body - scene.colliders.data())] += 1.0;
}

}  // namespace

Unsolved unsolved(const BalanceProbe& probe, const std::vector<double>& impulse, const BalanceBounds& bounds,
                  Counters& counters) {
  const Scene& scene = probe.scene;
  const int dim = scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const double dt = probe.dt;
  const double time = probe.state.time;
  Unsolved result;
  for (std::size_t n = 0; n < probe.state.count(Place::node); ++n) {
    const double m = probe.state.get(field::m_i).value[n];
    const Point x = scene.grid.node_position(probe.state.ids(Place::node)[n]);
    Point v = Point::Zero(), R = Point::Zero();
    for (std::size_t a = 0; a < d; ++a) {
      const auto axis = static_cast<Eigen::Index>(a);
      v[axis] = probe.v[n * d + a];
      R[axis] =
          m * v[axis] - probe.state.get(field::p_i).value[n * d + a] - impulse[n * d + a];  // [Klar16 Eq.19]
    }
    const double v_error = probe.v_error * v.norm();
    std::vector<Constraint> constraints;
    bool prescribed = false;
    bool curved = false;
    const NodeStep at{scene, probe.arithmetic, x, time, dt};
    for (const Collider& body : scene.colliders) {
      const bool held = held_before(at, body).holds;
      if (body.contact == Contact::sticky && held) {
        prescribed = true;
        count_holder(scene, body, counters);
      }
      if (body.contact == Contact::sticky || (body.contact == Contact::slipping && !held)) continue;
      const double before = signed_distance(body, x, time, scene.grid).phi;
      const Distance next = signed_distance(body, x + dt * v, time + dt, scene.grid);
      const bool slips = body.contact == Contact::slipping;
      constraints.push_back(
          {(next.phi - (slips ? before : std::min(before, 0.0))) / dt, next.normal, slips, body});
      // A body whose gap is closed holds.
      curved = curved || (std::holds_alternative<Sphere>(body.shape) &&
                          dt * std::abs(constraints.back().gap) < 1e-6 * scene.grid.h);
    }
    Point step = Point::Zero();
    double error = (bounds.impulse[n] + probe.arithmetic.g(2.0) * m * v.norm()) / m + 2.0 * v_error;
    unsigned active = 0;
    if (prescribed) {
      const CollisionTrace held = follow_collisions(at, {});
      step = held.v.value - v;
      error = held.v.error + v_error;
      counters["held nodes"] += 1.0;
      counters["nodes on surfaces"] += held.on_surface;
    } else {
      step = nearest(constraints, -R / m, active);
      if (active != 0) {
        // Gaps to the accuracy of positions; normals turn with the candidate position, by its error over a radius of
        // curvature of h or more.
        const double place = 2.0 * probe.arithmetic.position + dt * v_error;
        error += place / dt + R.norm() / m * place / scene.grid.h;
        counters["held nodes"] += 1.0;
        counters["nodes held by curved bodies"] += curved ? 1.0 : 0.0;
        for (std::size_t k = 0; k < constraints.size(); ++k)
          if ((active >> k & 1U) != 0) count_holder(scene, constraints[k].body, counters);
      }
      if (std::popcount(active) > 1) counters["nodes held twice"] += 1.0;
    }
    result.residual.push_back(m * step.norm());
    result.rounding.push_back(m * error);
  }
  return result;
}

}  // namespace repose::crosscheck
