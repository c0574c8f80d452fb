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

/// Of a particle of a snapshot that holds F and the constants.
///
/// Hencky's: ‖τ‖ ≤ M ‖ε‖ and ‖δτ‖ ≤ M ‖δε‖, M = 2μ + dλ; δε = 0 for ε that is stored, but for its way through F in double.
///
/// Unilateral, as a function of the tensor ε: τ = h τ_H + ψ ∇h, with ‖τ_H‖ ≤ M‖ε‖, ψ ≤ ½ M‖ε‖², ‖∇h‖ = |h′| ‖∇z‖, so that over
/// the ball of radius ‖δε‖ around ε
///
///     ‖δτ‖ ≤ (M h + 2 M‖ε‖ |h′| ‖∇z‖ + ψ (|h″| ‖∇z‖² + |h′| ‖∇²z‖)) ‖δε‖ + R
///
/// R is what forming h adds. Trace and deviator of ε take 2d + 2 roundings of ‖ε‖ at most, which move z as an error of ε does; f
/// takes 6 more, a, s_C and the sums 4 of what is summed; b − a is a difference of two rounded numbers; quotient and 1 − z
/// take 4:
///
///     δz = g(2d + 2) ‖∇z‖ ‖ε‖ + g(10) (|u| + f + |a| + |s_C|)/(b − a) + g(2) |z| (|a| + |b|)/(b − a) + g(4) (|z| + 1) + δs_C/(b − a)
///
/// h, as a polynomial of terms up to 32, moves by |h′| δz + g(12) 32 where it falls, ∇h by ‖∇z‖ |h″| δz and relative to
/// itself by the roundings of h′, ∇z and 1/(b − a). s_C that follows the tip is as well known as e_c.
StressError stress_error(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& particles,
                         std::size_t p);

/// How a particle's strain stands to the fall of the multiplier, for those who count what was met.
/// @returns z of validation/mechanics/unilateral.h; below 0 for a material that has Hencky's energy
double multiplier_place(const Scene& scene, const Snapshot& particles, std::size_t p);

}  // namespace repose::crosscheck
