#pragma once

#include "reference/interface/solve_history.h"
#include "validation/crosscheck/compare.h"
#include "validation/crosscheck/mpm/solve_balance.h"

#include <optional>
#include <string>

namespace repose::crosscheck {

/// What a solver says of its solve and is not so.
struct SolveFault {
  std::string field;
  std::string unit;
  std::string what;  ///< in words
  double expected = 0.0;
  double got = 0.0;
  double bound = 0.0;
  std::int64_t node = -1;  ///< id; −1: of the whole solve

  FieldResult field_result(const Grid& grid) const;
};

/// Judges one solver's solve by itself, iteration by iteration, with the judge's own balance and distances. ‖·/√m‖ is that in
/// the balance's variables, with the drag of two phases in them:
///
/// * newton_start     it starts from vⁿ, held nodes moved onto their bodies;
/// * newton_error     the relative residual it says it tested is that of the velocities it tested, contacts included;
///                    every one but the last is above the tolerance, the last within, or where iterations end and what is left is
///                    kept: it stops there and not elsewhere;
/// * newton_closed    held nodes stand on their bodies to within rounding of positions, others where they were;
/// * gmres_residual   dv leaves of the linear system what it says, within the tolerance unless all iterations are used;
/// * newton_move      it moves by dv/2ⁿ, which lowers ‖T R/√m‖ or what rounding leaves of it, where 2 dv/2ⁿ, … does not; in
///                    semi-implicit steps that is the energy instead, and dv leads down: reversed, or along the slope, where what
///                    solves the linear system does not.
///
/// T takes out what bodies hold. Where a body may take hold or let go two measures of a node's residual are in use: with
/// the bodies that held it, conditions on the signs of gaps and pushes added to T R; and with those that are to hold it
/// from now on. Where normals depend on each other each is one of several, by which of the bodies count. What was tested lies between
/// the smallest and the largest of all.
/// @param history vectors have d numbers per node of the balance
/// @param counters adds "holds changed" (node–body pairs between iterations), "halvings", "ways turned", "linear systems judged",
///        "solves kept" with more left than the tolerance
/// @returns the first fault; nothing: none
std::optional<SolveFault> judge_solve(const SolveBalance& balance, const SolveHistory& history,
                                      Counters& counters);

/// Whether a step took the iterations and contacts that its solver tells, and counts a solve that did not converge.
/// @returns the count that is another
std::optional<FieldResult> told_otherwise(const SolveHistory& history, const ImplicitOptions& options,
                                          const StepReport& report);

}  // namespace repose::crosscheck
