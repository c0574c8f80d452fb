#pragma once

#include "optimized/implicit/node_vector.h"

namespace repose::optimized {

/// What an iterative solver of A x = b found.
struct LinearSolution {
  NodeVector x;
  int iterations = 0;     ///< products with the matrix, but those that check a cycle
  double residual = 0.0;  ///< what x leaves of the right-hand side, by its norm [-]
};

}  // namespace repose::optimized
