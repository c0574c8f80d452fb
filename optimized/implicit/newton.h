#pragma once

#include "optimized/implicit/balance.h"
#include "optimized/implicit/holds.h"
#include "reference/interface/solve_history.h"
#include "reference/interface/solver.h"

#include <stdexcept>
#include <string>

namespace repose::optimized {

/// A solve that found no velocities; a shorter step may.
struct NoSolution : std::runtime_error {
  explicit NoSolution(const std::string& what_happened, std::int64_t particle_ = -1)
      : std::runtime_error(what_happened), particle(particle_) {}
  std::int64_t particle;  ///< scene id; −1 where the fault is not a particle's
};

/// Velocities after forces and collisions of an implicit step.
struct ImplicitVelocities {
  NodeVector v_bar;            ///< v̄ of active nodes [m/s]
  NodeVector impulse;          ///< Δt f(v̄) [kg m/s]
  std::uint64_t contacts = 0;  ///< node–body pairs in which the body holds the node
  std::uint64_t massless = 0;
  std::uint64_t newton_iterations = 0, gmres_iterations = 0;  ///< the latter also of MINRES
  bool converged = true;  ///< false where Unconverged::keep took what was left
};

/// Adds what a solve counts to a step's report.
void count_solve(const ImplicitVelocities& found, StepReport& report);

/// Solves the balance with its contacts by Newton's method with active sets.              [Klar16 Eq.19, §5.6]
///
/// Starts from vⁿ. Each iteration chooses who holds whom (Holds), moves held nodes onto their bodies, solves the
/// linearized balance in what the bodies leave free by GMRES, preconditioned by the nodes' own d×d blocks, and goes the
/// longest of 1, ½, ¼, … of the way that inverts no particle and leaves less than before. Everything is weighted with
/// 1/√m, so that squares are energies and nodes of little mass do not decide. Converged as ImplicitOptions says, what
/// the bodies' conditions lack counted with the residual.
///
/// A balance that is the slope of an energy, of a semi-implicit step, is solved by MINRES, and its way has to lead down in the
/// energy: the matrix need not be definite where the unilateral energy softens, so that the way may have to be turned round, or to
/// follow the slope (Turn); it ends where the energy fell by a share of what the slope promises.            [Tam17 §4.2; ERRATA T24]
///
/// @param nodes   where the unknowns are
/// @param history is told the solve where it is not null, nodes in the order of the unknowns
/// @throws NoSolution naming the cause; iterations that are used up are one with Unconverged::cut alone
template <class T, int dim>
ImplicitVelocities solve_balance(Balance<T, dim>& balance, const HeldNodes& nodes, double time,
                                 const Team& team, SolveHistory* history = nullptr);

}  // namespace repose::optimized
