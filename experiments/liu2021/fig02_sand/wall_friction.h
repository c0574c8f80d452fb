#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <cstddef>

namespace repose::experiments::liu2021 {

/// The two readings of the friction of a node at a wall, as functions of its tangential momentum p_t and of what friction can
/// take at most, μ_b ‖j‖. Of no solver: this figure's own evaluation.
enum class FrictionRule : unsigned char {
  adopted,  ///< p_t stops if ‖p_t‖ ≤ μ_b ‖j‖, else it loses μ_b ‖j‖              [Klar16 §8.1], erratum L1
  printed  ///< p_t loses μ_b ‖j‖ if ‖p_t‖ ≤ μ_b ‖j‖, else it stops              [Liu21 Eq.15, Eq.16]
};

Point after_friction(FrictionRule rule, const Point& p_t, double most);

/// What friction did to nodes that a wall pushed, summed over states.
struct WallNodes {
  std::size_t nodes = 0;
  double before = 0.0;            ///< Σ ‖p_t‖²/m [J], of a state
  double after[2] = {0.0, 0.0};   ///< by rule
  double beyond[2] = {0.0, 0.0};  ///< largest ‖Δp_t‖/(μ_b ‖j‖), by rule
  double solver_error =
      0.0;  ///< largest distance of the solver's own p̃ from the adopted rule's, over the bound of rounding
};

/// Runs the stages of one step up to friction from a state at step_start, and lays both rules beside it. Nodes that two walls push
/// are left out. @param solver another one than that of the run; it is left behind friction
WallNodes look_at_walls(Solver& solver, const Scene& scene, const Snapshot& state, double dt);

/// How far a block slides on a level floor that pushes it by m g Δt each step [m].
///     closed form v²/(2 μ_b g)
struct Slide {
  double distance = 0.0;  ///< [m]
  double speed = 0.0;     ///< at the end [m/s]
};
Slide slide(FrictionRule rule, double speed, double mu_b, double g, double dt, int steps);

}  // namespace repose::experiments::liu2021
