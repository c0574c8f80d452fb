#pragma once

#include <Eigen/Core>

namespace repose {

/// What an iterative solver of A x = b found.
struct KrylovResult {
  Eigen::VectorXd x;
  int iterations = 0;     ///< products with the matrix, those for residuals of a result not counted
  double residual = 0.0;  ///< ‖b − A x‖/‖b‖, formed from x; 0 for b = 0
};

}  // namespace repose
