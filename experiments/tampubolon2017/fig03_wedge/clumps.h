#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/scene.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// How sand is parted into clumps.
struct ClumpSizes {
  /// Share of the sand in the clump of a grain that is drawn at random [-], from n_k grains in clump k of N in all:
  ///     Σ_k (n_k/N)²
  double mean = 0.0;
  double largest = 0.0;   ///< share of the sand in the largest clump [-]
  std::size_t count = 0;  ///< of clumps of four full cells of grains or more; fewer grains are spray
};

/// Two particles.
using GrainPair = std::pair<std::size_t, std::size_t>;

/// Pairs of particles no further apart than a distance [m].
std::vector<GrainPair> neighbours_within(const std::vector<Point>& grains, double distance);

/// Clumps of what is seen: cells of the grid that hold no fewer particles than `least`, joined by their faces. Each particle of
/// another cell is a clump of its own.
ClumpSizes clumps_of_cells(const std::vector<Point>& grains, const Scene& scene, int least);

/// Clumps of what has stayed together: particles joined by the pairs that are no further apart than a distance [m].
ClumpSizes clumps_of_pairs(const std::vector<Point>& grains, const Scene& scene,
                           const std::vector<GrainPair>& pairs, double distance);

/// Share of the pairs that are no further apart than a distance [m].
double pairs_kept(const std::vector<Point>& grains, const std::vector<GrainPair>& pairs, double distance);

}  // namespace repose::experiments::tampubolon2017
