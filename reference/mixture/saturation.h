#pragma once

#include "reference/mixture/state.h"

namespace repose {

/// Stage 8, "saturation": how wet grains are, and how cohesive that leaves them.          [Tam17 §4.3.3]
///
///     φ_i = 1 where both phases have mass, else 0
///     φ_p = Σ_i w_ip^n φ_i                                                            [Tam17 Eq.24]
///     c_C = c_C⁰ (1 − φ_p), or as the scene says                                      [Tam17 Eq.25]
///
/// Masses and weights are those of the step's start: particles have moved since. Plasticity of this step, and the energy of
/// the next, see the new cohesion [ERRATA T23]; it comes back where water leaves.
/// @param report wet_nodes
template <int d>
void saturate(MixtureState<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
