#pragma once

#include "reference/interface/base/symmetric_eigen.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace repose::mechanics {

/// The judging side's own way to the strain behind a deformation gradient, in the arithmetic of T.
template <class T, int d>
struct Principal {
  Eigen::Matrix<T, d, 1> squared;  ///< eigenvalues of b = F Fᵀ [-], rising
  Eigen::Matrix<T, d, d> axes;     ///< their directions, a column each

  ///     ε_k = ½ ln b_k  [-], rising; nan or infinite where F is singular
  Eigen::Matrix<T, d, 1> strain() const { return T(0.5) * squared.array().log(); }
};

template <class T, int d>
Principal<T, d> principal(const Eigen::Matrix<T, d, d>& F) {
  const Eigen::Matrix<T, d, d> b = F * F.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<T, d, d>> eigen(b);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

/// Principal Kirchhoff stresses of principal strains, in the arithmetic of T:
///     τ_k = 2μ ε_k + λ Σ ε  [Pa]                                                          [Klar16 Eq.26]
template <class Strains>
Strains kirchhoff_stress(const Strains& strain, typename Strains::Scalar two_mu,
                         typename Strains::Scalar lambda) {
  return (two_mu * strain).array() + lambda * strain.sum();
}

}  // namespace repose::mechanics
