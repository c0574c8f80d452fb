#pragma once

#include "reference/interface/snapshot.h"

#include "reference/interface/base/types.h"
#include "validation/mechanics/arithmetic.h"

namespace repose::crosscheck {

/// A d×d matrix in the corner of a 3×3 one; in 2D the third row and column are zero.
using Tensor = Mat<3>;

/// Strain behind a deformation gradient, and how well it is known.
struct Strain {
  Tensor log;              ///< ε = ½ ln(F Fᵀ) [-]; nan where F is singular or not finite
  double condition = 1.0;  ///< κ = b_max/b_min of b = F Fᵀ [-]
  double smallest = 1.0;   ///< b_min [-]
  double stretch = 0.0;    ///< ‖b − 1‖ [-]
};

/// The matrix of one element of a field of d² components.
Tensor tensor(const Field& field, std::size_t element, int dim);

/// 1 in d dimensions.
Tensor identity(int dim);

Strain strain(const Tensor& F, int dim);

/// Frobenius norm of the error of ε in unit roundoffs, divided by κ:
/// b from F or from a stored b, its eigenvectors, ln or exp, and the matrix put together again. Jacobi's method takes
/// at most six sweeps of d(d−1)/2 rotations, each with an error of four roundings of ‖b‖; the products take 2d + 2
/// each. The derivative of ½ ln b is at most 1/(2 b_min), so that ‖δε‖ ≤ ½ k u ‖b‖/b_min; the half is kept for the
/// logarithm's own rounding, |ln b| ≤ κ.
double strain_roundings(int dim);

/// ‖δε‖ of a strain formed from F, on both sides. Where F is 1 to the bit, products with 1 and 0 do not round and ln 1 = 0:
/// the strain of a solver that stores F is 0 itself, and another's what it handed out as 1.
double error_of_forming(const Arithmetic& arithmetic, const Tensor& F, const Strain& s, int dim);

}  // namespace repose::crosscheck
