#pragma once

#include "reference/mpm/krylov_result.h"

#include <functional>

namespace repose {

/// MINRES for A x = b with a symmetric matrix that need not be definite, from x = 0 (Paige and Saunders 1975), by Eigen: the
/// x of least ‖b − A x‖ in the Krylov space of b, of which three vectors are kept.
///
/// Lanczos' vectors lose their right angles to rounding, and what is carried along of ‖b − A x‖ with them: b − A x is formed
/// at the end, and where it is more than it was said to be, solved for anew as long as it falls.
/// @param product    v ↦ A v
/// @param iterations most products, > 0; the x so far is returned whether it is good enough or not
/// @param tolerance  stop once ‖b − A x‖ ≤ tolerance ‖b‖
/// @returns x = 0 where the matrix has no solution to give: what it makes of b is 0
KrylovResult minres(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& product,
                    const Eigen::VectorXd& b, int iterations, double tolerance);

}  // namespace repose
