#pragma once

#include "reference/interface/scene/shapes.h"

#include <cstdint>
#include <vector>

namespace repose {

/// Points of a shape no two of which are closer than a radius, each grown from an earlier one.
struct PoissonDisk {
  double radius = 0.0;        ///< least distance between two points [m]
  std::vector<Point> points;  ///< in the order in which they were found
};

/// Bridson's Poisson-disk sampling (SIGGRAPH 2007 sketch): around an active point, up to 30 candidates are drawn evenly
/// from the shell between radius and 2 radius; the first that lies in the shape and is no closer than radius to any
/// point becomes active; a point none of whose candidates fits becomes inactive. Of the active points, whose choice is
/// free, the newest is taken: neighbours in space stay close in the list, and the search close in memory.
/// The result is not strictly maximal: a gap that 30 candidates missed from every side remains. Some 0.1 % of the area
/// and 0.4 % of the volume are further than radius from all points, by up to 1.2 radius.
/// A body may be as thin as it likes: along an axis along which it is shorter than the shell is wide, candidates are drawn
/// from its thickness alone.
/// Along a periodic axis the body stands again at every length: nor are points closer than radius to images of others, and
/// one that reaches from end to end has no border there.
/// @param radius [m], > 0
/// @param periods of the domain per axis [m], 0 along axes that are not periodic (Grid::periods()); the shape is no longer
std::vector<Point> poisson_disk(const Shape& shape, double radius, std::uint64_t seed, int dim,
                                const Point& periods = Point::Zero());

/// Poisson-disk sampling with a wanted number of points. The radius is first taken from the mean density of such
/// samples, then corrected by the number they have, up to 16 times, until the number is within 1 % or half a point of the
/// wanted one. If it never is, the nearest is returned that is within 1 % or two points, after a search for it among
/// radii beside the nearest if need be.
/// @param wanted   number of points, > 0; not necessarily whole
/// @param periods  as of poisson_disk()
/// @param attempts number of radii tried at most, > 0
/// @throws BadInput if all attempts miss the number by more
PoissonDisk poisson_disk_of_count(const Shape& shape, double wanted, std::uint64_t seed, int dim,
                                  const Point& periods = Point::Zero(), int attempts = 80);

}  // namespace repose
