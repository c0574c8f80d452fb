#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"

namespace repose::metrics {

/// The space that loose material takes, voids included, measured in two ways that share nothing but the grid.
struct Occupied {
  /// Of the cells of the scene's grid that hold the centre of a particle [m³]; 2D [m²]. The surface adds half a cell
  double by_cells = 0.0;
  /// Of the nodes whose sand is more than half as dense as most of it, each for h^d [m³]; 2D [m²]
  ///
  ///     φ_i = Σ w_ip V⁰_p / h^d,   counted where φ_i > ½ Σ φ²/Σ φ
  ///
  /// For a flat surface of sand of any even density the node at the surface decides: no bias
  double by_density = 0.0;
};

/// Of a state of the method mpm at step_start, whose particles have places and volumes.
Occupied occupied(const Snapshot& state, const Scene& scene);

}  // namespace repose::metrics
