#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace repose {

/// What a stage knows besides the state.
struct StepContext {
  const Scene& scene;
  double time = 0.0;  ///< at the start of the step [s]
  double dt = 0.0;    ///< Δt [s]
};

/// One stage of a step and the boundary at its end.
template <class State>
struct Stage {
  Boundary end;
  void (*run)(State& state, const StepContext& step, StepReport& report);
};

/// A stage cannot go on. The stage machine adds step and boundary (SimulationError).
struct StageFailure : std::runtime_error {
  StageFailure(const std::string& what_happened, std::size_t particle_)
      : std::runtime_error(what_happened), particle(static_cast<std::int64_t>(particle_)) {}
  explicit StageFailure(const std::string& what_happened) : std::runtime_error(what_happened), particle(-1) {}
  std::int64_t particle;  ///< its place in the state; −1 where the fault is not a particle's
};

/// A solve that found no answer and left the state as it was. The step can be tried again with a shorter Δt.
struct SolveFailure : StageFailure {
  using StageFailure::StageFailure;
};

}  // namespace repose
