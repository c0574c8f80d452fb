#pragma once

#include "reference/interface/solver.h"

#include <memory>

namespace repose {

/// The readable solver of [Klar16]: serial, double, 2D and 3D, with explicit or implicit steps as the scene
/// says. It starts empty, at time 0. A failed implicit solve cuts the step in advance(), whose report then
/// tells the Δt that was left; run() is given its Δt and throws SimulationError. After a SimulationError it
/// needs load() before it can go on.
/// @throws std::invalid_argument if the scene's dimension is neither 2 nor 3, or h is not > 0
std::unique_ptr<Solver> make_reference_solver(const Scene& scene);

}  // namespace repose
