#include "reference/mpm/forces.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/stress.h"

namespace repose {

template <int d>
void apply_forces(State<d>& state, const StepContext& step, StepReport& report) {
  const Scene& scene = step.scene;
  const Vec<d> g = in_plane<d>(scene.gravity);

  // p_star first collects the force [N]: gravity, then stress, particle by particle.
  for (Node<d>& node : state.nodes) node.p_star = node.m * g;  // [Klar16 Eq.24]
  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    const Particle<d>& p = state.particles[n];
    const Mat<d> tau = elastic_stress<d>(p, scene).tau;
    if (!tau.allFinite()) throw StageFailure("the stress of a particle is not finite", n);

    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x)) {
      const Vec<d> force = -p.V0 * (tau * i.grad_w);  // [Klar16 Eq.23]
      if (Node<d>* node = state.nodes.find(i.id)) {
        node->p_star += force;
      } else if (!force.isZero(0.0)) {
        ++report.counts[counter::massless];
      }
    }
  }

  for (Node<d>& node : state.nodes) {
    node.p_star = node.p + step.dt * node.p_star;  // [Klar16 Eq.10]
    if (!node.p_star.allFinite()) throw StageFailure("the momentum of a node is not finite");
  }
}

template void apply_forces<2>(State<2>&, const StepContext&, StepReport&);
template void apply_forces<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
