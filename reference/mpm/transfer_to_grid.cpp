#include "reference/mpm/transfer_to_grid.h"

#include <cmath>
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"

namespace repose {

template <int d>
void transfer_to_grid(State<d>& state, const StepContext& step, StepReport& report) {
  const Scene& scene = step.scene;
  const bool affine = mpm_options(scene).transfer == Transfer::apic;

  // Mass decides which nodes are active.
  state.nodes.clear();
  for (const Particle<d>& p : state.particles) {
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x)) {
      state.nodes.touch(i.id).m += i.w * p.m;  // [Klar16 Eq.7]
    }
  }
  state.nodes.keep_massive();

  // Momentum of each particle's velocity field v_p + C_p (x − x_p) at the node.
  for (const Particle<d>& p : state.particles) {
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x)) {
      Node<d>* node = state.nodes.find(i.id);
      if (node == nullptr) continue;  // w m rounded to zero for every particle around
      const Vec<d> velocity = affine ? Vec<d>(p.v + p.C * i.offset) : p.v;
      node->p += i.w * p.m * velocity;  // [Klar16 Eq.9]
    }
  }

  for (const Node<d>& node : state.nodes) {
    if (!std::isfinite(node.m) || !node.p.allFinite())
      throw StageFailure("the mass or momentum of a node is not finite");
  }
  report.counts[counter::active_nodes] = state.nodes.size();
}

template void transfer_to_grid<2>(State<2>&, const StepContext&, StepReport&);
template void transfer_to_grid<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
