#pragma once

#include "reference/interface/methods/mixture.h"
#include "reference/mixture/drag.h"
#include "reference/mixture/phases.h"
#include "reference/mixture/saturation.h"

#include <array>

namespace repose {

/// The explicit step of two phases: stages of mpm for each on its own grid, and those that couple them. Without drag and
/// without the reversible term either phase takes the step it would take alone, bit for bit.
template <int d>
inline constexpr std::array<Stage<MixtureState<d>>, 9> mixture_step{{
    {boundary::p2g, transfer_both_to_grids<d>},                       // [Tam17 §4.1]
    {boundary::forces, apply_forces_of_both<d>},                      // [Tam17 §4.2, §5.3]
    {boundary::drag, apply_drag<d>},                                  // [Tam17 §3.3]
    {boundary::collisions, in_each_phase<d, resolve_collisions<d>>},  // [Klar16 §8]
    {boundary::friction, in_each_phase<d, apply_friction<d>>},        // [Klar16 §8.1]
    {boundary::g2p, in_each_phase<d, transfer_to_particles<d>>},      // [Klar16 §5.3]
    {boundary::update, update_both<d>},                               // [Tam17 §4.3.1, §4.3.2]
    {boundary::saturation, saturate<d>},                              // [Tam17 §4.3.3]
    {boundary::plasticity, return_both<d>},                           // [Tam17 §4.3.4]
}};

}  // namespace repose
