#pragma once

#include "reference/interface/base/types.h"

namespace repose {

/// F = U diag(sigma) Vᵀ.
template <int d>
struct Svd {
  Mat<d> U;      ///< rotation
  Vec<d> sigma;  ///< [-], descending in magnitude; only the last may be negative
  Mat<d> V;      ///< rotation
};

/// Singular values with both factors as rotations, so that the last value carries the sign of det F: an
/// inverted element shows as a negative stretch instead of passing for an upright one.
///
/// Accuracy: |σ − exact| ≤ a few u ‖F‖. Where two values are equal, U and V are not unique but U diag(f(σ))
/// Uᵀ and U diag(f(σ)) Vᵀ are.
template <int d>
Svd<d> decompose(const Mat<d>& F);

}  // namespace repose
