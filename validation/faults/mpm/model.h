#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/faults/mpm/mistake.h"

#include <span>
#include <vector>

namespace repose::faults {

/// Runs the stage that starts at `state.at` on a snapshot, in the arithmetic of Real, with one mistake or none: a plain
/// step of our own, slow and small, so that no solver needs a hook for faults. Without a mistake it stays inside the
/// bounds of the cross-check, which the zoo demands before it plants anything.
/// @throws SimulationError as solvers do
template <class Real>
void run_stage(const Scene& scene, Mistake mistake, double dt, Snapshot& state);

/// Δt f(v) of an implicit step from p2g, or with dv its change [kg m/s], in double, as the contract asks.
/// @throws SimulationError for a particle that v inverts
std::vector<double> model_impulses(const Scene& scene, Mistake mistake, double dt, const Snapshot& state,
                                   std::span<const double> v, std::span<const double> dv);

extern template void run_stage<float>(const Scene&, Mistake, double, Snapshot&);
extern template void run_stage<double>(const Scene&, Mistake, double, Snapshot&);

}  // namespace repose::faults
