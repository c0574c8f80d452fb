#include "reference/physics/svd.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace repose {

template <int d>
Svd<d> decompose(const Mat<d>& F) {
  const Eigen::JacobiSVD<Mat<d>> jacobi(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Svd<d> svd{jacobi.matrixU(), jacobi.singularValues(), jacobi.matrixV()};

  // Turn reflections into rotations; the sign moves to the smallest singular value.
  if (svd.U.determinant() < 0.0) {
    svd.U.col(d - 1) *= -1.0;
    svd.sigma[d - 1] *= -1.0;
  }
  if (svd.V.determinant() < 0.0) {
    svd.V.col(d - 1) *= -1.0;
    svd.sigma[d - 1] *= -1.0;
  }
  return svd;
}

template Svd<2> decompose<2>(const Mat<2>&);
template Svd<3> decompose<3>(const Mat<3>&);

}  // namespace repose
