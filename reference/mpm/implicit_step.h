#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/explicit_step.h"

#include <array>

namespace repose {

/// Stages 2 and 3 of a semi- or fully implicit step in one, "collisions": forces and bodies change the nodes' velocities
/// together.
///
///     v̄ = solve_implicit(),   p̄_i = m_i v̄_i,   p*_i = p_i + Δt f_i(v̄)     [Klar16 Eq.19] [Tam17 Eq.18]
///
/// p* is what the momentum would be without the bodies: friction is judged by collisions repeated on it.
/// @param report contacts, massless, newton_iterations, gmres_iterations, unconverged
/// @throws SolveFailure if the solve found no velocities; std::invalid_argument if Δt ≤ 0
template <int d>
void solve_forces_and_collisions(State<d>& state, const StepContext& step, StepReport& report);

/// Stage 4 of such a step, "friction": ṽ_i from v̄_i by the friction of each contact in order.  [Klar16
/// §8.1]
///
/// Collisions repeated on v* tell how hard each body pushes; normals and what is slowed belong to v̄. Departs
/// from [Klar16 §8.1], whose v* is said to be the one before forces and whose formula contains them. As
/// apply_friction(), but that the normal is taken at x_i + Δt v̄: with a curved body v* and v̄ meet different
/// ones.
/// @param report sticking, sliding
template <int d>
void apply_implicit_friction(State<d>& state, const StepContext& step, StepReport& report);

/// The semi- and the fully implicit step, in the order of [Klar16 Fig.7]: no boundary between forces and collisions. They
/// differ in what the forces know of the return to the cone (ImplicitSystem).
template <int d>
inline constexpr std::array<Stage<State<d>>, 6> implicit_step{{
    {boundary::p2g, transfer_to_grid<d>},                    // [Klar16 §5.1]
    {boundary::collisions, solve_forces_and_collisions<d>},  // [Klar16 §5.6, §8]
    {boundary::friction, apply_implicit_friction<d>},        // [Klar16 §8.1]
    {boundary::g2p, transfer_to_particles<d>},               // [Klar16 §5.3]
    {boundary::update, update_particles<d>},                 // [Klar16 §5.4]
    {boundary::plasticity, apply_plasticity<d>},             // [Klar16 §5.5, §7]
}};

}  // namespace repose
