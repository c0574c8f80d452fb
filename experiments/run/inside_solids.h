#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"

#include <cstdint>
#include <string>

namespace repose::experiments {

/// Particles inside solids at one moment. Contact acts on nodes: beside a wall of some spacings that is still, particles
/// sink into it by a part of h. What is deeper was not held: a wall that is too thin or too fast for the grid.
struct InsideSolids {
  std::uint64_t particles = 0;  ///< in one solid or several; those that only touch, to 1e-9 h, do not count
  double deepest = 0.0;         ///< largest distance of one of them from the surface of a solid it is in [m]
  std::string collider;         ///< name of that solid
};

/// Looks at a solver that stands at a step_start. Takes a signed distance per particle and collider, without those of
/// particles outside a ball around a bounded solid.
InsideSolids inside_solids(const Solver& solver, const Scene& scene);

}  // namespace repose::experiments
