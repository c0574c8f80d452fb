#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// A mixture seen as two states of mpm, one of each phase: for all who step, judge or plant mistakes phase by phase.
namespace repose::mixture {

enum class Phase : unsigned char {
  solid,  ///< sand and elastic bodies
  water
};
inline constexpr std::array phases{Phase::solid, Phase::water};

/// The phase of a material, and so of the particles that are of it.
Phase phase_of(const Material& material);

/// A scene of mpm in which one phase of a mixture is stepped: its options; for water its bodies, as the scene says that water
/// meets them. Materials keep their places; in those of the other phase stands one of this phase, which no particle has.
/// @param scene of the method mixture
Scene scene_of_part(const Scene& scene, Phase phase);

/// The boundary of mpm at which a phase stands: behind the drag as behind forces, behind saturation as behind the update.
Boundary boundary_of_part(Boundary at);

/// The name in a mixture of a field of mpm. Of nodes of water it ends in _w. What a phase's own stages go on from, p_star,
/// is p_drag behind the drag.
/// @param at of the mixture  @param name of a field of mpm at boundary_of_part(at)
std::string name_in_mixture(std::string_view name, Phase phase, Boundary at);

/// Places in a mixture's state of the elements that are one phase's, ascending.
struct Members {
  std::vector<std::size_t> particles;
  std::vector<std::size_t> nodes;  ///< where the phase has mass
  const std::vector<std::size_t>& of(Place place) const { return place == Place::node ? nodes : particles; }
};
/// @param state of the method mixture, with its masses where it has nodes
Members members(const Snapshot& state, const Scene& scene, Phase phase);

/// Numbers of some elements of a field, in the elements' order.
std::vector<double> picked(const std::vector<double>& value, int components,
                           const std::vector<std::size_t>& elements);

/// One phase of a mixture's state as a state of mpm; particles keep their ids.
Snapshot part_of(const Snapshot& state, const Members& members, Phase phase);

/// Writes the fields of a phase's state back to where its members are.
/// @param state of the method mixture, which holds the fields of its boundary; what other elements have stays
void put_back(Snapshot& state, const Snapshot& part, const Members& members, Phase phase);

}  // namespace repose::mixture
