#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace repose::experiments {

/// Memory that a process may use here [B]: the machine's, or less where its control group gets less. What happens
/// to be free at the moment does not count, so that a scene is refused today and tomorrow or not at all.
double usable_memory_bytes();

/// Adds the option --memory-limit-gib, which sets `bytes`.
void add_memory_limit(CLI::App& command, double& bytes);

/// require_memory() of validation/memory_need.h, whose message names the option.
/// @param frames the run ends with this frame; −1: the scene's duration
/// @throws BadInput
void require_memory(const Scene& scene, std::string_view source, std::string_view solver,
                    const SolverOptions& options, std::int64_t frames, double limit_bytes);

}  // namespace repose::experiments
