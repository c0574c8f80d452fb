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

/// All boundaries of a step: its start, then the end of each stage.
template <int d, std::size_t stages>
constexpr std::array<Boundary, stages + 1> boundaries_of(const std::array<Stage<d>, stages>& step) {
  std::array<Boundary, stages + 1> all{boundary::step_start};
  for (std::size_t n = 0; n < stages; ++n) all[n + 1] = step[n].end;
  return all;
}

inline constexpr std::array explicit_boundaries = boundaries_of(explicit_step<2>);

}  // namespace repose
