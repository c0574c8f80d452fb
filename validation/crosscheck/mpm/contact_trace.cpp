#include "validation/crosscheck/mpm/contact_trace.h"

#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>

namespace repose::crosscheck {

namespace {

/// Roundings of a distance: the node's place (2), into the body's frame (pose, angle, d products and sums per axis), then
/// squares, root and a difference.
constexpr double distance_roundings = 22.0;

/// γ_m of both solvers for what they ask of bodies: in double, whatever they store.
double in_double(double roundings) { return 2.0 * gamma(roundings, 0x1p-53); }

double extent(const Shape& shape, int dim) {
  if (const auto* box = std::get_if<Box>(&shape)) return in_dimensions(box->max - box->min, dim).norm();
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder->radius + cylinder->half_length;
  return 0.0;
}

/// Largest length that enters a distance to the body [m]: what its rounding is relative to.
double length_scale(const Collider& body, const Point& x, double time, const Grid& grid) {
  const int dim = grid.dim;
  const Point arm = x - centre(body.shape);
  return in_dimensions(x, dim).norm() + in_dimensions(arm, dim).norm() + extent(body.shape, dim) +
         body.velocity.norm() * std::abs(time) + grid.periods().norm();
}

struct Touch {
  double phi = 0.0;
  double phi_error = 0.0;
  Known normal;
};

/// Distance at a point known to within `x_error`. |∇φ| = 1 bounds the error of φ; the normal's is the largest change
/// over the corners of a box of twice that size: a surface across which the normal jumps (an edge, a medial axis)
/// that meets the box has a corner on each side.
Touch touch(const NodeStep& at, const Collider& body, const Point& x, double x_error, double time) {
  const int dim = at.scene.dim();
  const Distance distance = signed_distance(body, x, time, at.scene.grid);
  Touch result{
      .phi = distance.phi,
      .phi_error = x_error + in_double(distance_roundings) * length_scale(body, x, time, at.scene.grid),
      .normal = {distance.normal, in_double(distance_roundings)}};
  const double half = 2.0 * result.phi_error;
  const int corners = 1 << dim;
  for (int corner = 0; corner < corners; ++corner) {
    Point probe = x;
    for (int axis = 0; axis < dim; ++axis) probe[axis] += (corner >> axis & 1) != 0 ? half : -half;
    const double turn = (signed_distance(body, probe, time, at.scene.grid).normal - distance.normal).norm();
    result.normal.error = std::max(result.normal.error, in_double(distance_roundings) + turn);
  }
  return result;
}

Known body_velocity(const NodeStep& at, const Collider& body) {
  const Point v = rigid_velocity(body, at.x, at.time, at.dt, at.scene.grid);
  const double arm = (at.x - centre(body.shape)).norm() + body.velocity.norm() * std::abs(at.time) +
                     at.scene.grid.periods().norm();
  const bool spins = body.spin.squaredNorm() > 0.0;
  // A displacement of the turned arm, divided by Δt, keeps the rounding of the arm itself.
  const double turned = spins && at.dt > 0.0 ? arm / at.dt : 0.0;
  return {v, in_double(10.0) * (body.velocity.norm() + body.spin.norm() * (arm + at.x.norm()) + turned)};
}

}  // namespace

Held held_before(const NodeStep& at, const Collider& body) {
  const double beyond =
      signed_distance(body, at.x, at.time, at.scene.grid).phi - surface_tolerance * at.scene.grid.h;
  const double error = in_double(distance_roundings) * length_scale(body, at.x, at.time, at.scene.grid);
  return {.holds = beyond <= 0.0, .unsure = std::abs(beyond) <= error};
}

CollisionTrace follow_collisions(const NodeStep& at, Known v_star) {
  CollisionTrace trace{
      .v = v_star, .tie = 0.0, .unsure = 0.0, .contacts = {}, .undone = 0.0, .on_surface = 0.0};
  for (const Collider& body : at.scene.colliders) {
    trace.tie *= 2.0;  // a later contact answers to a jump by at most the jump itself: x̄ = x + Δt v, |∇φ| = 1
    const Known v_b = body_velocity(at, body);
    const Touch now = touch(at, body, at.x, 0.0, at.time);
    const auto [inside, inside_unsure] = held_before(at, body);
    if (body.contact != Contact::separating && inside && now.phi >= 0.0) trace.on_surface += 1.0;
    ContactTrace contact{.collider = &body, .dv = {}, .normal = now.normal, .v_b = v_b, .pulled = false};
    const Known v = trace.v;
    // Behind a jump nobody knows which of the next ones act.
    if (trace.tie > 0.0) trace.unsure += 1.0;
    if (body.contact == Contact::sticky) {
      // It would also undo those before it.
      if (inside_unsure) trace.unsure += 1.0 + static_cast<double>(trace.contacts.size());
      if (inside) {
        for (const ContactTrace& before : trace.contacts)
          if (before.collider->contact != Contact::sticky && before.collider->friction > 0.0)
            trace.undone += 1.0;
        trace.contacts.clear();
        contact.dv = {v_b.value - v_star.value, v_b.error + v_star.error};
        trace.v = v_b;
      }
      if (inside_unsure) trace.tie += (v_b.value - v.value).norm() + v_b.error + v.error;
    } else {
      const Point x_bar = at.x + at.dt * v.value;
      const double x_bar_error = at.dt * v.error + in_double(2.0) * at.dt * v.value.norm();
      const Touch next = touch(at, body, x_bar, x_bar_error, at.time + at.dt);
      const double target = body.contact == Contact::separating ? std::min(now.phi, 0.0) : now.phi;
      const double gap = next.phi - target;
      // The distance of one place from one body at rest is one number, however often it is asked.
      const bool same =
          body.velocity.isZero(0.0) && body.spin.isZero(0.0) && v.value.isZero(0.0) && v.error == 0.0;
      const double gap_error = same ? 0.0 : next.phi_error + now.phi_error;
      const bool acts = body.contact == Contact::separating ? gap < 0.0 : inside;
      const double dv_error =
          gap_error / at.dt + std::abs(gap) / at.dt * (next.normal.error + in_double(4.0));
      contact.normal = next.normal;
      if (acts) {
        contact.dv = {-gap / at.dt * next.normal.value, dv_error};
        contact.pulled = gap > 0.0;
        trace.v.value += contact.dv.value;
        trace.v.error += dv_error + at.arithmetic.g(1.0) * trace.v.value.norm();
      } else if (body.contact == Contact::separating && gap <= gap_error) {
        contact.dv.error = dv_error;
        trace.v.error += dv_error;
      }
      const bool decided_by_rounding =
          body.contact == Contact::separating ? std::abs(gap) <= gap_error : inside_unsure;
      if (decided_by_rounding) trace.unsure += 1.0;
      if (body.contact == Contact::slipping && inside_unsure) trace.tie += std::abs(gap) / at.dt + dv_error;
    }
    if (contact.dv.error > 0.0 || contact.dv.value.squaredNorm() > 0.0) trace.contacts.push_back(contact);
  }
  return trace;
}

void take_normals_at(const NodeStep& at, const Known& v_bar, CollisionTrace& collisions) {
  const double error = at.dt * v_bar.error + in_double(2.0) * at.dt * v_bar.value.norm();
  for (ContactTrace& contact : collisions.contacts) {
    if (contact.collider->contact == Contact::sticky) continue;
    contact.normal = touch(at, *contact.collider, at.x + at.dt * v_bar.value, error, at.time + at.dt).normal;
  }
}

Known follow_friction(const NodeStep& at, const CollisionTrace& collisions, Known v_bar,
                      FrictionCounts& counts) {
  const int dim = at.scene.dim();
  const Arithmetic& arithmetic = at.arithmetic;
  Known v = v_bar;
  for (const ContactTrace& contact : collisions.contacts) {
    const Collider& body = *contact.collider;
    if (body.contact == Contact::sticky || body.friction <= 0.0) continue;
    const Point& n = contact.normal.value;
    const double n_error = contact.normal.error;
    const double dv = contact.dv.value.norm();
    const double push = body.friction_from_push_only ? std::max(0.0, n.dot(contact.dv.value)) : dv;
    // A pull that no rounding makes a push does not rub at all.
    const double pull = body.friction_from_push_only ? -n.dot(contact.dv.value) : 0.0;
    if (pull > contact.dv.error + dv * (n_error + arithmetic.g(dim + 3.0))) continue;
    const double limit = body.friction * push;  // J
    const double limit_error =
        body.friction * (contact.dv.error + dv * n_error + arithmetic.g(dim + 3.0) * dv);
    if (dv == 0.0) {
      v.error += limit_error;  // a contact that only rounding might make
      counts.undecided += 1.0;
      continue;
    }
    const Point relative = v.value - contact.v_b.value;
    const double scale = v.value.norm() + contact.v_b.value.norm();
    const double relative_error = v.error + contact.v_b.error + arithmetic.g(1.0) * scale;
    const double along = n.dot(relative);
    const double along_error = relative_error + scale * n_error + arithmetic.g(dim + 1.0) * scale;
    const Point across = relative - along * n;
    const double speed = across.norm();
    const double across_error =
        relative_error + along_error + std::abs(along) * n_error + arithmetic.g(dim + 3.0) * scale;
    if (speed == 0.0 && across_error == 0.0) continue;
    const double stick_error =
        contact.v_b.error + along_error + std::abs(along) * n_error + arithmetic.g(2.0) * scale;
    const double turn = speed > 0.0 ? std::min(2.0, 2.0 * across_error / speed) : 2.0;
    const double slide_error =
        v.error + limit_error + std::min(limit, speed + across_error) * turn + arithmetic.g(6.0) * scale;
    const bool sticks = speed <= limit;
    const double margin = std::abs(speed - limit);
    const bool unsure = margin <= across_error + limit_error;
    if (limit > 0.0) (sticks ? counts.sticking : counts.sliding) += 1.0;
    if (unsure || limit <= limit_error) counts.undecided += 1.0;
    if (sticks)
      v.value = contact.v_b.value + along * n;
    else
      v.value -= limit / speed * across;
    v.error = unsure ? stick_error + slide_error + margin : (sticks ? stick_error : slide_error);
  }
  return v;
}

}  // namespace repose::crosscheck
