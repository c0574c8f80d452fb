#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Share of FLIP in a particle's new velocity [-]: 1 for FLIP, 0 for PIC and APIC, flip_share for the blend.
double flip_weight(const Scene& scene);

/// Stage 5, "g2p": velocities from nodes back to particles.                             [Klar16 §5.3]
///
///     v̄_p    = Σ_i w_ip v̄_i                 moves the particle                        [Klar16 Eq.13]
///     (∇v)_p = Σ_i v̄_i ∇w_ipᵀ               deforms it                                [Klar16 Eq.15]
///
///     APIC:  v_p = Σ_i w_ip ṽ_i,   C_p = Σ_i w_ip ṽ_i (x_i − x_p)ᵀ / D                [Klar16 Eq.11, Eq.12]
///     PIC:   v_p = Σ_i w_ip ṽ_i,   C_p = 0
///     FLIP:  v_p ← v_p + Σ_i w_ip (ṽ_i − v_iⁿ),   C_p = 0                             [ZhuBridson05 §4.2]
///     blend: flip_share · FLIP + (1 − flip_share) · PIC
///
/// Departs from [Klar16 §5.3], where Eq.15 is said to follow from Eq.11: position and deformation use the
/// velocity before friction, v̄, the particle's own velocity that after it, ṽ; so (∇v)_p ≠ C_p where there is
/// friction. With ParticleMotion::after_friction ṽ_i stands for v̄_i here, as §5.4 allows in its last
/// sentence.
/// @throws StageFailure naming the particle whose velocity or gradient is not finite
template <int d>
void transfer_to_particles(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
