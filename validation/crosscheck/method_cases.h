#pragma once

#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/cases.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace repose::crosscheck {

/// Another scene for claims of equal bits, whose names begin with the prefix.
struct BusyScene {
  std::string prefix;
  Case (*make)(const Setup& setup);
};

/// What a method is run in: each brings one (validation/methods.h).
struct MethodCases {
  /// Names of the levels of its own two factors, for names of cases: one to four, then none or one to two
  std::array<std::vector<std::string_view>, 2> levels;
  const std::vector<Scenario>& (*scenarios)();
  /// A scene in which as much as possible happens, for claims of equal bits.
  Case (*busy)(const Setup& setup);
  std::vector<BusyScene> busy_too{};
  /// Claims that numbers of its stages are exact, besides those of every method.
  const std::vector<BitClaim>& (*exact)();
};

}  // namespace repose::crosscheck
