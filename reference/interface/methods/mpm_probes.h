#pragma once

#include "reference/interface/solver.h"

#include <span>
#include <string_view>
#include <vector>

/// Questions to a solver that stands at p2g of an implicit scene: what its step balances at velocities v of the nodes.
///
///     Δt f_i(v) = Δt [m_i g − Σ_p V⁰_p P(Z(F̂_p(v))) F_pᵀ ∇w_ip]                [Klar16 Eq.23, Eq.24; ERRATA K7, K21]
///     Δt f_i(v) = Δt [m_i g + Σ_p V⁰_p p(Ĵ_p(v)) J_p ∇w_ip],  Ĵ_p = (1 + Δt tr ∇v) J_p,  of water
///                                                                                [Tam17 Eq.17; ERRATA T4, T14]
namespace repose {

namespace probes {
inline constexpr std::string_view dv = "dv";  ///< a change of v
/// Asked with v [m/s] of the nodes; gives their impulse and magnitude.
inline constexpr std::string_view impulses_at = "impulses_at";
/// Asked with v and dv [m/s] of the nodes; gives their impulse_change.
inline constexpr std::string_view impulse_change = "impulse_change";

// Names of the answers of impulses_at.
inline constexpr std::string_view impulse = "impulse";
inline constexpr std::string_view magnitude = "magnitude";
}  // namespace probes

/// What acts on the active nodes in an implicit step that moves them with given velocities; nodes in ascending id.
struct NodeImpulses {
  std::vector<double> impulse;  ///< Δt f_i, d per node [kg m/s]
  /// Impulses of stress and gravity, summed without their signs, one per node [kg m/s]
  std::vector<double> magnitude;
};

/// Asks a solver. @param v d per active node, in the order of save(p2g) [m/s]
/// @throws as Solver::probe(); SimulationError naming the particle that v inverts
NodeImpulses impulses_at(const Solver& solver, int dim, std::span<const double> v, double dt);

/// Change of Δt f_i(v) for a change dv of the velocities: what Newton's method solves with. Asks a solver.
/// @returns d per active node [kg m/s], linear in dv
std::vector<double> impulse_change(const Solver& solver, int dim, std::span<const double> v,
                                   std::span<const double> dv, double dt);

/// A field to ask with. @param value of the active nodes [m/s]
Field velocity_of_nodes(std::string_view name, std::span<const double> value, int dim);
/// Takes a field out of a solver's answer. @throws std::logic_error where it is missing
std::vector<double> answered(std::vector<Field>& fields, std::string_view name);

// For probe() of solvers.

/// The values of a field that a probe is asked with. @throws std::invalid_argument where it is missing
std::span<const double> asked_with(std::span<const Field> fields, std::string_view name);

std::vector<Field> as_fields(NodeImpulses impulses, int dim);
std::vector<Field> as_fields(std::vector<double> change, int dim);

}  // namespace repose
