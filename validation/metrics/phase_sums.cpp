#include "validation/metrics/phase_sums.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_parts.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/metrics/elastic_state.h"

#include <span>

namespace repose::metrics {

namespace {

/// @param scene of mpm, whose particles are of one phase
PhaseSums sums_of(const Snapshot& state, const Scene& scene, mixture::Phase phase,
                  std::span<const double> cohesion = {}) {
  PhaseSums sums{.phase = phase == mixture::Phase::water ? "water" : "solid",
                 .particles = state.particles(),
                 .motion = motion(state, scene.dim()),
                 .stored_energy = experiments::stored_energy(state, scene, cohesion)};
  sums.potential_energy = -sums.motion.mass * scene.gravity.dot(sums.motion.centre);
  return sums;
}

}  // namespace

std::vector<PhaseSums> phase_sums_of_mpm(const Snapshot& state, const Scene& scene) {
  return {sums_of(state, scene, is_water(scene) ? mixture::Phase::water : mixture::Phase::solid)};
}

std::vector<PhaseSums> phase_sums_of_mixture(const Snapshot& state, const Scene& scene) {
  std::vector<PhaseSums> all;
  for (const mixture::Phase phase : mixture::phases) {
    const mixture::Members members = mixture::members(state, scene, phase);
    const std::vector<double> cohesion = mixture::picked(state.get(field::c_C).value, 1, members.particles);
    all.push_back(sums_of(mixture::part_of(state, members, phase), mixture::scene_of_part(scene, phase),
                          phase, cohesion));
  }
  return all;
}

}  // namespace repose::metrics
