#pragma once

#include "optimized/implicit/node_vector.h"
#include "reference/interface/scene.h"

#include <functional>

namespace repose::optimized {

struct LinearSolution {
  NodeVector x;
  int iterations = 0;     ///< products with the matrix, but those at restarts
  double residual = 0.0;  ///< what is left of the right-hand side, by its norm [-]
};

/// Solves A x = b by restarted GMRES with a preconditioner M on the right: A M⁻¹ y = b, x = M⁻¹ y, so that what is
/// minimized and judged is the residual of the system itself. Vectors are made perpendicular by classical
/// Gram–Schmidt, twice: all products of a pass are independent, and two passes are as good as rounding allows.
/// Starts from x = 0; the best x after options.gmres_iterations is returned, good enough or not.
/// @param product       (v, out): out = A v
/// @param precondition  (v): v ← M⁻¹ v
/// @param basis         room for vectors, kept between solves
LinearSolution solve_by_gmres(const NodeAlgebra& algebra,
                              const std::function<void(const NodeVector&, NodeVector&)>& product,
                              const std::function<void(NodeVector&)>& precondition, const NodeVector& b,
                              const ImplicitOptions& options, std::vector<NodeVector>& basis);

}  // namespace repose::optimized
