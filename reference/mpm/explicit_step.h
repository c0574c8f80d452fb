#pragma once

#include "reference/mpm/collisions.h"
#include "reference/mpm/forces.h"
#include "reference/mpm/friction.h"
#include "reference/mpm/plasticity.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/mpm/transfer_to_particles.h"
#include "reference/mpm/update_particles.h"

#include <array>

namespace repose {

/// One stage of a step and the boundary at its end.
template <int d>
struct Stage {
  Boundary end;
  void (*run)(State<d>& state, const StepContext& step, StepReport& report);
};

/// The explicit step, in the order of [Klar16 Fig.7].
template <int d>
inline constexpr std::array<Stage<d>, 7> explicit_step{{
    {boundary::p2g, transfer_to_grid<d>},           // [Klar16 §5.1]
    {boundary::forces, apply_forces<d>},            // [Klar16 §5.2, §6]
    {boundary::collisions, resolve_collisions<d>},  // [Klar16 §8]
    {boundary::friction, apply_friction<d>},        // [Klar16 §8.1]
    {boundary::g2p, transfer_to_particles<d>},      // [Klar16 §5.3]
    {boundary::update, update_particles<d>},        // [Klar16 §5.4]
    {boundary::plasticity, apply_plasticity<d>},    // [Klar16 §5.5, §7]
}};

/// All boundaries: the start of the step, then the end of each stage.
inline constexpr std::array<Boundary, 8> explicit_boundaries{
    boundary::step_start, boundary::p2g, boundary::forces, boundary::collisions,
    boundary::friction,   boundary::g2p, boundary::update, boundary::plasticity};

}  // namespace repose
