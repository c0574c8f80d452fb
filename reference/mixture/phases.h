#pragma once

#include "reference/mixture/state.h"
#include "reference/mpm/collisions.h"
#include "reference/mpm/friction.h"
#include "reference/mpm/transfer_to_particles.h"

namespace repose {

/// The place among all of a phase's particle.
template <int d>
std::size_t place_among_all(const MixtureState<d>& state, mixture::Phase phase, std::size_t particle);

/// A failure of one phase's particle, at its place among all.
template <int d>
StageFailure placed(const StageFailure& failure, const MixtureState<d>& state, mixture::Phase phase);

/// A stage of mpm, of sand and then of water, each in its own scene. What both count is counted together.
/// @throws StageFailure as the stage, naming the particle by its place among all
template <int d, void (*stage)(State<d>&, const StepContext&, StepReport&)>
void in_each_phase(MixtureState<d>& state, const StepContext& step, StepReport& report) {
  for (const mixture::Phase phase : mixture::phases) {
    try {
      stage(state.of(phase), {state.scene(phase), step.time, step.dt}, report);
    } catch (const StageFailure& failure) {
      throw placed<d>(failure, state, phase);
    }
  }
}

/// Stage 1, "p2g", of either phase on its own grid.                                       [Tam17 §4.1]
/// @param report active_nodes: those of either phase, each once
template <int d>
void transfer_both_to_grids(MixtureState<d>& state, const StepContext& step, StepReport& report);

/// Stage 2, "forces": stress and gravity of either phase, and the reversible term where the scene has it. [Tam17 §4.2, §5.3]
template <int d>
void apply_forces_of_both(MixtureState<d>& state, const StepContext& step, StepReport& report);

/// Stage 7, "update": particles of either phase move; sand deforms, and water by its J.    [Tam17 §4.3.1, §4.3.2]
template <int d>
void update_both(MixtureState<d>& state, const StepContext& step, StepReport& report);

/// Stage 9, "plasticity", of sand with the cohesion of each grain.                         [Tam17 §4.3.4]
template <int d>
void return_both(MixtureState<d>& state, const StepContext& step, StepReport& report);

}  // namespace repose
