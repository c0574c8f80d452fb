#include "reference/mpm/implicit_step.h"

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/contact.h"
#include "reference/mpm/implicit_solve.h"

namespace repose {

template <int d>
void solve_forces_and_collisions(State<d>& state, const StepContext& step, StepReport& report) {
  const ImplicitSolution solution = solve_implicit<d>(state, step);
  Eigen::Index at = 0;
  for (Node<d>& node : state.nodes) {
    node.p_bar = node.m * solution.v_bar.segment<d>(at);
    node.p_star = node.p + solution.impulse.segment<d>(at);
    if (!node.p_bar.allFinite() || !node.p_star.allFinite()) {
      throw StageFailure("the momentum of a node is not finite");
    }
    at += d;
  }
  count_solve(solution, report);
}

template <int d>
void apply_implicit_friction(State<d>& state, const StepContext& step, StepReport& report) {
  for (Node<d>& node : state.nodes) {
    const Vec<d> x_i = in_plane<d>(step.scene.grid.node_position(node.id));
    const Point x_bar = in_space<d>(x_i + step.dt * node.p_bar / node.m);
    Vec<d> v_tilde = node.p_bar / node.m;
    bool changed = false;
    for (NodeContact<d> contact : resolve_contacts<d>(x_i, node.p_star / node.m, step).contacts) {
      contact.n =
          in_plane<d>(signed_distance(*contact.collider, x_bar, step.time + step.dt, step.scene.grid).normal);
      const Slide slide = apply_coulomb<d>(contact, v_tilde);
      if (slide == Slide::sticking) ++report.counts[counter::sticking];
      if (slide == Slide::sliding) ++report.counts[counter::sliding];
      changed = changed || slide != Slide::none;
    }
    node.p_tilde = changed ? Vec<d>(node.m * v_tilde) : node.p_bar;
    if (!node.p_tilde.allFinite()) throw StageFailure("the momentum of a node is not finite");
  }
}

template void solve_forces_and_collisions<2>(State<2>&, const StepContext&, StepReport&);
template void solve_forces_and_collisions<3>(State<3>&, const StepContext&, StepReport&);
template void apply_implicit_friction<2>(State<2>&, const StepContext&, StepReport&);
template void apply_implicit_friction<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
