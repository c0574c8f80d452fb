#pragma once

#include "reference/interface/particles/scene_size.h"
#include "reference/interface/solver.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// What can be said of a solver before one is made: whoever treats solvers differently asks this, never for a name.
struct SolverInfo {
  std::string_view name;
  std::vector<std::string_view> methods;  ///< whose steps it takes
  std::vector<Precision> precisions;
  bool serial = false;      ///< one thread and no instruction set to choose
  bool keeps_sums = false;  ///< has Solver::sums(): lock-step can judge by it
};

/// Every solver, by ascending name: the one place that knows them.
const std::vector<SolverInfo>& solver_infos();
/// @throws BadInput for an unknown name
const SolverInfo& solver_info(std::string_view name);

/// @throws BadInput for an unknown name or options the solver does not have
std::unique_ptr<Solver> make_solver(std::string_view name, const Scene& scene,
                                    const SolverOptions& options = {});

std::vector<std::string> solver_names();
/// Those that take steps of a method.
std::vector<std::string> solvers_of(std::string_view method);

/// The solver that takes steps of a method where nobody names one: the first that is not serial, else the first.
/// @throws BadInput if there is none
std::string_view usual_solver(std::string_view method);

/// The first solver that others of a method can be judged by. @throws std::out_of_range if there is none
std::string_view judging_solver(std::string_view method);

/// Whether a solver has this precision. @throws BadInput for an unknown name
bool has_precision(std::string_view name, Precision precision);

/// Whether a solver takes steps of a method. @throws BadInput for an unknown name
bool has_method(std::string_view name, std::string_view method);

/// What a solver asks of the memory. @throws BadInput for an unknown name
Footprint footprint(std::string_view name, const Scene& scene, const SolverOptions& options);

}  // namespace repose
