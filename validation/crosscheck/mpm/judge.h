#pragma once

#include "validation/crosscheck/judge.h"

namespace repose::crosscheck {

/// What lock-step asks of mpm.
///
/// An implicit step's solution is judged by the reference's balance at the candidate's velocities (implicit_residual.h), and
/// impulses and their derivative are compared at velocities given to both. A candidate whose boundaries leave out p2g has
/// momentum and impulse in one sum: a run with Δt = 0 isolates the momentum, one with v = C = 0 the impulse.
const Judge& mpm_judge();

// Names of what is compared of an implicit solve besides fields of snapshots.
inline constexpr std::string_view impulse_field = "impulse";  ///< Δt f(v) [kg m/s]
/// Its derivative along dv [kg m/s]
inline constexpr std::string_view impulse_change_field = "impulse_change";
inline constexpr std::string_view residual_field = "residual";  ///< ‖R_i‖, contacts included [kg m/s]

/// Forces and collisions of an implicit step (Judge::solved).
bool judge_implicit_stage(SolvedStage& stage);

}  // namespace repose::crosscheck
