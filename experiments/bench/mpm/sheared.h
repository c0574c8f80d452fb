#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <cstddef>

namespace repose::experiments {

/// The start state of a scene, all of it sheared so that it flows from the first step: v_x = γ̇ (y − y₀) with γ̇ = 2 1/s, y₀ the
/// foot of the first body, a box.
Snapshot sheared(const Scene& scene);

/// Share of grains at the tip or on the surface of the cone in a step [-].
double yielding_share(const StepReport& report, std::size_t grains);

}  // namespace repose::experiments
