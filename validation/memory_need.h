#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

#include <cstdint>
#include <string_view>

namespace repose {

/// What a run of a scene needs of the memory, estimated before anything is sampled [B]: the solver and one state
/// beside it, as the bodies stand at the start and with everything that emitters let in.
struct MemoryNeed {
  double particles = 0.0;     ///< at the end of the run
  double nodes = 0.0;         ///< in use
  double bytes = 0.0;         ///< the sum of what follows
  double domain_bytes = 0.0;  ///< of tables over the whole domain
  double krylov_bytes = 0.0;  ///< of the vectors that implicit steps keep
  double body_bytes = 0.0;    ///< of particles and the nodes around them
  double state_bytes = 0.0;   ///< of these, the state beside the solver
  BodySize largest{};         ///< the body that takes most of them
};

/// @param solver a name that make_solver() knows
/// @param frames the run ends with this frame; −1: the scene's duration
/// @throws BadInput for an unknown solver
MemoryNeed memory_need(const Scene& scene, std::string_view solver, const SolverOptions& options,
                       std::int64_t frames = -1);

/// What a run may need, and how a message says so.
struct MemoryLimit {
  double bytes = 0.0;
  std::string_view raised_by{};  ///< the option that raises it; empty where there is none
};

/// Refuses what cannot be run before a byte is asked for.
/// @param source names the scene where no body is at fault: "scene.toml"
/// @throws BadInput one line: who is at fault, key, particles, bytes and the limit
void require_memory(const MemoryNeed& need, std::string_view source, const MemoryLimit& limit);

}  // namespace repose
