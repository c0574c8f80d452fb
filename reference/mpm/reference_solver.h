#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/solver.h"

#include <memory>

namespace repose {

/// The readable solver of [Klar16]: serial, double, 2D and 3D, with explicit or implicit steps as the scene
/// says. It starts empty, at time 0. A failed implicit solve cuts the step in advance(), whose report then
/// tells the Δt that was left; run() is given its Δt and throws SimulationError. After a SimulationError it
/// needs load() before it can go on.
/// @throws std::invalid_argument if the scene's dimension is neither 2 nor 3, or h is not > 0
std::unique_ptr<Solver> make_reference_solver(const Scene& scene);

/// How readable solvers of material points round: positions are stored exactly, x_i = domain_min + h i is recomputed with two
/// roundings.
Rounding reference_rounding(const Grid& grid);

/// What the readable solvers of material points ask of a grid. @throws std::invalid_argument if its dimension is neither 2 nor 3,
/// h is not > 0, or a stencil would meet itself along a periodic axis
void require_reference_grid(const Grid& grid, Kernel kernel);

}  // namespace repose
