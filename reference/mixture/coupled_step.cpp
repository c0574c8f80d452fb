#include "reference/mixture/coupled_step.h"

#include "reference/interface/methods/mixture_options.h"
#include "reference/mpm/implicit_newton.h"

#include <iterator>
#include <utility>
#include <vector>

namespace repose {

using mixture::Phase;

template <int d>
ImplicitSolution solve_mixture(const MixtureState<d>& state, CoupledSystem<d>& system,
                               const StepContext& step, SolveHistory* history) {
  std::vector<NodeBodies<d>> bodies;
  for (const Phase phase : mixture::phases) {
    std::vector<NodeBodies<d>> own =
        bodies_of_nodes<d>(state.of(phase), {state.scene(phase), step.time, step.dt});
    bodies.insert(bodies.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  constexpr bool has_energy = true;
  return ImplicitNewton<d, CoupledSystem<d>>(mixture_options(step.scene).implicit, has_energy, system,
                                             std::move(bodies), step)
      .solve(history);
}

template <int d>
void solve_forces_of_both(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  require_step(step.dt);
  CoupledSystem<d> system(state, step);
  const ImplicitSolution solution = solve_mixture<d>(state, system, step);
  std::size_t slot = 0;
  for (const Phase phase : mixture::phases)
    for (Node<d>& node : state.of(phase).nodes) {
      node.p_bar = node.m * at_slot<d>(solution.v_bar, slot);
      node.p_star = node.p + at_slot<d>(solution.impulse, slot);
      if (!node.p_bar.allFinite() || !node.p_star.allFinite())
        throw StageFailure("the momentum of a node is not finite");
      ++slot;
    }

  const std::vector<double> drag = system.drag_impulses(solution.v_bar);
  const std::vector<double> reversible = system.reversible_impulses();
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    MixedNode<d>& node = state.nodes[n];
    const Vec<d> j = Eigen::Map<const Vec<d>>(drag.data() + d * n);
    node.reversible = Eigen::Map<const Vec<d>>(reversible.data() + d * n);
    if (Node<d>* s = state.sand.nodes.find(node.id)) {
      node.p_star_s = s->p_star;
      s->p_star -= j;
    }
    if (Node<d>* w = state.water.nodes.find(node.id)) {
      node.p_star_w = w->p_star;
      w->p_star += j;
    }
  }
  for (const NodePair& pair : system.pairs())
    if (pair.drag > 0.0) ++report.counts[counter::dragged_nodes];
  count_solve(solution, report);
}

template ImplicitSolution solve_mixture<2>(const MixtureState<2>&, CoupledSystem<2>&, const StepContext&,
                                           SolveHistory*);
template ImplicitSolution solve_mixture<3>(const MixtureState<3>&, CoupledSystem<3>&, const StepContext&,
                                           SolveHistory*);
template void solve_forces_of_both<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void solve_forces_of_both<3>(MixtureState<3>&, const StepContext&, StepReport&);

}  // namespace repose
