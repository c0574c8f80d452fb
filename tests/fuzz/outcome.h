#pragma once

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace repose::fuzz {

/// How far a case came. A run in which nothing comes far has tried nothing: the program asserts shares of these.
enum class Reached : unsigned char { refused, too_large, loaded, stepped };

inline constexpr std::array<std::string_view, 4> reached_names{"refused", "too large", "loaded", "stepped"};

/// What no input may cause: a message of several lines, an exception of a kind that the interface does not promise, a
/// scene that changes when it is written and read.
struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs a part of a case.
/// @param part "read", "size", "sample", "load" or "step", for messages
/// @return whether it came to its end; false after BadInput, SimulationError, and what solvers and StepControl refuse in
///         "load" and "step"; their messages are judged
/// @throws Finding for a message that is not one line of bounded length, or another exception
bool completes(std::string_view part, const std::function<void()>& run);

}  // namespace repose::fuzz
