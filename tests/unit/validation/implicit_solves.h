#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/mpm/solve_judge.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

#include <memory>
#include <string>
#include <string_view>

namespace repose {

/// The first implicit solve of a case, as one solver meets it.
struct FirstSolve {
  crosscheck::Case c;
  std::unique_ptr<Solver> solver;  ///< stands at p2g
  Snapshot state;                  ///< at p2g
  SolveHistory history;

  FirstSolve(std::string_view solver_name, std::string_view scenario, const crosscheck::Setup& setup,
             std::string_view simd = "")
      : c(crosscheck::make_case(scenario, setup)) {
    start(solver_name, setup, simd);
  }

  void start(std::string_view solver_name, const crosscheck::Setup& setup, std::string_view simd) {
    SolverOptions options =
        solver_name == "reference" ? SolverOptions{} : crosscheck::options_of(setup, simd);
    solver = make_solver(std::string(solver_name), c.scene, options);
    solver->load(c.start);
    solver->run(boundary::step_start, boundary::p2g, c.dt);
    state = solver->save(boundary::p2g, false);
    history = solver->solve_history(c.dt);
  }

  /// The same with other options.
  void again(std::string_view solver_name) { start(solver_name, c.setup, ""); }
};

/// A two-dimensional setup in double.
inline crosscheck::Setup plain_setup(Kernel kernel = Kernel::quadratic) {
  return crosscheck::MpmSetup{.dim = 2, .kernel = kernel};
}

}  // namespace repose
