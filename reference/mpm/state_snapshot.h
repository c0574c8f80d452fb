#pragma once

#include "reference/interface/snapshot.h"
#include "reference/mpm/state.h"

namespace repose {

/// The fields of a state that stands at a boundary, by the method's table. Time, Δt and step are the
/// caller's. All storage is double: nothing is rounded, so load(save(state)) changes no bit.
template <int d>
Snapshot save_state(const State<d>& state, Boundary at);

/// The state of a snapshot that passed require_loadable(). Nodes of mass 0 are dropped.
/// @throws StageFailure if a stencil leaves the grid
template <int d>
State<d> load_state(const Snapshot& snapshot, const Scene& scene);

/// Adds the particles of a snapshot that passed require_appendable() behind those of the state. @throws as load_state()
template <int d>
void append_particles(State<d>& state, const Snapshot& snapshot, const Scene& scene);

}  // namespace repose
