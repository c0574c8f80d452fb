#include "reference/mpm/collisions.h"

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/contact.h"

namespace repose {

template <int d>
void resolve_collisions(State<d>& state, const StepContext& step, StepReport& report) {
  for (Node<d>& node : state.nodes) {
    const Vec<d> x_i = in_plane<d>(step.scene.grid.node_position(node.id));
    const Resolved<d> resolved = resolve_contacts<d>(x_i, node.p_star / node.m, step);
    node.p_bar = resolved.contacts.empty() ? node.p_star : Vec<d>(node.m * resolved.v);
    report.counts[counter::contacts] += resolved.contacts.size();
    if (!node.p_bar.allFinite()) throw StageFailure("the momentum of a node is not finite");
  }
}

template void resolve_collisions<2>(State<2>&, const StepContext&, StepReport&);
template void resolve_collisions<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
