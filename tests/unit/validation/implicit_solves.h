#pragma once

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
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

/// The arithmetic of the readable solver against itself.
inline crosscheck::Arithmetic exact_of(const FirstSolve& solve) {
  return crosscheck::arithmetic(solve.c.scene, solve.solver->rounding(), solve.solver->rounding());
}

/// What the judge names of a case's history, which may have been spoiled: "none", or the field.
/// @param believed the scene by which it judges
inline std::string named_fault(const FirstSolve& solve, const Scene& believed) {
  using namespace crosscheck;
  Counters unused;
  const Arithmetic exact = exact_of(solve);
  const PlainBalance plain(solve.c.scene, solve.state, solve.c.dt);
  const auto change = [&](const std::vector<double>& v, const std::vector<double>& dv) {
    return impulse_change(*solve.solver, solve.c.scene.dim(), v, dv, solve.c.dt);
  };
  const auto found = judge_solve(OnePhaseBalance(believed, exact, solve.state, solve.c.dt, plain, change),
                                 solve.history, unused);
  return found ? found->field : "none";
}

/// A two-dimensional setup in double.
inline crosscheck::Setup plain_setup(Kernel kernel = Kernel::quadratic) {
  return crosscheck::MpmSetup{.dim = 2, .kernel = kernel};
}

}  // namespace repose
