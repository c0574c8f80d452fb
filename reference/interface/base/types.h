#pragma once

#include <Eigen/Core>
#include <Eigen/StdVector>

#include <cstdint>
#include <numbers>

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \
    "The solvers detect nan and inf and compare roundings: they need IEEE arithmetic. Build without -ffast-math."
#endif

namespace repose {

/// Vector in d dimensions; SI units are stated where it is used.
template <int d>
using Vec = Eigen::Matrix<double, d, 1>;

/// d×d matrix, row index first: (∇v)_ab = ∂v_a/∂x_b.
template <int d>
using Mat = Eigen::Matrix<double, d, d>;

/// A point, velocity or direction of the scene. Scenes are stored in three dimensions; in 2D z = 0.
using Point = Eigen::Vector3d;

inline constexpr double degree = std::numbers::pi / 180.0;  ///< [rad] per degree

}  // namespace repose
