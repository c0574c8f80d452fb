#pragma once

#include "reference/interface/scene/scene.h"

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
/// @throws BadInput where shape and velocity define none: a half-space, no velocity, a box whose velocity is not along
///         an axis of the grid, a cylinder whose velocity is not along its axis; or if the rate exceeds area · speed
Opening opening(const Emitter& emitter, int dim);

}  // namespace repose
