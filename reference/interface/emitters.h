#pragma once

#include "reference/interface/scene.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose {

/// The opening of an emitter: a rectangle or a disk in 3D, a segment in 2D.
struct Opening {
  Point centre = Point::Zero();     ///< [m]
  Point axis = Point::UnitX();      ///< unit vector, the direction of the velocity
  Point across_1 = Point::UnitY();  ///< unit vectors in the opening, perpendicular to each other
  Point across_2 = Point::UnitZ();  ///< unused in 2D
  double half_1 = 0.0;              ///< half the width along across_1 [m]; the radius of a disk
  double half_2 = 0.0;              ///< half the width along across_2 [m]
  bool round = false;               ///< a disk
  double area = 0.0;                ///< [m²]; in 2D the width [m]
};

/// The opening of an emitter, as scene.h defines it.
/// @throws BadInput where shape and velocity define none: a half-space, no velocity, a box whose velocity is
///         not
///         along an axis of the grid, a cylinder whose velocity is not along its axis; or if the rate exceeds
///         area · speed
Opening opening(const Emitter& emitter, int dim);

/// The particles that a scene's emitters let in. Behind each opening one imagines an endless column of
/// material that moves at the emitter's velocity; what has passed the opening during an interval is let in,
/// at the places that it has reached at the end. The column is a Poisson-disk sample that repeats itself: no
/// two of its particles are closer than a radius, also where it repeats. If the rate is below area · speed,
/// the column is thinner by that share, with particles of the same volume further apart.
///
/// The particles of an interval depend on emitter and interval alone, and every particle belongs to one of
/// two adjacent intervals: a run that is resumed at the end of any step goes on with the same bits.
class Inflow {
 public:
  /// @throws BadInput as opening()
  explicit Inflow(const Scene& scene);

  /// Particles that pass an opening at a time t with from ≤ t < to, as a step_start snapshot at time `to`: at
  /// rest in their start state (F = 1, q = v_c = 0, C = 0) but for the emitter's velocity. Gravity does not
  /// act before `to`.
  Snapshot between(double from, double to) const;

  /// A particle of a column.
  struct Grain {
    double behind = 0.0;           ///< distance from the opening at the start [m], in [0, period)
    Point across = Point::Zero();  ///< offset from the centre within the opening [m]
  };
  struct Column {
    Opening opening;
    double speed = 0.0;         ///< [m/s]
    double period = 0.0;        ///< length after which it repeats itself [m]
    double radius = 0.0;        ///< least distance between two particles [m]
    double V0 = 0.0;            ///< volume of a particle [m³]: rate · period/speed shared by all
    std::vector<Grain> grains;  ///< in the order in which they come
  };
  const std::vector<Column>& columns() const { return columns_; }

 private:
  Scene scene_;
  std::vector<Column> columns_;  ///< one per emitter
};

}  // namespace repose
