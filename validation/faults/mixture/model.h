#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/faults/mixture/mistake.h"

namespace repose::faults {

/// Runs the stage of a mixture that starts at `state.at`, in the arithmetic of Real, with one mistake or none: stages of mpm by
/// the plain model of those, phase by phase, what couples the phases by one of its own.
/// @throws SimulationError as solvers do
template <class Real>
void run_mixture_stage(const Scene& scene, MixtureMistake mistake, double dt, Snapshot& state);

extern template void run_mixture_stage<float>(const Scene&, MixtureMistake, double, Snapshot&);
extern template void run_mixture_stage<double>(const Scene&, MixtureMistake, double, Snapshot&);

}  // namespace repose::faults
