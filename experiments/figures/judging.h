#pragma once

#include "experiments/figures/figure.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace repose::experiments {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline Verdict pass_if(bool holds) { return holds ? Verdict::pass : Verdict::fail; }

/// Pass or fail by a comparison; undecided where the number could not be formed.
inline Verdict pass_if_finite(double value, bool holds) {
  return value == value ? pass_if(holds) : Verdict::undecided;
}

/// The number, left open for a reason that lies in the preset and was known before its value: it is too coarse, too short,
/// has too few particles or too few cases. It would be no finding if it failed, and no support if it held.
inline Number open_here(Number number, std::string reason) {
  number.verdict = Verdict::undecided;
  number.open_because = std::move(reason);
  return number;
}

/// Whether sand rests that is judged at rest.
/// @param share of particles that move, the largest that was met [-]
inline Number judge_moving(std::string name, double share, std::string source, std::string note) {
  return {.name = std::move(name),
          .value = share,
          .unit = "1",
          .expected = "≤ 0.01",
          .kind = Kind::sanity,
          .source = std::move(source),
          .verdict = pass_if_finite(share, share <= 0.01),
          .note = std::move(note)};
}

/// Words joined by '_', as names of numbers and files are: letters and digits stay, a point becomes 'p'.
std::string word(std::string_view text);

}  // namespace repose::experiments
