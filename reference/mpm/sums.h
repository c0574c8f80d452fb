#pragma once

#include "reference/interface/solver.h"
#include "reference/mpm/state.h"

#include <string_view>

namespace repose {

/// The boundary at whose end a field has just been computed.
/// @throws std::logic_error for a field that no stage computes as a sum ("case", "mass", …)
Boundary boundary_of(std::string_view field);

/// What the numbers of a field are made of (Solver::sums), from the state before the stage that computes it.
///
/// Two solvers that add the same terms in any order differ by at most γ_{n+k}(u) S + δx T, with n terms, some
/// k = 20 roundings inside a term, S the magnitude, T the slope, u the unit roundoff and δx the error of a
/// position. Components a, b, c; sums over particles p (node fields) or nodes i (particle fields);
/// Δ = x_i − x_p:
///
///     field    magnitude                                          slope
///     m_i      Σ w m                                              Σ_c m |∂_c w|
///     p_i      Σ w m s_a,  s_a = |v_a| + Σ_b |C_ab Δ_b|           Σ_c m (|∂_c w| s_a + w |C_ac|)
///     p_star   that of p_i, and                                   that of p_i, and
///              Σ Δt (w m |g_a| + V⁰ T Σ_b |∂_b w|)          Σ_c Δt (m |g_a ∂_c w| + V⁰ Σ_b |τ_ab ∂_b∂_c w|)
///     p_bar    m (‖v*‖ + Σ_k (|φⁿ| + |φ̄|)/Δt + ‖v_b‖)             Σ_k 2 m/Δt
///     p_tilde  that of p_bar times 1 + 2 Σ_k μ_b, and             that of p_bar times 1 + 2 Σ_k μ_b
///              m Σ_k (3‖v_b‖ + ‖v̄‖ + μ_b‖Δv‖)
///     v_bar    Σ w |v̄_a|                                          Σ_c |∂_c w v̄_a|
///     grad_v   Σ |v̄_a ∂_b w|                                      Σ_c |v̄_a ∂_b∂_c w|
///     v        Σ w s_a + f |v_a|,  s_a = |ṽ_a| + f |v_aⁿ|,        Σ_c |∂_c w| s_a
///              f the share of FLIP
///     C        Σ w |ṽ_a Δ_b|/D                                    Σ_c |ṽ_a| (|∂_c w Δ_b| + δ_bc w)/D
///     x        Δt |v̄_a|                                           2: of the position read and that written;
///                                                                 4 where it may be moved by a period
///     F_trial  |F_ab| + Δt Σ_c |(∇v)_ac F_cb|                     0
///     J        J (1 + Δt Σ_a |(∇v)_aa|), of what is no water J        0
///     F        E = κ² (1 + (dλ+2μ)/(2μ) α √d) + ‖ε̂‖ + v_c + c_C/(2μ)   0
///     q        q + E                                              0
///     v_c      v_c + d E                                          0
///
/// T is what all products inside one component of τ come to at most (stress.h), (2μ + dλ) ‖ε‖ of Hencky's energy. Where ε is formed from F it has
/// besides an absolute error, whatever the stress: the logarithm of a stretch near 1; times 2μ + dλ, once for
/// every particle, not once for every rounding of the sum: it is not in the magnitude. κ is the condition number of
/// F, and b = F Fᵀ has κ². In p_bar, k runs over the bodies within reach
/// of the node (a contact, or one that rounding could make: φ̄ within 2⁻²⁰ h of the limit); positions here
/// are those of nodes. In F the magnitude E bounds each component of the strain ½ ln(F Fᵀ), not F itself,
/// times σ_max for F; for elastic materials E = κ². In v_c and q the same E: they are sums of strains.
template <int d>
Sums field_sums(const State<d>& before, const StepContext& step, std::string_view field);

}  // namespace repose
