#pragma once

#include "optimized/implicit/linear_solution.h"
#include "reference/interface/methods/implicit_options.h"
#include "reference/interface/scene/scene.h"

#include <functional>

namespace repose::optimized {

/// Solves A x = b by restarted GMRES with a preconditioner M on the right: A M⁻¹ y = b, x = M⁻¹ y, so that what is
/// minimized and judged is the residual of the system itself. Vectors are made perpendicular by classical
/// Gram–Schmidt, twice: all products of a pass are independent, and two passes are as good as rounding allows.
/// Starts from x = 0; the best x after options.gmres_iterations is returned, good enough or not.
///
/// The projected problem tells the residual as long as its vectors are more than rounding. Beyond, it may promise
/// anything: what it found is checked against b − A x before it counts, and dropped with an end to the search if
/// that did not fall and products were exact. There are never more vectors than unknowns.
/// @param precondition  (v): v ← M⁻¹ v
/// @param unknowns      dimensions of the space of b and of all A v, in which M⁻¹ stays
/// @param basis         room for vectors, kept between solves
LinearSolution solve_by_gmres(const NodeAlgebra& algebra, const Products& products,
                              const std::function<void(NodeVector&)>& precondition, const NodeVector& b,
                              std::size_t unknowns, const ImplicitOptions& options,
                              std::vector<NodeVector>& basis);

}  // namespace repose::optimized
