#include "reference/interface/base/symmetric_eigen.h"

template Eigen::SelfAdjointEigenSolver<repose::Mat<2>>&
Eigen::SelfAdjointEigenSolver<repose::Mat<2>>::compute(const Eigen::EigenBase<repose::Mat<2>>&, int);
template Eigen::SelfAdjointEigenSolver<repose::Mat<3>>&
Eigen::SelfAdjointEigenSolver<repose::Mat<3>>::compute(const Eigen::EigenBase<repose::Mat<3>>&, int);
