#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <string_view>
#include <vector>

namespace repose::optimized {

// What a snapshot carries beside the contract's fields, so that loading it gives the same bits.
inline constexpr std::string_view native_offset = "native.optimized.offset";
inline constexpr std::string_view native_base = "native.optimized.base";
inline constexpr std::string_view native_strain = "native.optimized.strain";
inline constexpr std::string_view native_bar = "native.optimized.v_bar_i";
inline constexpr std::string_view native_tilde = "native.optimized.v_tilde_i";

/// Where steps of either integrator can stop, by Stage.
inline const std::vector<Boundary>& stops() {
  static const std::vector<Boundary> all = method::boundaries(method::mpm);
  return all;
}

}  // namespace repose::optimized
