#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Stage 6, "update": particles move and deform with the grid.                          [Klar16 §5.4]
///
///     x_p ← x_p + Δt v̄_p                                                              [Klar16 Eq.13]
///     F̂_p = (1 + Δt (∇v)_p) F_p                                                       [Klar16 Eq.16]
///     J_p ← (1 + Δt tr (∇v)_p) J_p, of water, whose F stays 1                         [Tam17 §4.3.1] [Liu21 Eq.21] [ERRATA T4]
///
/// Eq.13 is written there as Σ w x̄_i, which is the same because Σ w x_i = x_p. Along a periodic axis what leaves the
/// domain on one side enters it on the other (Grid::wrap()).
/// A Courant number of 1 does not exclude inversion: Δt |∂v| reaches 1.5 (cubic) or 2 (quadratic) times the
/// Courant number of the nodes.
/// @throws StageFailure naming the particle that is inverted (det(1 + Δt ∇v) ≤ 0; J ≤ 0 of water), leaves the domain
///         [domain_min, domain_max] (along a periodic axis: by more than its length), or is not finite
template <int d>
void update_particles(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
