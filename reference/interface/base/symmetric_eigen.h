#pragma once

#include "reference/interface/base/types.h"

#include <Eigen/Eigenvalues>

// The library's solver for symmetric matrices, compiled once: each file that made its own took ten seconds longer.
extern template Eigen::SelfAdjointEigenSolver<repose::Mat<2>>&
Eigen::SelfAdjointEigenSolver<repose::Mat<2>>::compute(const Eigen::EigenBase<repose::Mat<2>>&, int);
extern template Eigen::SelfAdjointEigenSolver<repose::Mat<3>>&
Eigen::SelfAdjointEigenSolver<repose::Mat<3>>::compute(const Eigen::EigenBase<repose::Mat<3>>&, int);
