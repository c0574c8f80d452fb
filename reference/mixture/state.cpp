#include "reference/mixture/state.h"

namespace repose {

PhaseScenes::PhaseScenes(const Scene& scene)
    : solid(mixture::scene_of_part(scene, mixture::Phase::solid)),
      water(mixture::scene_of_part(scene, mixture::Phase::water)) {}

template <int d>
void unite_nodes(MixtureState<d>& state) {
  state.nodes.clear();
  auto s = state.sand.nodes.begin();
  auto w = state.water.nodes.begin();
  while (s != state.sand.nodes.end() || w != state.water.nodes.end()) {
    const bool no_water = w == state.water.nodes.end();
    const bool has_sand = s != state.sand.nodes.end() && (no_water || s->id <= w->id);
    const bool has_water = !no_water && (s == state.sand.nodes.end() || w->id <= s->id);
    MixedNode<d>& node = state.nodes.emplace_back();
    node.id = has_sand ? s->id : w->id;
    if (has_sand) node.m_s = (s++)->m;
    if (has_water) node.m_w = (w++)->m;
  }
}

template void unite_nodes<2>(MixtureState<2>&);
template void unite_nodes<3>(MixtureState<3>&);

}  // namespace repose
