#pragma once

#include "validation/crosscheck/cases.h"

#include <vector>

namespace repose::exact {

/// An empty scene in a setup's variant; Δt and everything else is left to the case.
Scene empty_scene(const crosscheck::Setup& setup);

/// A scene for a column of a material on a floor at y = 0, `cells` spacings high and periodic across, four cells wide.
Scene column_scene(const crosscheck::Setup& setup, const Material& material, double height, double gravity,
                   int cells);

/// Particles at the middles of the parts of cells, `per_axis` along each axis, from row `first` of y to before `last`: all
/// alike, at rest, undeformed, of the density of material 0.
Snapshot lattice(const Scene& scene, int per_axis, std::int64_t first, std::int64_t last);

}  // namespace repose::exact
