#include "reference/mpm/friction.h"

#include "reference/interface/methods/mpm.h"

#include <algorithm>

namespace repose {

template <int d>
Slide apply_coulomb(const NodeContact<d>& contact, Vec<d>& v) {
  const Collider& body = *contact.collider;
  if (body.contact == Contact::sticky) return Slide::none;

  const double push =
      body.friction_from_push_only ? std::max(0.0, contact.n.dot(contact.delta_v)) : contact.delta_v.norm();
  const double J = body.friction * push;
  const Vec<d> v_r = v - contact.v_b;
  const double v_n = contact.n.dot(v_r);
  const Vec<d> v_t = v_r - v_n * contact.n;
  const double speed = v_t.norm();
  if (J == 0.0 || speed == 0.0) return Slide::none;

  if (speed <= J) {
    v = contact.v_b + v_n * contact.n;  // [Klar16 §8.1]
    return Slide::sticking;
  }
  v -= J * v_t / speed;  // [Klar16 §8.1]
  return Slide::sliding;
}

template <int d>
void apply_friction(State<d>& state, const StepContext& step, StepReport& report) {
  for (Node<d>& node : state.nodes) {
    const Vec<d> x_i = in_plane<d>(step.scene.grid.node_position(node.id));
    Vec<d> v_tilde = node.p_bar / node.m;
    bool changed = false;
    for (const NodeContact<d>& contact : resolve_contacts<d>(x_i, node.p_star / node.m, step).contacts) {
      const Slide slide = apply_coulomb<d>(contact, v_tilde);
      if (slide == Slide::sticking) ++report.counts[counter::sticking];
      if (slide == Slide::sliding) ++report.counts[counter::sliding];
      changed = changed || slide != Slide::none;
    }
    node.p_tilde = changed ? Vec<d>(node.m * v_tilde) : node.p_bar;
    if (!node.p_tilde.allFinite()) throw StageFailure("the momentum of a node is not finite");
  }
}

template Slide apply_coulomb<2>(const NodeContact<2>&, Vec<2>&);
template Slide apply_coulomb<3>(const NodeContact<3>&, Vec<3>&);
template void apply_friction<2>(State<2>&, const StepContext&, StepReport&);
template void apply_friction<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
