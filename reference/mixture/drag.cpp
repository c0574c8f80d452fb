#include "reference/mixture/drag.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/physics/drag.h"

#include <cmath>

namespace repose {

double drag_rate_at(const Scene& scene, double m_s, double m_w) {
  const MixtureOptions& options = mixture_options(scene);
  switch (options.drag) {
    case Drag::none:
      break;
    case Drag::printed:
      return drag_rate(options.c_E, m_s, m_w);
    case Drag::mesh_consistent:
      return drag_rate_of_volume(options.kappa, std::pow(scene.grid.h, scene.dim()), m_s, m_w);
  }
  return 0.0;
}

double drag_coefficient_at(const Scene& scene, double m_s, double m_w) {
  const MixtureOptions& options = mixture_options(scene);
  switch (options.drag) {
    case Drag::none:
      break;
    case Drag::printed:
      return options.c_E * m_s * m_w;
    case Drag::mesh_consistent:
      return options.kappa * std::pow(scene.grid.h, scene.dim());
  }
  return 0.0;
}

template <int d>
void apply_drag(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  for (const MixedNode<d>& node : state.nodes) {
    Node<d>* const s = state.sand.nodes.find(node.id);
    Node<d>* const w = state.water.nodes.find(node.id);
    if (s == nullptr || w == nullptr) continue;
    const Vec<d> j = drag_impulse<d>(s->m, s->p_star / s->m, w->m, w->p_star / w->m,
                                     drag_rate_at(step.scene, s->m, w->m), step.dt);
    if (j.isZero(0.0)) continue;
    s->p_star -= j;  // [Tam17 Eq.20]
    w->p_star += j;  // [Tam17 Eq.21]
    ++report.counts[counter::dragged_nodes];
    if (!s->p_star.allFinite() || !w->p_star.allFinite())
      throw StageFailure("the momentum of a node is not finite");
  }
}

template void apply_drag<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void apply_drag<3>(MixtureState<3>&, const StepContext&, StepReport&);

}  // namespace repose
