#pragma once

#include "reference/interface/solve_history.h"
#include "reference/interface/solver.h"
#include "reference/mpm/state.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace repose {

/// Velocities after an implicit step's forces and collisions, before friction.
struct ImplicitSolution {
  Eigen::VectorXd v_bar;                ///< v̄, d numbers per active node [m/s]
  Eigen::VectorXd impulse;              ///< Δt f(v̄) [kg m/s]
  std::uint64_t contacts = 0;           ///< node–body pairs in which the body holds the node
  std::uint64_t massless = 0;           ///< particle–node pairs whose force was dropped
  std::uint64_t newton_iterations = 0;  ///< linear systems solved
  std::uint64_t gmres_iterations = 0;   ///< products with their matrices, also of MINRES
  bool converged = true;                ///< false where Unconverged::keep took what was left
  /// Largest residual of a node before each iteration and at the end, relative to what it balances and, over the
  /// tolerance, to what rounding leaves [-] (ImplicitOptions).
  std::vector<double> residuals;
};

/// Adds what a solve counts to a step's report.
void count_solve(const ImplicitSolution& solution, StepReport& report);

/// @throws std::invalid_argument if Δt ≤ 0
void require_step(double dt);

/// Solves the balance of momentum of a semi- or fully implicit step with its contacts by Newton's method.
/// [Klar16 Eq.19] [Tam17 Eq.18]
///
/// Start: vⁿ, held by the separating bodies that the explicit velocity v* would meet. Each iteration
///   1. lets bodies hold or let go by the signs of gap and push (NodeBodies), and moves held nodes onto them;
///   2. solves T J T dv = −T R, T the projection of each node onto what its bodies leave free, in variables √m v, in
///      which ‖·‖² is a kinetic energy and nodes of little mass do not dominate: by GMRES, in semi-implicit steps by
///      MINRES, whose dv is turned round if it leads uphill;
///   3. moves by the largest of dv, dv/2, dv/4, … that inverts no particle and lowers ‖T R‖ as far as rounding
///      lets tell, or, in semi-implicit steps, the energy E whose gradient R is.
///
/// Departs from [Tam17 §4.2], which has no search along the line: the unilateral energy softens (OfStrain), so J need not
/// be definite and a whole step may climb.
/// The solve has converged when at every node T R and the violation of its bodies' signs are below the tolerance of
/// what that node balances. vⁿ itself may be the solution: then nothing is solved.
/// Hardening and friction follow after the step: qⁿ throughout.
///
/// @param state stands at p2g
/// @param history is told the solve where it is not null
/// @throws SolveFailure naming the cause: iterations are used up, with Unconverged::cut, or no shorter move helps
template <int d>
ImplicitSolution solve_implicit(const State<d>& state, const StepContext& step,
                                SolveHistory* history = nullptr);

}  // namespace repose
