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

/// Rows of the table of counters: those of mpm's explicit steps, of both phases together, then its own.
namespace counter {
enum Mixture : std::size_t {
  wet_nodes = massless + 1,  ///< where both phases have mass, by the rule of the scene
  dragged_nodes              ///< where drag gave momentum from one to the other
};
}  // namespace counter

namespace method {

/// Sand and water of [Tam17] on two collocated grids: explicit steps of mpm for each phase, which drag, the reversible term
/// and saturation couple.
extern const Method mixture;

}  // namespace method

}  // namespace repose
