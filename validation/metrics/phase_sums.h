#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/metrics/motion.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace repose::metrics {

/// What one phase of a state holds, summed over its particles; in 2D per metre of depth.
struct PhaseSums {
  std::string_view phase;  ///< "solid" (sand and elastic bodies) or "water"
  std::uint64_t particles = 0;
  Motion motion{};                ///< mass, momentum, kinetic energy
  double stored_energy = 0.0;     ///< Σ V⁰ ψ of strain, or of water's J [J]
  double potential_energy = 0.0;  ///< −Σ m g·x, 0 at the origin [J]
};

/// Of each phase that a scene of mpm has a material of, solid first.
/// @param state at step_start or plasticity
std::vector<PhaseSums> phase_sums_of_mpm(const Snapshot& state, const Scene& scene);

/// The same of both phases of a mixture.
std::vector<PhaseSums> phase_sums_of_mixture(const Snapshot& state, const Scene& scene);

}  // namespace repose::metrics
