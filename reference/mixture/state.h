#pragma once

#include "reference/interface/methods/mixture_parts.h"
#include "reference/mpm/state.h"

#include <memory>
#include <vector>

namespace repose {

/// Which of a mixture's scenes a phase is stepped in.
struct PhaseScenes {
  explicit PhaseScenes(const Scene& scene);
  Scene solid, water;
};

/// A node at which either phase has mass, as the coupling sees it. What a phase does on its own grid stands in that.
template <int d>
struct MixedNode {
  std::int64_t id = 0;
  double m_s = 0.0, m_w = 0.0;  ///< of sand and of water [kg]; 0 where the phase is not
  /// Momentum after forces [kg m/s]. Behind the drag, Node::p_star of the phases is that after drag
  Vec<d> p_star_s = Vec<d>::Zero(), p_star_w = Vec<d>::Zero();
  Vec<d> reversible = Vec<d>::Zero();  ///< impulse of the reversible term on sand [kg m/s]
  bool wet = false;                    ///< φ_i of the saturation
};

/// Two states of mpm, one for each phase with its own grid, and what couples them.
template <int d>
struct MixtureState {
  explicit MixtureState(const Scene& scene)
      : scenes(std::make_shared<const PhaseScenes>(scene)), sand(scene.grid), water(scene.grid) {}

  std::shared_ptr<const PhaseScenes> scenes;
  ParticleIds ids;                   ///< of all particles, of which each phase has some
  State<d> sand;                     ///< and elastic bodies
  State<d> water;                    ///< each with the ids of its own particles
  std::vector<double> phi_p;         ///< saturation of each particle of `sand`, behind saturation
  std::vector<Vec<d>> x_n_s, x_n_w;  ///< places before the update, of each particle of a phase, behind it [m]
  std::vector<MixedNode<d>> nodes;   ///< from p2g to saturation: those of both grids, by ascending id

  State<d>& of(mixture::Phase phase) { return phase == mixture::Phase::water ? water : sand; }
  const State<d>& of(mixture::Phase phase) const { return phase == mixture::Phase::water ? water : sand; }
  const Scene& scene(mixture::Phase phase) const {
    return phase == mixture::Phase::water ? scenes->water : scenes->solid;
  }
  std::size_t particles() const { return sand.particles.size() + water.particles.size(); }
};

/// Makes `nodes` anew from what is on both grids.
template <int d>
void unite_nodes(MixtureState<d>& state);

}  // namespace repose
