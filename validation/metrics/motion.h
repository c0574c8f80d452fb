#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose::metrics {

/// Sums over all particles of a snapshot at step_start or plasticity.
struct Motion {
  double mass = 0.0;               ///< Σ m [kg]
  double volume = 0.0;             ///< Σ V⁰ det F [m³]: what the elastic strain makes of the start volume
  Point centre = Point::Zero();    ///< Σ m x / Σ m [m]
  Point momentum = Point::Zero();  ///< Σ m v [kg m/s]
  double kinetic_energy = 0.0;     ///< ½ Σ m ‖v‖² [J]; the affine motion within a particle is left out
  double max_speed = 0.0;          ///< [m/s]
};
Motion motion(const Snapshot& snapshot, int dim);

/// When sand counts as being at rest: its kinetic energy is no more than a share of the energy it had to
/// fall,
///     E_kin ≤ share · Σm ‖g‖ · drop
/// for a stretch of time without a break. drop is the height of the centre of mass above the floor at the
/// start.
class RestCriterion {
 public:
  /// @param drop [m], @param gravity ‖g‖ [m/s²], @param share [-], @param hold how long it must stay so [s]
  RestCriterion(double drop, double gravity, double share, double hold)
      : energy_per_mass_(share * gravity * drop), hold_(hold) {}

  /// Call with rising times [s]. @returns whether the sand is at rest now
  bool update(double time, const Motion& motion);

  double rest_since() const { return rest_since_; }  ///< start of the stretch [s]; −1 while moving

 private:
  double energy_per_mass_;
  double hold_;
  double rest_since_ = -1.0;
};

}  // namespace repose::metrics
