#pragma once

#include "validation/crosscheck/judge.h"

#include <string>
#include <string_view>

namespace repose::crosscheck {

/// Name of what is compared of a semi-implicit solve of two phases besides those of mpm, which in water end in _w.
inline constexpr std::string_view drag_impulse_field = "drag_impulse";  ///< Δt d_i (v_s − v_w) [kg m/s]
inline std::string of_water(std::string_view name) { return std::string(name) + "_w"; }

/// Forces, drag and collisions of a semi-implicit step of two phases (Judge::solved).
///
/// Impulses of each phase and their derivative are compared at velocities given to both solvers, those of the readable one with
/// the judge's own balance of each phase (PlainBalance); what drag gives is compared with Δt c_E m_s m_w (v_s − v_w) or
/// Δt κ h^d (v_s − v_w), formed here. The solution is judged phase by phase by what it leaves of a balance in which the other
/// phase's part is given: velocities v_s, v_w solve both if and only if each solves its own beside the other
/// (implicit_residual.h). So a wrong sign of the drag, or drag that one phase alone feels, shows at nodes of both. The impulse
/// of the reversible term is compared by itself, as in explicit steps, and enters the balances as the readable solver has it. The
/// way there is judged iteration by iteration as that of one phase is (solve_judge.h), with the drag in its balance.
bool judge_coupled_stage(SolvedStage& stage);

}  // namespace repose::crosscheck
