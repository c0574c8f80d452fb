#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Stage 2, "forces": stress and gravity change the nodes' momentum.                    [Klar16 §5.2, §6]
///
///     f_i = −Σ_p V⁰_p τ_p ∇w_ip + m_i g,   τ = elastic_stress(p)                       [Klar16 Eq.23, Eq.24]
///     p*_i = p_i + Δt f_i                                                             [Klar16 Eq.10]
///
/// Of water f_i = Σ_p V⁰_p p J ∇w_ip, which is Eq.17 of [Tam17] at v̂ = 0.               [ERRATA T14]
/// f_i is minus the derivative of the elastic energy by the node's position. A stress force on a node without
/// mass is dropped: its velocity change would have to be divided by zero.
/// @param report massless, the particle–node pairs whose force was dropped
/// @throws StageFailure naming the particle whose stress is not finite
template <int d>
void apply_forces(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
