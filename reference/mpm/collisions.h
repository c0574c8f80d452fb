#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Stage 3, "collisions": bodies change the nodes' velocities, without friction.        [Klar16 §8]
///
///     v̄_i = resolve_contacts(x_i, v*_i),   p̄_i = m_i v̄_i
///
/// A node that meets no body keeps its momentum, bit for bit.
/// @param report contacts
/// @throws std::invalid_argument if Δt ≤ 0 while there are bodies; StageFailure if a velocity is not finite
template <int d>
void resolve_collisions(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
