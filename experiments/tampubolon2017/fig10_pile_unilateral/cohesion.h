#pragma once

#include "experiments/figures/figure.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

namespace repose::experiments::tampubolon2017 {

/// The stress that acts in one step from a state: in explicit steps that of the deformation before the step, in semi-implicit
/// ones that after it and before its return to the cone, in implicit ones that behind the return.
struct ActingStress {
  double time = 0.0;     ///< [s]
  double dt = 0.0;       ///< of the step looked at [s]
  double tension = 0.0;  ///< Σ V⁰ max(0, tr τ/d)/Σ V⁰; dry sand bears none [Pa]
  /// Σ V⁰ ‖dev τ‖/(α Σ V⁰ max(0, −tr τ)): no more than 1 within the cone [-]
  double friction = 0.0;
};

/// @param beside a solver of the scene; it is loaded with the state
/// @param dt     [s]; halved as often as the scene allows where no velocities are found
/// @throws SimulationError if none are found then
ActingStress acting_stress(Solver& beside, const Scene& scene, const Snapshot& state, double dt);

/// Share of the speed at which a lone grain without stress parts from its nodes, alike along every axis, that one step takes, to five digits, which
/// rounding in float leaves [-].
/// @param scene whose material, grid and steps it has; no body is near  @param dt [s]
double parting_speed_taken(const Scene& scene, const FigureRequest& request, double dt);

/// The same of a grain on a node of the quadratic kernel and a step that takes Hencky's stress behind it,
///     4C²/(1 + 4C²),   C = Δt/h √((dλ + 2μ)/ρ)                                                        [ERRATA T44]
/// which has c² = (λ + 2μ)/ρ, of a strain along one axis.
double lagged_share(const Scene& scene, double dt);

}  // namespace repose::experiments::tampubolon2017
