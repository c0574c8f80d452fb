#pragma once

#include "reference/interface/method.h"
#include "validation/faults/fault.h"

#include <span>
#include <string_view>
#include <vector>

namespace repose::faults {

inline constexpr std::size_t no_mistake = 0;

/// A method's stages once more, plain and slow, each with one mistake or none: so that no solver needs a hook for faults.
/// Without a mistake they stay inside the bounds of the cross-check, which the zoo demands before it plants anything.
struct Model {
  const method::Method& method;
  const std::vector<Fault>& (*faults)();
  std::string_view strain;  ///< Rounding::strain of the states that its stages hand on

  /// Runs the computed or decided stage that starts at `state.at` on a snapshot, in the arithmetic of a precision.
  /// @throws SimulationError as solvers do
  void (*run_stage)(const Scene& scene, std::size_t mistake, Precision precision, double dt, Snapshot& state);

  /// The answer to a probe of a solved stage, whose solution is not replaced; null where the table has no probes.
  /// @param correct what the solver itself answers
  std::vector<Field> (*probe)(const Scene& scene, std::size_t mistake, double dt, const Snapshot& state,
                              std::string_view name, std::span<const Field> asked,
                              std::vector<Field> correct) = nullptr;
};

}  // namespace repose::faults
