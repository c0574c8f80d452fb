#include "reference/mpm/contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace repose {

namespace {

/// The change of velocity that takes a node's candidate distance φ̄ to the wanted one.
template <int d>
Vec<d> correction(const Distance& candidate, double wanted, double dt) {
  return -(candidate.phi - wanted) / dt * in_plane<d>(candidate.normal);
}

}  // namespace

template <int d>
std::optional<NodeContact<d>> meet_body(const Collider& collider, const Vec<d>& x_i, const Vec<d>& v,
                                        const StepContext& step) {
  NodeContact<d> contact{
      &collider, in_plane<d>(rigid_velocity(collider, in_space<d>(x_i), step.time, step.dt, step.scene.grid)),
      Vec<d>::Zero(), Vec<d>::Zero()};
  const double phi_n = signed_distance(collider, in_space<d>(x_i), step.time, step.scene.grid).phi;
  const bool held = holds_node(phi_n, step.scene.grid.h);
  if (collider.contact != Contact::separating && !held) return {};
  if (collider.contact == Contact::sticky) {
    contact.delta_v = contact.v_b - v;
    return contact;
  }

  const Vec<d> x_bar = x_i + step.dt * v;
  const Distance candidate =
      signed_distance(collider, in_space<d>(x_bar), step.time + step.dt, step.scene.grid);
  const bool separates = collider.contact == Contact::separating;
  const double wanted = separates ? std::min(phi_n, 0.0) : phi_n;
  if (separates && !(candidate.phi < wanted)) return {};
  contact.n = in_plane<d>(candidate.normal);
  contact.delta_v = correction<d>(candidate, wanted, step.dt);
  return contact;
}

template <int d>
Resolved<d> resolve_contacts(const Vec<d>& x_i, const Vec<d>& v_star, const StepContext& step) {
  if (!step.scene.colliders.empty() && !(step.dt > 0.0)) {
    throw std::invalid_argument(fmt::format("time step {} s is not > 0: collisions need one", step.dt));
  }
  Resolved<d> resolved{v_star, {}};
  for (const Collider& collider : step.scene.colliders) {
    const bool sticks = collider.contact == Contact::sticky;
    const auto contact = meet_body<d>(collider, x_i, sticks ? v_star : resolved.v, step);
    if (!contact) continue;
    if (sticks) resolved.contacts.clear();
    // A sticky contact sets the velocity: adding v_b − v to v would round.
    resolved.v = sticks ? contact->v_b : Vec<d>(resolved.v + contact->delta_v);
    if (!contact->delta_v.isZero(0.0)) resolved.contacts.push_back(*contact);
  }
  return resolved;
}

template std::optional<NodeContact<2>> meet_body<2>(const Collider&, const Vec<2>&, const Vec<2>&,
                                                    const StepContext&);
template std::optional<NodeContact<3>> meet_body<3>(const Collider&, const Vec<3>&, const Vec<3>&,
                                                    const StepContext&);
template Resolved<2> resolve_contacts<2>(const Vec<2>&, const Vec<2>&, const StepContext&);
template Resolved<3> resolve_contacts<3>(const Vec<3>&, const Vec<3>&, const StepContext&);

}  // namespace repose
