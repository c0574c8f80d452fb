#pragma once

#include "reference/interface/scene/scene.h"

#include <string>
#include <vector>

namespace repose {

/// What a solver asks of the memory, estimated from its data structures [B].
struct Footprint {
  double domain_bytes = 0.0;        ///< whatever the particles: tables over the whole domain
  double bytes_per_particle = 0.0;  ///< while a state is loaded and stepped
  double bytes_per_node = 0.0;      ///< of a node in use
  /// Vectors of an unknown per axis of each node in use, which a solve keeps where there are so many unknowns
  double kept_vectors = 0.0;
  int block_edge = 1;  ///< nodes come into use in cubes of this many per axis
};

/// What one body or emitter of a scene comes to, before anything is sampled. Counts are doubles: what a slip of
/// the pen asks for need not fit into integers. Infinite where they overflow.
struct BodySize {
  std::string where;  ///< `scene.toml:12: seed "column"`
  double particles_per_cell = 0.0;
  double particles = 0.0;      ///< at the end of the run
  double lattice_cells = 0.0;  ///< places that sampling looks at
  double nodes = 0.0;          ///< in use around them
};

/// The bodies of a scene, seeds before emitters.
/// @param end_time of the run [s]: until then emitters let in
/// @param block_edge as Footprint::block_edge
std::vector<BodySize> body_sizes(const Scene& scene, double end_time, int block_edge);

/// Bytes per particle of a state at step_start, without a solver's own storage.
double snapshot_bytes_per_particle(const Scene& scene);

/// Indices of particles and nodes have 32 bits everywhere.
inline constexpr double most_particles = 2147483647.0;

}  // namespace repose
