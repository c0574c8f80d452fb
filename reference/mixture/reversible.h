#pragma once

#include "reference/mixture/state.h"

namespace repose {

/// The reversible term of the exchange of momentum, as part of the forces: what the pressure of water gives to sand. [Tam17 §5.3]
///
///     R_i = Δt s_i Σ_p V⁰_p J_p p_p ∇w_ip,   s_i = reversible_share()
///     p*_s ← p*_s + R,   p*_w ← p*_w − R
///
/// summed over particles of water, with the weights of water. Departs from the print, which has no volume and the other share
/// [ERRATA T12]. With stresses that are partial ones, uniform pressure would need p∇φ besides; as the stress of water is
/// −p 1, it is in balance without the term, and the term is off by default [ERRATA T13].
/// Without the term no bit changes.
template <int d>
void add_reversible(MixtureState<d>& state, const StepContext& step);

/// R_i alone, at each of MixtureState::nodes [kg m/s].
template <int d>
std::vector<Vec<d>> reversible_impulses(const MixtureState<d>& state, const StepContext& step);

/// Volume V⁰J of a phase at its nodes, Σ w V [m³]: of water with its J, of sand with det F^E.
struct NodeVolumes {
  std::vector<double> sand, water;  ///< by node of MixtureState::nodes
};
template <int d>
NodeVolumes node_volumes(const MixtureState<d>& state);

}  // namespace repose
