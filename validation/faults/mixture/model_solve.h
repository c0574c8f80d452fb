#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/faults/mixture/mistake.h"

#include <span>
#include <string_view>
#include <vector>

namespace repose::faults {

/// What a semi-implicit step of two phases balances, as its probes ask (mixture_probes.h), in double: stress and pressure by the
/// plain model of mpm, phase by phase, what drag gives by one of its own.
/// @param state at p2g  @param correct the answer of a solver, whose magnitudes and reversible term are kept
std::vector<Field> probe_mixture(const Scene& scene, MixtureMistake mistake, double dt, const Snapshot& state,
                                 std::string_view name, std::span<const Field> asked,
                                 std::vector<Field> correct);

}  // namespace repose::faults
