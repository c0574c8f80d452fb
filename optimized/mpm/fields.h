#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"

#include <array>
#include <string_view>

namespace repose::optimized {

// What a snapshot carries beside the contract's fields, so that loading it gives the same bits.
inline constexpr std::string_view native_offset = "native.optimized.offset";
inline constexpr std::string_view native_base = "native.optimized.base";
inline constexpr std::string_view native_strain = "native.optimized.strain";
inline constexpr std::string_view native_bar = "native.optimized.v_bar_i";
inline constexpr std::string_view native_tilde = "native.optimized.v_tilde_i";

/// Where a step can stop, in the order of the stages.
inline constexpr std::array<Boundary, 8> stops{boundary::step_start, boundary::p2g,       boundary::forces,
                                               boundary::collisions, boundary::friction,  boundary::g2p,
                                               boundary::update,     boundary::plasticity};

}  // namespace repose::optimized
