#include "reference/mixture/reversible.h"

#include "reference/interface/methods/mixture_options.h"
#include "reference/mpm/stress.h"
#include "reference/physics/saturation.h"

#include <Eigen/LU>

#include <algorithm>

namespace repose {

namespace {

/// Calls visit(place in `nodes`, stencil node) for every node around a place that is one of them.
template <int d, class Visit>
void at_nodes_around(const std::vector<MixedNode<d>>& nodes, const Scene& scene, const Vec<d>& x,
                     Visit visit) {
  for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, x)) {
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), i.id,
                                       [](const MixedNode<d>& one, std::int64_t id) { return one.id < id; });
    if (node != nodes.end() && node->id == i.id) visit(static_cast<std::size_t>(node - nodes.begin()), i);
  }
}

template <int d>
void add_volumes(std::vector<double>& volume, const MixtureState<d>& state, mixture::Phase phase) {
  volume.assign(state.nodes.size(), 0.0);
  for (const Particle<d>& p : state.of(phase).particles) {
    const double V = p.V0 * (phase == mixture::Phase::water ? p.J : p.F.determinant());
    at_nodes_around<d>(state.nodes, state.scene(phase), p.x,
                       [&](std::size_t n, const StencilNode<d>& i) { volume[n] += i.w * V; });
  }
}

}  // namespace

template <int d>
NodeVolumes node_volumes(const MixtureState<d>& state) {
  NodeVolumes result;
  add_volumes<d>(result.sand, state, mixture::Phase::solid);
  add_volumes<d>(result.water, state, mixture::Phase::water);
  return result;
}

template <int d>
std::vector<Vec<d>> reversible_impulses(const MixtureState<d>& state, const StepContext& step) {
  std::vector<Vec<d>> impulse(state.nodes.size(), Vec<d>::Zero());
  const ReversibleTerm term = mixture_options(step.scene).reversible;
  if (term == ReversibleTerm::none) return impulse;

  // First the force of water's pressure [N].
  for (const Particle<d>& p : state.water.particles) {
    const Mat<d> tau = elastic_stress<d>(p, state.scenes->water).tau;  // −p J 1
    at_nodes_around<d>(state.nodes, state.scenes->water, p.x, [&](std::size_t n, const StencilNode<d>& i) {
      impulse[n] -= p.V0 * (tau * i.grad_w);  // [Tam17 §5.3]
    });
  }

  const NodeVolumes volume = term == ReversibleTerm::volume ? node_volumes<d>(state) : NodeVolumes{};
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const MixedNode<d>& node = state.nodes[n];
    const double V_s = volume.sand.empty() ? 0.0 : volume.sand[n];
    const double V_w = volume.water.empty() ? 0.0 : volume.water[n];
    impulse[n] *= step.dt * reversible_share(term, node.m_s, node.m_w, V_s, V_w);
  }
  return impulse;
}

template <int d>
void add_reversible(MixtureState<d>& state, const StepContext& step) {
  const std::vector<Vec<d>> impulse = reversible_impulses<d>(state, step);
  const bool none = mixture_options(step.scene).reversible == ReversibleTerm::none;
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    MixedNode<d>& node = state.nodes[n];
    node.reversible = impulse[n];
    if (none) continue;
    Node<d>* const s = state.sand.nodes.find(node.id);
    Node<d>* const w = state.water.nodes.find(node.id);
    if (s == nullptr || w == nullptr) continue;
    s->p_star += node.reversible;
    w->p_star -= node.reversible;
    if (!s->p_star.allFinite() || !w->p_star.allFinite())
      throw StageFailure("the momentum of a node is not finite");
  }
}

template NodeVolumes node_volumes<2>(const MixtureState<2>&);
template NodeVolumes node_volumes<3>(const MixtureState<3>&);
template std::vector<Vec<2>> reversible_impulses<2>(const MixtureState<2>&, const StepContext&);
template std::vector<Vec<3>> reversible_impulses<3>(const MixtureState<3>&, const StepContext&);
template void add_reversible<2>(MixtureState<2>&, const StepContext&);
template void add_reversible<3>(MixtureState<3>&, const StepContext&);

}  // namespace repose
