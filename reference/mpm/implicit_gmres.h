#pragma once

#include "reference/mpm/krylov_result.h"

#include <functional>

namespace repose {

/// Restarted GMRES for A x = b from x = 0 (Saad and Schultz 1986): in each cycle the x of least ‖b − A x‖ in
/// the Krylov space of the residual, by Arnoldi's method with modified Gram–Schmidt and Givens rotations.
///
/// Within a cycle ‖b − A x‖ is carried along without forming x. What rounding adds to Krylov vectors once their
/// space is used up lowers that number and nothing else: so a cycle has no more vectors than there are unknowns,
/// b − A x is formed at its end, and a cycle that did not lower it is dropped and was the last.
/// @param product    v ↦ A v
/// @param unknowns   dimension of the space in which b and all A v lie; what A does elsewhere is not asked
/// @param restart    vectors kept in a cycle, > 0
/// @param iterations most products over all cycles, > 0; the best x so far is returned whether it is good
///         enough or not
/// @param tolerance  stop once ‖b − A x‖ ≤ tolerance ‖b‖
KrylovResult gmres(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& product,
                   const Eigen::VectorXd& b, int unknowns, int restart, int iterations, double tolerance);

}  // namespace repose
