#pragma once

#include "reference/interface/base/types.h"

namespace repose {

/// Rate at which drag between two masses closes the difference of their velocities.
///
///     r = c_E (m_s + m_w)                                                             [Tam17 Eq.20, Eq.21]
///
/// @param c_E constant coefficient ≥ 0 [kg⁻¹ s⁻¹]  @param m_s, m_w masses > 0 [kg]  @returns r [1/s]
double drag_rate(double c_E, double m_s, double m_w);

/// The same of a coefficient per volume: that of [Tam17 Eq.13] for the force on sand −κ V (v_s − v_w), which is Eq.20 with
/// c_E = κ V/(m_s m_w) [ERRATA T11].
///
///     r = κ V (m_s + m_w)/(m_s m_w)
///
/// @param kappa κ ≥ 0 [kg m⁻³ s⁻¹]  @param volume V of the node [m³], in 2D [m²]
double drag_rate_of_volume(double kappa, double volume, double m_s, double m_w);

/// Momentum that drag takes from sand and gives to water in a step, by backward Euler, whose two equations have a closed
/// form [ERRATA T40].
///
///     m_s (v_s′ − v_s) = −j,   m_w (v_w′ − v_w) = j,   j = Δt c_E m_s m_w (v_s′ − v_w′)   [Tam17 Eq.18–21]
///     w = v_s − v_w,   w′ = w/(1 + r Δt)
///     j = m_s m_w/(m_s + m_w) (w − w′) = m_s m_w/(m_s + m_w) · r Δt/(1 + r Δt) · w
///
/// Departs from [Tam17 §4.2], which solves for drag and stress at once: here it follows the forces, node by node. The
/// difference of velocities keeps its direction, however large r Δt is. Exactly zero where r Δt is zero.
/// @param rate r ≥ 0, may be infinite [1/s]
/// @returns j [kg m/s]
template <int d>
Vec<d> drag_impulse(double m_s, const Vec<d>& v_s, double m_w, const Vec<d>& v_w, double rate, double dt);

}  // namespace repose
