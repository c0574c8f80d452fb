#pragma once

#include "reference/interface/methods/mpm.h"

namespace repose {

/// Ends of the stages that mixture has besides those of mpm.
namespace boundary {
inline constexpr Boundary drag = "drag";              ///< behind forces
inline constexpr Boundary saturation = "saturation";  ///< behind update
}  // namespace boundary

/// Fields that mixture has besides those of mpm. Particles of both phases are one set; what is of a node's sand has mpm's
/// name, what is of its water ends in _w. A node at which one phase has no mass has zeros there.
namespace field {
inline constexpr std::string_view c_C = "c_C";      ///< cohesion of a grain [Tam17 Eq.25]; 0 of water
inline constexpr std::string_view phi_p = "phi_p";  ///< saturation of a grain [Tam17 Eq.24]; 0 of water
inline constexpr std::string_view phi_i = "phi_i";  ///< 1 where sand is wet, else 0 [Tam17 §4.3.3]
inline constexpr std::string_view x_n = "x_n";      ///< x before the update, from where saturation is seen
inline constexpr std::string_view reversible = "reversible";  ///< impulse of the reversible term on sand
inline constexpr std::string_view p_drag = "p_drag";          ///< p* of sand after drag
inline constexpr std::string_view p_drag_w = "p_drag_w";
inline constexpr std::string_view m_i_w = "m_i_w";
inline constexpr std::string_view p_i_w = "p_i_w";
inline constexpr std::string_view p_star_w = "p_star_w";
inline constexpr std::string_view p_bar_w = "p_bar_w";
inline constexpr std::string_view p_tilde_w = "p_tilde_w";
}  // namespace field

/// Rows of the table of counters: those of mpm, of both phases together, then its own.
namespace counter {
enum Mixture : std::size_t {
  wet_nodes = unconverged + 1,  ///< where both phases have mass, by the rule of the scene
  dragged_nodes  ///< where drag gave momentum from one to the other; where it could, in steps that solve
};
}  // namespace counter

namespace method {

/// Sand and water of [Tam17] on two collocated grids: steps of mpm for each phase, which drag, the reversible term and
/// saturation couple. In semi-implicit steps the velocities of both phases are one solution of
///
///     R_s = m_s (v_s − v_sⁿ) − Δt f_s(v_s) + Δt d_i (v_s − v_w) − r_i                       [Tam17 Eq.18, Eq.20]
///     R_w = m_w (v_w − v_wⁿ) − Δt f_w(v_w) − Δt d_i (v_s − v_w) + r_i                       [Tam17 Eq.19, Eq.21]
///
/// f stress and gravity as in semi-implicit steps of mpm, d_i = c_E m_s m_w or κ h^d where both phases are, else 0. But for
/// r, R is the gradient of Σ ½ m ‖v − vⁿ‖² − Δt m g·v + Ψ_s(F̂(v_s)) + Ψ_w(Ĵ(v_w)) + ½ Δt Σ_i d_i ‖v_s − v_w‖², and r adds
/// −r·(v_s − v_w): the impulse of the reversible term has no energy, and is lagged, that of the pressures before the step, as
/// in explicit steps. A phase that is not at a node is no unknown there. Bodies hold each phase as its own scene says.
///
/// A solve has converged as ImplicitOptions says at every node of either phase. I_i there includes ‖Δt d_i (v_s − v_w)‖ and
/// ‖r_i‖, what rounding leaves 64 ε Δt d_i (‖v_s‖ + ‖v_w‖). MINRES solves in variables y = Lᵀ v, L Lᵀ the matrix of mass and
/// drag at each node, in the directions that bodies leave free: so that stiff drag takes no iterations. The bodies to begin
/// with are those that v* of the explicit step would meet.
///
/// Behind the solve p_star is p_i + Δt f + r (reversible: r, of sand), p_drag that after the drag of the solution, so what the
/// momentum would be without the bodies; friction is judged by it.
extern const Method mixture;

}  // namespace method

}  // namespace repose
