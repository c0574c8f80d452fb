#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// Stage 1, "p2g": mass and momentum from particles to nodes.                           [Klar16 §5.1]
///
///     m_i = Σ_p w_ip m_p                                                              [Klar16 Eq.7]
///     p_i = Σ_p w_ip m_p (v_p + C_p (x_i − x_p))                                      [Klar16 Eq.9]
///
/// C is used by APIC only: PIC and FLIP carry a constant velocity to the grid. Particles are summed in scene
/// order. A node is active if and only if m_i > 0 exactly. Both sums are conserved: Σ_i m_i = Σ_p m_p, Σ_i
/// p_i = Σ_p m_p v_p.
/// @param report active_nodes
/// @throws std::out_of_range if a stencil leaves the grid; StageFailure if a sum is not finite
template <int d>
void transfer_to_grid(State<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
