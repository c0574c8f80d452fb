#pragma once

#include "reference/interface/solve_history.h"
#include "reference/mixture/coupled_system.h"
#include "reference/mixture/explicit_step.h"
#include "reference/mpm/implicit_solve.h"
#include "reference/mpm/implicit_step.h"

#include <array>

namespace repose {

/// Solves what both phases of a semi-implicit step balance with their contacts, as solve_implicit() one phase: by the same
/// Newton iteration with MINRES and search along the line, in the variables of CoupledScale. Bodies hold each phase as its own
/// scene says.                                                                            [Tam17 §4.2; ERRATA T40]
/// @param state stands at p2g
/// @returns v_bar and impulse in the order of CoupledSystem
/// @throws as solve_implicit(); a particle is named by its place among all
template <int d>
ImplicitSolution solve_mixture(const MixtureState<d>& state, CoupledSystem<d>& system,
                               const StepContext& step, SolveHistory* history = nullptr);

/// Stages 2 to 4 of a semi-implicit step in one, "collisions": forces, drag and bodies change the velocities of both phases
/// together.
///
///     v̄ = solve_mixture(),   p̄ = m v̄,   p* = p + Δt f(v̄) ± r,   p_drag = p* ∓ Δt d_i (v̄_s − v̄_w)
///
/// p_drag is what the momentum would be without the bodies: friction is judged by collisions repeated on it, as
/// apply_implicit_friction() does in each phase.
/// @param report contacts, massless, newton_iterations, gmres_iterations, unconverged, dragged_nodes: those with a coefficient > 0
/// @throws SolveFailure if the solve found no velocities; std::invalid_argument if Δt ≤ 0
template <int d>
void solve_forces_of_both(MixtureState<d>& state, const StepContext& step, StepReport& report);

/// The semi-implicit step of two phases: no boundaries between forces, drag and collisions.
template <int d>
inline constexpr std::array<Stage<MixtureState<d>>, 7> coupled_step{{
    {boundary::p2g, transfer_both_to_grids<d>},                          // [Tam17 §4.1]
    {boundary::collisions, solve_forces_of_both<d>},                     // [Tam17 §4.2]
    {boundary::friction, in_each_phase<d, apply_implicit_friction<d>>},  // [Klar16 §8.1]
    {boundary::g2p, in_each_phase<d, transfer_to_particles<d>>},         // [Klar16 §5.3]
    {boundary::update, update_both<d>},                                  // [Tam17 §4.3.1, §4.3.2]
    {boundary::saturation, saturate<d>},                                 // [Tam17 §4.3.3]
    {boundary::plasticity, return_both<d>},                              // [Tam17 §4.3.4]
}};

}  // namespace repose
