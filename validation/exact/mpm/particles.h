#pragma once

#include "validation/crosscheck/cases.h"

#include <vector>

namespace repose::exact {

/// An empty scene in a setup's variant; Δt and everything else is left to the case.
Scene empty_scene(const crosscheck::Setup& setup);

/// Particles at the middles of the parts of cells, `per_axis` along each axis, from row `first` of y to before `last`: all
/// alike, at rest, undeformed, of the density of material 0.
Snapshot lattice(const Scene& scene, int per_axis, std::int64_t first, std::int64_t last);

}  // namespace repose::exact
