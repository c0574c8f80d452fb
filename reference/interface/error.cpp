#include "reference/interface/error.h"

#include <fmt/format.h>

namespace repose {

namespace {

std::string describe(std::string_view what_happened, std::int64_t particle, std::int64_t step,
                     std::string_view boundary) {
  if (particle < 0) return fmt::format("{} (step {}, boundary {})", what_happened, step, boundary);
  return fmt::format("{} (particle {}, step {}, boundary {})", what_happened, particle, step, boundary);
}

}  // namespace

SimulationError::SimulationError(std::string_view what_happened, std::int64_t particle_, std::int64_t step_,
                                 std::string_view boundary_)
    : std::runtime_error(describe(what_happened, particle_, step_, boundary_)),
      particle(particle_),
      step(step_),
      boundary(boundary_) {}

}  // namespace repose
