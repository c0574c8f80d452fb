#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Stage 7, "plasticity": trial strains return to their cones, which then harden.     [Klar16 §5.5, §7]
///
///     F̂ = U Σ̂ Vᵀ,  ε̂ = ln Σ̂                                                           [Klar16 §7.1]
///     α = α(φ(qⁿ)),  (ε, δq, v_c) = return_with_memory(ε̂, v_c, α, c_C)         [Klar16 Eq.17] [Tam17 Eq.26]
///     F ← U exp(ε) Vᵀ,  q ← q + δq                                                    [Klar16 Eq.29]
///
/// The cone of step n is that of qⁿ. Inside the cone without volume correction, and for what is no sand, F = F̂
/// bit for bit.
/// @param report inside, tip, surface
/// @throws StageFailure naming the particle whose trial strain or result is not finite
template <int d>
void apply_plasticity(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
