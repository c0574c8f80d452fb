#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// The one place that knows every solver by name.
/// @throws BadInput for an unknown name or options the solver does not have
std::unique_ptr<Solver> make_solver(std::string_view name, const Scene& scene,
                                    const SolverOptions& options = {});

std::vector<std::string> solver_names();

/// Whether a solver has this precision. @throws BadInput for an unknown name
bool has_precision(std::string_view name, Precision precision);

/// What a solver asks of the memory. @throws BadInput for an unknown name
Footprint footprint(std::string_view name, const Scene& scene, const SolverOptions& options);

}  // namespace repose
