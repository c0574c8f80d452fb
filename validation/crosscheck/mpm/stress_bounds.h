#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/mechanics/arithmetic.h"

namespace repose::crosscheck {

/// |τ|-scale of a particle: what its strain and its stress may differ by, [Pa].
struct StressError {
  double magnitude = 0.0;  ///< ‖τ‖ at most [Pa]
  double error =
      0.0;  ///< of the strain's own error, and of the multiplier; roundings of 2μ ε + λ tr ε are others' [Pa]
};

/// Of a particle of a snapshot that holds F, J and the constants; of water as water_stress_error().
///
/// Hencky's: ‖τ‖ ≤ M ‖ε‖ and ‖δτ‖ ≤ M ‖δε‖, M = 2μ + dλ; δε = 0 for ε that is stored, but for its way through F in double.
///
/// Unilateral: ‖δτ‖ as unilateral_bounds.h has it, over the ball of radius ‖δε‖ and for forming h.
StressError stress_error(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& particles,
                         std::size_t p);

/// How a particle's strain stands to the fall of the multiplier, for those who count what was met.
/// @returns z of validation/mechanics/unilateral.h; below 0 for a material that has Hencky's energy
double multiplier_place(const Scene& scene, const Snapshot& particles, std::size_t p);

}  // namespace repose::crosscheck
