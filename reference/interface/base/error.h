#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace repose {

/// Input that cannot be used: one line that names file and line, key, value and what is allowed. Exit code 2.
struct BadInput : std::runtime_error {
  /// @param message may quote a user's text as it is: it is kept to one line and to longest_message (one_line.h)
  explicit BadInput(std::string_view message);
};

/// A run that cannot go on: a non-finite value, an inverted particle, a stencil that leaves the grid.
/// Names the particle by its id, step and boundary. Exit code 1.
struct SimulationError : std::runtime_error {
  SimulationError(std::string_view what_happened, std::int64_t particle, std::int64_t step,
                  std::string_view boundary);

  std::int64_t particle;  ///< its id; −1 where the fault is not a particle's
  std::int64_t step;      ///< steps completed before the one that failed
  std::string boundary;   ///< stage at whose end the fault was seen
};

}  // namespace repose
