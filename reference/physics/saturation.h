#pragma once

#include "reference/interface/methods/mixture_options.h"

namespace repose {

/// Whether a node is one of wet sand: both phases have mass on it.                      [Tam17 §4.3.3]
/// @param least mass that each must exceed [kg]; 0 in print
bool is_wet(double m_s, double m_w, double least);

/// Saturation of a grain from the weights of the wet nodes around it.
///
///     φ_p = Σ_i w_ip φ_i, within [0, 1]                                               [Tam17 Eq.24]
///
/// Departs from the print, by which "the saturation is always in (0, 1)": rounding takes a sum of all weights beyond 1, and
/// cohesion below 0 [ERRATA T21].
double saturation(double sum_of_weights);

/// Cohesion of wet sand.
///
///     c_C = c_C⁰ (1 − φ_p)                                  linear                    [Tam17 Eq.25]
///     c_C = c_C⁰ min(1, (1 − φ_p)/0.6)                      beyond_two_fifths         [Tam17 §3.4; ERRATA T29]
///
/// @param dry c_C⁰ ≥ 0 of the material [Pa]  @param phi φ_p in [0, 1] of Eq.24, for the φ^w that Eq.25 prints [ERRATA T7]
double cohesion_of_wet(double dry, double phi, Softening softening);

/// Share of the pressure force on water at a node that the reversible term takes from water and gives to sand.
///
///     mass     m_s/(m_s + m_w)          [ERRATA T12]
///     volume   V_s/(V_s + V_w)          [ERRATA T41]
///     printed  m_w/(m_s + m_w)          [Tam17 §5.3]
///
/// Departs from the print, whose share is that of water: where there is nearly no sand it would take all of the water's
/// pressure, and push nearly nothing with it. 0 unless both phases are there.
/// @param V_s, V_w volumes of the phases at the node [m³]
double reversible_share(ReversibleTerm term, double m_s, double m_w, double V_s, double V_w);

}  // namespace repose
