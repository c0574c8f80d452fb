#pragma once

#include "reference/interface/solver.h"

#include <memory>

namespace repose {

/// The readable solver of the mixture of [Tam17]: serial, double, 2D and 3D. It starts empty, at time 0. After
/// a SimulationError it needs load() before it can go on.
/// @throws std::invalid_argument if the scene's dimension is neither 2 nor 3, or h is not > 0
std::unique_ptr<Solver> make_mixture_solver(const Scene& scene);

}  // namespace repose
