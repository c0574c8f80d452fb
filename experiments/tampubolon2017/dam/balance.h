#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <array>

namespace repose::experiments::tampubolon2017 {

/// What one step from a state does to the mass and the momentum of sand and water together, by sums of its states alone. Errors
/// are over their bounds of rounding.
struct Balance {
  double time = 0.0;                   ///< [s]
  std::array<double, 2> mass_error{};  ///< of Σ m_i against Σ m_p, sand and water [-]
  double drag_error = 0.0;  ///< of what both phases have at a node before and behind drag, the worst node [-]
  double drag_given = 0.0;  ///< Σ of the impulses of drag on sand, without their directions [kg m/s]
  double reversible_error = 0.0;  ///< the same of the reversible term, against a step without it [-]
  double reversible_given = 0.0;  ///< [kg m/s]
  /// Of the momentum of all particles behind the step, against that before it, the weight's impulse and what walls gave [-]
  double step_error = 0.0;
  /// How far from water cohesion has fallen: from the farthest such grain to the nearest drop, by their largest difference along
  /// an axis, over h [-]; 0 if none has
  double reach = 0.0;
};

/// Takes one step of Δt from a state.
/// @param solver  of the scene, with sums() as the readable one has; it is loaded with the state
/// @param without of the same scene without the reversible term, likewise; nullptr: the scene has none
/// @throws SimulationError from them
Balance balance_of(Solver& solver, Solver* without, const Scene& scene, const Snapshot& state, double dt);

}  // namespace repose::experiments::tampubolon2017
