#pragma once

#include "reference/interface/scene/opening.h"

#include <vector>

namespace repose {

/// What is imagined behind an opening: an endless column of grains that move at the emitter's velocity, one every
/// `interval` along the axis. Grain n = 0, 1, … passes the opening at start + (n + ½) · interval, so that at any time
/// all grains that have passed carry the given rate to half a grain. Only the places across the opening are random.
struct EmitterColumn {
  Opening opening;
  double V0 = 0.0;        ///< grain_volume() [m³], in 2D [m²]
  double interval = 0.0;  ///< grain_interval() [s]
  /// Least distance between two grains [m]: that of Poisson-disk samples of the same density where the opening is wider
  /// than the grains' distance, else the distance of successive grains along the axis.
  double radius = 0.0;
  /// Offset of grain n from the opening's centre [m]; behind the last the first again
  std::vector<Point> across;
};

/// Volume of an emitter's grains [m³], in 2D [m²]: V0 = h^d / particles_per_cell.
double grain_volume(const Emitter& emitter, double h, int dim);
/// Time from one of an emitter's grains to the next [s]: V0 / rate. May be infinite.
double grain_interval(const Emitter& emitter, double h, int dim);

/// The column of an emitter: a Poisson-disk sample whose places along the axis are given. One grain after the other
/// takes a random place across the opening that is no closer than a radius to those before it and, where the column
/// repeats itself, to the first ones. Where 30 tries find none it takes the best of them; such grains move again
/// once all are placed, up to 16 times.
/// A rate of less than area · speed gives grains of the same volume that are further apart in all directions that the
/// opening has room for.
///
/// Where an opening reaches along a periodic axis from end to end, grains keep their distance across the seam too.
///
/// @param h grid spacing [m]
/// @param periods of the domain per axis [m]; 0 along axes that are not periodic
/// @throws BadInput as opening(); or if grains are so small that their volume or interval is no positive number, or
///         so many that a column would not fit into memory
EmitterColumn emitter_column(const Emitter& emitter, double h, int dim, const Point& periods = Point::Zero());

}  // namespace repose
