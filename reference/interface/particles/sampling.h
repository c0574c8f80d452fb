#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

#include <vector>

namespace repose {

/// Points of a shape, in a fixed order that depends on the arguments alone.
/// Poisson-disk sampling by Bridson's method, its radius chosen so that the wanted density is met; regular lattice; or
/// one point jittered in each lattice cell.
/// Along periodic axes a body reaches across the seam, where its points keep their distance from the images of others; they
/// are not moved into the domain.
/// @param spacing grid spacing h [m]
/// @param periods of the domain per axis [m]; 0 along axes that are not periodic
/// @throws BadInput if a Poisson-disk sample misses its number (poisson_disk_of_count())
std::vector<Point> sample_shape(const Shape& shape, Sampling sampling, double particles_per_cell,
                                double spacing, std::uint64_t seed, int dim,
                                const Point& periods = Point::Zero());

/// The particles of a scene at rest in their start state, as a step_start snapshot at time 0: seeds in order,
/// V⁰ = volume of the shape / count, m = ρ V⁰, F = 1, q = v_c = 0, v and C from the seed's rigid motion.
/// @throws BadInput if a seed gives no particle, another number than wanted, or one outside the domain
Snapshot sample(const Scene& scene);

/// Volume of a bounded shape [m³]; in 2D its area [m²].
double volume(const Shape& shape, int dim);

}  // namespace repose
