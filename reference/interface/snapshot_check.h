#pragma once

#include "reference/interface/method.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <span>
#include <string_view>

namespace repose {

/// What every solver may rely on in a snapshot it loads or appends, whoever made it. Each solver calls this first, before
/// it changes its own state, and beside it checks only what it alone knows: its native fields and its stencils' reach.
///
///     method             the one given
///     time, dt, step     finite and ≥ 0
///     fields             those of the boundary (the method's table), at their place, with their components and one
///                        element of their set, also where a solver has no use for them. Fields that are not
///                        in the table are nobody's to check
///     values             finite; mass > 0; what Method::check asks besides
///     ids                strictly ascending, of places that the grid has; none of places without fields at the boundary;
///                        the next particle's behind all others
///
/// One pass over the numbers.
/// @param boundaries at which the solver can be loaded
/// @throws std::invalid_argument where the snapshot does not fit the scene or the boundary
/// @throws SimulationError naming the particle whose value no state can have
void require_loadable(const Snapshot& snapshot, const Scene& scene, const method::Method& method,
                      std::span<const Boundary> boundaries);

/// The same for particles to be appended: a snapshot at step_start, of which particle fields alone count: no ids. @param next_id of the
/// solver, which the first of them takes
void require_appendable(const Snapshot& particles, const Scene& scene, const method::Method& method,
                        std::int64_t next_id);

/// The same for one field alone, such as a solver's native one. @param first of particles that are to come
/// anew: id of the first of them; −1: they keep theirs
void require_field(const Snapshot& snapshot, std::string_view name, Place place, int components,
                   std::int64_t first = -1);

/// That every number of a scalar particle field is > 0.
void require_positive(const Snapshot& snapshot, std::string_view name, std::string_view unit,
                      std::int64_t first);

/// Loads a snapshot that came from a file. @throws BadInput in one line that begins with the file's name
void load_from_file(Solver& solver, const Snapshot& snapshot, std::string_view file);

}  // namespace repose
