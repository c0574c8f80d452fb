#pragma once

#include "reference/interface/particles/emitter_column.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose {

/// The particles that a scene's emitters let in. Behind each opening one imagines an endless column of grains that
/// moves at the emitter's velocity (emitter_column.h); what has passed the opening during an interval is let in, at
/// the places that it has reached at the end. At every time t between start and stop
///     Σ V⁰ = rate · (t − start)   to half a particle.
///
/// The particles of an interval depend on emitter and interval alone, and intervals that follow each other share none
/// and miss none: a run that is resumed at the end of any step goes on with the same bits.
class Inflow {
 public:
  /// @throws BadInput as emitter_column()
  explicit Inflow(const Scene& scene);

  /// Particles that pass an opening at a time t with from ≤ t < to, as a step_start snapshot at time `to`:
  /// undeformed (F = 1, q = v_c = 0, C = 0), with the emitter's velocity and as far on as it has taken them since.
  /// Gravity does not act on them before `to`.
  Snapshot between(double from, double to) const;

  const std::vector<EmitterColumn>& columns() const { return columns_; }

 private:
  Scene scene_;
  std::vector<EmitterColumn> columns_;  ///< one per emitter
};

}  // namespace repose
