#pragma once

#include "reference/mixture/state.h"

namespace repose {

/// Stage 3, "drag": sand and water drag each other at every node that both are on.        [Tam17 §3.3, §4.2]
///
///     p_s ← p*_s − j,   p_w ← p*_w + j,   j = drag_impulse()                            [Tam17 Eq.20, Eq.21]
///
/// What both have together is kept to the rounding of two sums. Without drag, and where one phase is alone, no bit changes.
/// @param report dragged_nodes
/// @throws StageFailure if a momentum is not finite
template <int d>
void apply_drag(MixtureState<d>& state, const StepContext& step, StepReport& report);

/// d_i at a node of both phases [kg/s]: drag on sand is the force −d_i (v_s − v_w).     [Tam17 Eq.20; ERRATA T11]
///
///     c_E m_s m_w, or κ h^d of Drag::mesh_consistent
double drag_coefficient_at(const Scene& scene, double m_s, double m_w);

/// The rate r at a node of both phases, by the drag of the scene [1/s].
double drag_rate_at(const Scene& scene, double m_s, double m_w);

}  // namespace repose
