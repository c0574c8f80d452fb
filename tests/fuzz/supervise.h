#pragma once

#include "tests/fuzz/outcome.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace repose::fuzz {

/// Cases of one kind, each made anew from its number.
struct Campaign {
  std::string name;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::function<Reached(std::uint64_t number)> check;
  /// The input of a case as a file for whoever looks into it, written into a folder. @returns its name
  std::function<std::string(std::uint64_t number, const std::string& folder)> keep;
};

struct Found {
  std::uint64_t number = 0;
  std::string what;
};

struct Summary {
  std::array<std::uint64_t, reached_names.size()> reached{};
  std::vector<Found> findings;
  double slowest_seconds = 0.0;
  std::uint64_t slowest = 0;
};

/// Runs the cases in a process of its own, which a crash ends, and goes on with the next case behind a crash. A case
/// that takes more than ten seconds of processor time, or three gigabytes, is ended and is a finding as well.
/// Stops after some findings.
Summary supervise(const Campaign& campaign);

}  // namespace repose::fuzz
