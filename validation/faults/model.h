#pragma once

#include "reference/interface/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/faults/mistake.h"

namespace repose::faults {

/// Runs the stage that starts at `state.at` on a snapshot, in the arithmetic of Real, with one mistake or none: a plain
/// step of our own, slow and small, so that no solver needs a hook for faults. Without a mistake it stays inside the
/// bounds of the cross-check, which the zoo demands before it plants anything.
/// @throws SimulationError as solvers do
template <class Real>
void run_stage(const Scene& scene, Mistake mistake, double dt, Snapshot& state);

extern template void run_stage<float>(const Scene&, Mistake, double, Snapshot&);
extern template void run_stage<double>(const Scene&, Mistake, double, Snapshot&);

}  // namespace repose::faults
