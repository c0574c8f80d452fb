#pragma once

#include "optimized/implicit/linear_solution.h"
#include "reference/interface/methods/implicit_options.h"

namespace repose::optimized {

/// Vectors that a solve by MINRES keeps.
inline constexpr int vectors_of_minres = 9;

/// Solves A x = b with a symmetric A that may be indefinite by MINRES (Paige and Saunders 1975): Lanczos' method and the x of
/// least ‖b − A x‖ in its space, by rotations, of which the last two directions are kept. Starts from x = 0; the x after
/// options.gmres_iterations products is returned, good enough or not.
///
/// Lanczos' vectors lose their right angles to rounding, and with them what is told of the residual: b − A x is formed before it
/// counts. Where that is above options.gmres_tolerance and products are left, the rest is solved for in the same way; a search that
/// does not lower it is dropped and was the last, if its products were exact.
LinearSolution solve_by_minres(const NodeAlgebra& algebra, const Products& products, const NodeVector& b,
                               const ImplicitOptions& options);

}  // namespace repose::optimized
