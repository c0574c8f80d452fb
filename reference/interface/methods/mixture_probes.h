#pragma once

#include "reference/interface/methods/mpm_probes.h"

#include <span>
#include <string_view>
#include <vector>

/// Questions to a solver that stands at p2g of a semi-implicit scene of the mixture. Nodes are those of both phases, in the
/// order of save(p2g); where a phase is not, its velocities are not looked at and its answers are zero.
namespace repose {

namespace probes {
// impulses_at: asked with v and v_w [m/s]; gives impulse and magnitude, impulse_w and magnitude_w, as mpm's of each phase:
// stress and gravity, without drag and reversible term.
// impulse_change: asked with v, v_w, dv and dv_w; gives impulse_change and impulse_change_w.
inline constexpr std::string_view v_w = "v_w";
inline constexpr std::string_view dv_w = "dv_w";
/// Asked with v and v_w; gives Δt d_i (v_s − v_w) [kg m/s], what drag gives to water.      [Tam17 Eq.20, Eq.21]
inline constexpr std::string_view drag_impulse = "drag_impulse";
/// Asked with nothing; gives the impulse of the reversible term on sand [kg m/s].
inline constexpr std::string_view reversible = "reversible";
}  // namespace probes

/// Velocities, or changes of them, of both phases at the active nodes, d per node [m/s].
struct PhaseVelocities {
  std::span<const double> sand, water;
};
/// What acts on each phase.
struct PhaseImpulses {
  NodeImpulses sand, water;
};
/// Changes of the impulses of each phase, d per node [kg m/s].
struct PhaseChanges {
  std::vector<double> sand, water;
};

// These ask a solver. @throws as Solver::probe(); SimulationError naming the particle that v inverts
PhaseImpulses impulses_at(const Solver& solver, int dim, const PhaseVelocities& v, double dt);
PhaseChanges impulse_change(const Solver& solver, int dim, const PhaseVelocities& v,
                            const PhaseVelocities& dv, double dt);
std::vector<double> drag_impulse(const Solver& solver, int dim, const PhaseVelocities& v, double dt);
std::vector<double> reversible_impulse(const Solver& solver, double dt);

// For probe() of solvers.

/// The velocities that a probe is asked with. @throws std::invalid_argument where a phase is missing
PhaseVelocities asked_velocities(std::span<const Field> fields);
/// The changes. @throws the same
PhaseVelocities asked_changes(std::span<const Field> fields);

std::vector<Field> as_fields(PhaseImpulses impulses, int dim);
std::vector<Field> as_fields(PhaseChanges change, int dim);
/// The answer of drag_impulse or reversible. @param probe its name
std::vector<Field> as_fields(std::string_view probe, std::vector<double> impulse, int dim);

}  // namespace repose
