#pragma once

#include "experiments/common/figure.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

namespace repose::experiments {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline Verdict pass_if(bool holds) { return holds ? Verdict::pass : Verdict::fail; }

/// Pass or fail by a comparison; undecided where the number could not be formed.
inline Verdict pass_if_finite(double value, bool holds) {
  return value == value ? pass_if(holds) : Verdict::undecided;
}

/// Words joined by '_', as names of numbers and files are: letters and digits stay, a point becomes 'p'.
std::string word(std::string_view text);

}  // namespace repose::experiments
