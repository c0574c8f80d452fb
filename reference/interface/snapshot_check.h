#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <span>
#include <string_view>

namespace repose {

/// What every solver may rely on in a snapshot it loads or appends, whoever made it. Each solver calls this first, before
/// it changes its own state, and beside it checks only what it alone knows: its native fields and its stencils' reach.
///
///     time, dt, step     finite and ≥ 0
///     fields             those of the boundary (table of snapshot.h), at their place, with their components and one
///                        element per particle or node; C and others of the table also where a solver has no use for
///                        them. F_P may be missing. Fields that are not in the table are nobody's to check
///     values             finite; mass, volume and det F > 0; m_i ≥ 0; material an index of the scene; case 0 to 3
///     node               strictly ascending, nodes of the grid; empty at boundaries without node fields
///
/// One pass over the numbers.
/// @param boundaries at which the solver can be loaded
/// @throws std::invalid_argument where the snapshot does not fit the scene or the boundary
/// @throws SimulationError naming the particle whose value no state can have
void require_loadable(const Snapshot& snapshot, const Scene& scene, std::span<const Boundary> boundaries);

/// The same for particles to be appended: a snapshot at step_start. @param present particles before them
void require_appendable(const Snapshot& particles, const Scene& scene, std::size_t present);

/// The same for one field of particles or nodes alone, such as a solver's native one.
void require_field(const Snapshot& snapshot, std::string_view name, Place place, int components,
                   std::size_t present = 0);

/// Loads a snapshot that came from a file. @throws BadInput in one line that begins with the file's name
void load_from_file(Solver& solver, const Snapshot& snapshot, std::string_view file);

}  // namespace repose
