#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose::metrics {

/// Axis of a pile: it stands on the plane through `foot` and grows along coordinate axis `up`. Radius is the
/// distance from the line through `foot` along `up`; in 2D the distance |x − foot|.
struct Axis {
  int dim = 3;
  Point foot = Point::Zero();  ///< [m]
  int up = 1;                  ///< 0 x, 1 y, 2 z

  double radius(const Point& x) const;
  double height(const Point& x) const { return x[up] - foot[up]; }  ///< [m]
};

/// Positions of a snapshot's particles [m], z = 0 in 2D.
/// @throws std::out_of_range if the snapshot has no field x
std::vector<Point> positions(const Snapshot& snapshot, int dim);

/// How far particles lie from the axis.
struct Runout {
  double percentile_98 = 0.0;  ///< radius that holds 98 % of the particles [m]: converges under refinement
  double front = 0.0;          ///< radius of the farthest particle [m]: a single grain, does not converge
};
Runout runout(const std::vector<Point>& x, const Axis& axis);

/// How high particles lie near the axis. The highest grain overstates a surface by its own luck; the
/// percentile is of the particles within `core_radius` of the axis, so that it does not depend on how far the
/// rest has spread. For a flat top of height H and uniform sand it is 0.98 H.
struct Height {
  double percentile_98 = 0.0;  ///< [m]; nan if no particle is within the core
  double highest = 0.0;        ///< of all particles [m]
  std::size_t core = 0;        ///< particles within the core
};
Height height(const std::vector<Point>& x, const Axis& axis, double core_radius);

/// Height of the lowest sand over ground it has spread to: 2nd percentile of the heights beyond a radius [m].
/// A grid method keeps sand some part of a cell above a collider that it falls onto. nan if no particle is
/// beyond.
double ground_gap(const std::vector<Point>& x, const Axis& axis, double beyond);

}  // namespace repose::metrics
