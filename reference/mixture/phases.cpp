#include "reference/mixture/phases.h"

#include "reference/interface/methods/mixture.h"
#include "reference/mixture/reversible.h"
#include "reference/mpm/forces.h"
#include "reference/mpm/plasticity.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/mpm/update_particles.h"

namespace repose {

namespace {

template <int d>
std::vector<Vec<d>> places(const State<d>& state) {
  std::vector<Vec<d>> result;
  result.reserve(state.particles.size());
  for (const Particle<d>& p : state.particles) result.push_back(p.x);
  return result;
}

}  // namespace

template <int d>
std::size_t place_among_all(const MixtureState<d>& state, mixture::Phase phase, std::size_t particle) {
  const std::int64_t id = state.of(phase).ids.of(particle);
  std::size_t element = 0;
  while (state.ids.of(element) != id) ++element;
  return element;
}

template <int d>
StageFailure placed(const StageFailure& failure, const MixtureState<d>& state, mixture::Phase phase) {
  if (failure.particle < 0) return failure;
  return {failure.what(), place_among_all<d>(state, phase, static_cast<std::size_t>(failure.particle))};
}

template <int d>
void transfer_both_to_grids(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  in_each_phase<d, transfer_to_grid<d>>(state, step, report);
  unite_nodes<d>(state);
  report.counts[counter::active_nodes] = state.nodes.size();
}

template <int d>
void apply_forces_of_both(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  in_each_phase<d, apply_forces<d>>(state, step, report);
  add_reversible<d>(state, step);
  for (MixedNode<d>& node : state.nodes) {
    if (const Node<d>* s = state.sand.nodes.find(node.id)) node.p_star_s = s->p_star;
    if (const Node<d>* w = state.water.nodes.find(node.id)) node.p_star_w = w->p_star;
  }
}

template <int d>
void update_both(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  state.x_n_s = places<d>(state.sand);
  state.x_n_w = places<d>(state.water);
  in_each_phase<d, update_particles<d>>(state, step, report);
}

template <int d>
void return_both(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  in_each_phase<d, apply_plasticity<d>>(state, step, report);
  state.nodes.clear();
}

template std::size_t place_among_all<2>(const MixtureState<2>&, mixture::Phase, std::size_t);
template std::size_t place_among_all<3>(const MixtureState<3>&, mixture::Phase, std::size_t);
template StageFailure placed<2>(const StageFailure&, const MixtureState<2>&, mixture::Phase);
template StageFailure placed<3>(const StageFailure&, const MixtureState<3>&, mixture::Phase);
template void transfer_both_to_grids<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void transfer_both_to_grids<3>(MixtureState<3>&, const StepContext&, StepReport&);
template void apply_forces_of_both<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void apply_forces_of_both<3>(MixtureState<3>&, const StepContext&, StepReport&);
template void update_both<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void update_both<3>(MixtureState<3>&, const StepContext&, StepReport&);
template void return_both<2>(MixtureState<2>&, const StepContext&, StepReport&);
template void return_both<3>(MixtureState<3>&, const StepContext&, StepReport&);

}  // namespace repose
