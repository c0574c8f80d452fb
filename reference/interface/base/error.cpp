#include "reference/interface/base/error.h"

#include "reference/interface/base/one_line.h"

#include <fmt/format.h>

namespace repose {

namespace {

std::string describe(std::string_view what, std::int64_t particle, std::int64_t step,
                     std::string_view boundary) {
  const std::string what_happened = in_one_line(what);
  if (particle < 0) return fmt::format("{} (step {}, boundary {})", what_happened, step, boundary);
  return fmt::format("{} (particle {}, step {}, boundary {})", what_happened, particle, step, boundary);
}

}  // namespace

BadInput::BadInput(std::string_view message) : std::runtime_error(in_one_line(message)) {}

SimulationError::SimulationError(std::string_view what_happened, std::int64_t particle_, std::int64_t step_,
                                 std::string_view boundary_)
    : std::runtime_error(describe(what_happened, particle_, step_, boundary_)),
      particle(particle_),
      step(step_),
      boundary(boundary_) {}

}  // namespace repose
