#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/faults/mixture/mistake.h"

namespace repose::faults {

// What couples the phases of a mixture, once more and plainly, in the arithmetic of Real.

/// Adds the reversible term to both p_star of a state at forces.
template <class Real>
void model_reversible(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state);

/// Fills p_drag of a state at drag: two equations for two velocities, solved by elimination.
template <class Real>
void model_drag(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state);

/// Fills φ_i, φ_p and c_C of a state at saturation. @param before at update
template <class Real>
void model_saturation(const Scene& scene, MixtureMistake mistake, const Snapshot& before, Snapshot& state);

}  // namespace repose::faults
