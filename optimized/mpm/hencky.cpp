#include "optimized/mpm/hencky.h"

#include "reference/interface/base/symmetric_eigen.h"

#include <cmath>

namespace repose::optimized {

namespace {

template <int dim, class Function>
Mat<dim> of_spectrum(const Mat<dim>& symmetric, Function function) {
  const Eigen::SelfAdjointEigenSolver<Mat<dim>> eigen(symmetric);
  return eigen.eigenvectors() * eigen.eigenvalues().unaryExpr(function).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace

template <int dim>
Mat<dim> hencky_strain(const Mat<dim>& F) {
  const Mat<dim> G = F - Mat<dim>::Identity();
  return of_spectrum<dim>(G + G.transpose() + G * G.transpose(),
                          [](double x) { return 0.5 * std::log1p(x); });
}

template <int dim>
Mat<dim> left_stretch(const Mat<dim>& strain) {
  return Mat<dim>::Identity() + of_spectrum<dim>(strain, [](double x) { return std::expm1(x); });
}

template Mat<2> hencky_strain<2>(const Mat<2>&);
template Mat<3> hencky_strain<3>(const Mat<3>&);
template Mat<2> left_stretch<2>(const Mat<2>&);
template Mat<3> left_stretch<3>(const Mat<3>&);

}  // namespace repose::optimized
