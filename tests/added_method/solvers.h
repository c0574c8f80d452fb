#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

#include <memory>

namespace repose::flight {

/// Particle by particle, in double.
std::unique_ptr<Solver> make_readable(const Scene& scene, const SolverOptions& options);

/// Axis by axis, in either precision.
std::unique_ptr<Solver> make_fast(const Scene& scene, const SolverOptions& options);

Footprint footprint(const Scene& scene, const SolverOptions& options);

}  // namespace repose::flight
