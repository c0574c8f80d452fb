#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/collisions.h"
#include "reference/mpm/forces.h"
#include "reference/mpm/friction.h"
#include "reference/mpm/plasticity.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/mpm/transfer_to_particles.h"
#include "reference/mpm/update_particles.h"

#include <array>

namespace repose {

/// The explicit step, in the order of [Klar16 Fig.7].
template <int d>
inline constexpr std::array<Stage<State<d>>, 7> explicit_step{{
    {boundary::p2g, transfer_to_grid<d>},           // [Klar16 §5.1]
    {boundary::forces, apply_forces<d>},            // [Klar16 §5.2, §6]
    {boundary::collisions, resolve_collisions<d>},  // [Klar16 §8]
    {boundary::friction, apply_friction<d>},        // [Klar16 §8.1]
    {boundary::g2p, transfer_to_particles<d>},      // [Klar16 §5.3]
    {boundary::update, update_particles<d>},        // [Klar16 §5.4]
    {boundary::plasticity, apply_plasticity<d>},    // [Klar16 §5.5, §7]
}};

}  // namespace repose
