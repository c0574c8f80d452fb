#include "reference/mixture/saturation.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/physics/saturation.h"

#include <algorithm>

namespace repose {

namespace {

/// Σ w of the wet nodes around a place.
template <int d>
double wet_weight(const std::vector<MixedNode<d>>& nodes, const Stencil<d>& stencil) {
  double sum = 0.0;
  for (const StencilNode<d>& i : stencil) {
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), i.id,
                                       [](const MixedNode<d>& one, std::int64_t id) { return one.id < id; });
    if (node != nodes.end() && node->id == i.id && node->wet) sum += i.w;  // [Tam17 Eq.24]
  }
  return sum;
}

}  // namespace

template <int d>
void saturate(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  const Scene& scene = step.scene;
  const MixtureOptions& options = mixture_options(scene);
  for (MixedNode<d>& node : state.nodes) {
    node.wet = is_wet(node.m_s, node.m_w, options.wet_mass);
    if (node.wet) ++report.counts[counter::wet_nodes];
  }

  state.phi_p.resize(state.sand.particles.size());
  for (std::size_t n = 0; n < state.sand.particles.size(); ++n) {
    Particle<d>& p = state.sand.particles[n];
    state.phi_p[n] =
        saturation(wet_weight<d>(state.nodes, Stencil<d>(scene.grid, options.kernel, state.x_n_s.at(n))));
    const Material& material = scene.materials[static_cast<std::size_t>(p.material)];
    if (options.softening != Softening::none)
      p.c_C = cohesion_of_wet(material.cohesion, state.phi_p[n], options.softening);  // [Tam17 Eq.25]
  }
}

template void saturate<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void saturate<3>(MixtureState<3>&, const StepContext&, StepReport&);

}  // namespace repose
