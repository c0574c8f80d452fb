#include "reference/mpm/implicit_gmres.h"

#include <Eigen/Jacobi>

#include <algorithm>
#include <cmath>
#include <vector>

namespace repose {

namespace {

using Product = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// One cycle: Q spans the Krylov space, the Hessenberg matrix is turned into H = R column by column, and
/// `rhs` becomes Qᵀ b under the same rotations; its last number is the residual.
struct Cycle {
  std::vector<Eigen::VectorXd> Q;
  Eigen::MatrixXd R;
  Eigen::VectorXd rhs;
  std::vector<Eigen::JacobiRotation<double>> rotations;
  int columns = 0;

  Cycle(const Eigen::VectorXd& residual, double norm, int size)
      : Q{residual / norm}, R(Eigen::MatrixXd::Zero(size + 1, size)), rhs(Eigen::VectorXd::Zero(size + 1)) {
    rhs[0] = norm;
  }

  double residual() const { return std::abs(rhs[columns]); }

  /// Adds one vector. False if the space cannot grow: then x is exact.
  bool extend(const Product& product) {
    const int k = columns;
    Eigen::VectorXd w = product(Q.back());
    const double before = w.norm();
    for (int i = 0; i <= k; ++i) {
      R(i, k) = Q[static_cast<std::size_t>(i)].dot(w);
      w -= R(i, k) * Q[static_cast<std::size_t>(i)];
    }
    R(k + 1, k) = w.norm();
    // What Gram–Schmidt leaves of a vector in the span is rounding, some u of its length.
    const bool grows = R(k + 1, k) > 1e-15 * before;

    for (int i = 0; i < k; ++i)
      R.col(k).applyOnTheLeft(i, i + 1, rotations[static_cast<std::size_t>(i)].adjoint());
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(R(k, k), R(k + 1, k));
    R.col(k).applyOnTheLeft(k, k + 1, turn.adjoint());
    rhs.applyOnTheLeft(k, k + 1, turn.adjoint());
    rotations.push_back(turn);
    ++columns;
    if (grows) Q.push_back(w / w.norm());
    return grows;
  }

  Eigen::VectorXd solution() const {
    const Eigen::VectorXd y =
        R.topLeftCorner(columns, columns).triangularView<Eigen::Upper>().solve(rhs.head(columns));
    Eigen::VectorXd x = Eigen::VectorXd::Zero(Q[0].size());
    for (int i = 0; i < columns; ++i) x += y[i] * Q[static_cast<std::size_t>(i)];
    return x;
  }
};

}  // namespace

KrylovResult gmres(const Product& product, const Eigen::VectorXd& b, int unknowns, int restart,
                   int iterations, double tolerance) {
  KrylovResult result{Eigen::VectorXd::Zero(b.size()), 0, 0.0};
  const double scale = b.norm();
  if (scale == 0.0) return result;

  Eigen::VectorXd residual = b;
  double norm = scale;
  while (norm > tolerance * scale && result.iterations < iterations) {
    Cycle cycle(residual, norm, std::min({restart, iterations - result.iterations, unknowns}));
    bool grows = true;
    while (grows && cycle.columns < cycle.R.cols() && cycle.residual() > tolerance * scale) {
      grows = cycle.extend(product);
      ++result.iterations;
    }
    const Eigen::VectorXd x = result.x + cycle.solution();
    residual = b - product(x);
    if (!(residual.norm() < norm)) break;
    result.x = x;
    norm = residual.norm();
  }
  result.residual = norm / scale;
  return result;
}

}  // namespace repose
