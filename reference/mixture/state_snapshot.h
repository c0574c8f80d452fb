#pragma once

#include "reference/interface/snapshot.h"
#include "reference/mixture/state.h"

namespace repose {

/// The fields of a state that stands at a boundary, by the method's table; time, Δt and step are the caller's. All storage is
/// double: load(save(state)) changes no bit.
template <int d>
Snapshot save_mixture(const MixtureState<d>& state, Boundary at);

/// The state of a snapshot that passed require_loadable(). Nodes without mass of either phase are dropped.
/// @throws SimulationError naming the particle whose stencil leaves the grid
template <int d>
MixtureState<d> load_mixture(const Snapshot& snapshot, const Scene& scene);

/// Places of a phase's elements among all of a state.
template <int d>
mixture::Members members_of(const MixtureState<d>& state, mixture::Phase phase);

}  // namespace repose
