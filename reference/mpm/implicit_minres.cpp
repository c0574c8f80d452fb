#include "reference/mpm/implicit_minres.h"

#include <Eigen/SparseCore>
#include <unsupported/Eigen/IterativeSolvers>

namespace repose {

class ProductMatrix;

}  // namespace repose

// What Eigen asks of a matrix that is known by its products alone.
namespace Eigen::internal {

template <>
struct traits<repose::ProductMatrix> : traits<SparseMatrix<double>> {};

}  // namespace Eigen::internal

namespace repose {

using SymmetricProduct = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// A symmetric matrix, as Eigen's solvers see one that they cannot look into.
class ProductMatrix : public Eigen::EigenBase<ProductMatrix> {
 public:
  using Scalar = double;
  using RealScalar = double;
  using StorageIndex = int;
  enum : int { ColsAtCompileTime = Eigen::Dynamic, MaxColsAtCompileTime = Eigen::Dynamic, IsRowMajor = 0 };

  ProductMatrix(const SymmetricProduct& product, Eigen::Index size) : product_(&product), size_(size) {}

  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  Eigen::VectorXd times(const Eigen::VectorXd& v) const { return (*product_)(v); }

  template <class Right>
  Eigen::Product<ProductMatrix, Right, Eigen::AliasFreeProduct> operator*(
      const Eigen::MatrixBase<Right>& right) const {
    return {*this, right.derived()};
  }

 private:
  const SymmetricProduct* product_;
  Eigen::Index size_;
};

}  // namespace repose

namespace Eigen::internal {

template <class Right>
struct generic_product_impl<repose::ProductMatrix, Right, SparseShape, DenseShape, GemvProduct>
    : generic_product_impl_base<repose::ProductMatrix, Right,
                                generic_product_impl<repose::ProductMatrix, Right>> {
  template <class To>
  static void scaleAndAddTo(To& to, const repose::ProductMatrix& matrix, const Right& right, double factor) {
    to += factor * matrix.times(right);
  }
};

}  // namespace Eigen::internal

namespace repose {

KrylovResult minres(const SymmetricProduct& product, const Eigen::VectorXd& b, int iterations,
                    double tolerance) {
  KrylovResult result{Eigen::VectorXd::Zero(b.size()), 0, 0.0};
  const double scale = b.norm();
  if (scale == 0.0) return result;

  // Where the matrix maps all that is left to 0, Eigen's search goes on with numbers that are none.
  struct UsedUp {};
  const SymmetricProduct counted = [&](const Eigen::VectorXd& v) -> Eigen::VectorXd {
    if (!v.allFinite()) throw UsedUp{};
    ++result.iterations;
    return product(v);
  };
  const ProductMatrix matrix(counted, b.size());
  Eigen::MINRES<ProductMatrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> solver;
  solver.compute(matrix);
  result.residual = 1.0;
  Eigen::VectorXd rest = b;
  while (result.residual > tolerance && result.iterations < iterations) {
    solver.setMaxIterations(iterations - result.iterations);
    solver.setTolerance(tolerance / result.residual);
    Eigen::VectorXd x = result.x;
    bool used_up = false;
    try {
      x += solver.solve(rest);
    } catch (const UsedUp&) {
      used_up = true;
    }
    --result.iterations;  // of the x = 0 from which it starts
    if (used_up) break;

    Eigen::VectorXd left = b - product(x);
    const double residual = left.norm() / scale;
    if (!(residual < result.residual)) break;  // also where x is no number
    result.x = x;
    result.residual = residual;
    rest = std::move(left);
  }
  return result;
}

}  // namespace repose
