#include "optimized/implicit/minres.h"

#include <cmath>
#include <limits>
#include <utility>

namespace repose::optimized {

namespace {

/// A rotation that has been applied to a column of the tridiagonal matrix.
struct Rotation {
  double cosine = 1.0, sine = 0.0;
};

/// One search from x = 0: of A x = rest, ‖rest‖ = norm.
class Lanczos {
 public:
  Lanczos(const NodeAlgebra& algebra, const NodeVector& rest, double norm)
      : algebra_(algebra), v_(algebra.zero()), before_(v_), w_(v_), d_{v_, v_}, x_(v_), left_(norm) {
    algebra.scale(1.0 / norm, rest, v_);
  }

  double residual() const { return std::abs(left_); }  ///< as the rotations tell it
  NodeVector& x() { return x_; }

  /// One product. @returns false if the space is used up
  bool extend(const Products::Of& product) {
    product(v_, w_);
    const double size = algebra_.norm(w_);
    algebra_.add(-beta_, before_, w_);
    const double alpha = algebra_.dot(v_, w_);
    algebra_.add(-alpha, v_, w_);
    const double beta = algebra_.norm(w_);

    // The column (β, α, β′) of the tridiagonal matrix, turned by the two rotations before and by one of its own.
    const double far = older_.sine * beta_;
    const double near = last_.cosine * older_.cosine * beta_ + last_.sine * alpha;
    const double diagonal = last_.cosine * alpha - last_.sine * older_.cosine * beta_;
    const double length = std::hypot(diagonal, beta);
    if (!(length > 0.0)) return false;
    older_ = std::exchange(last_, {diagonal / length, beta / length});

    // d = (v − near d₋₁ − far d₋₂)/length
    algebra_.scale(-far / length, d_[1], d_[1]);
    algebra_.add(-near / length, d_[0], d_[1]);
    algebra_.add(1.0 / length, v_, d_[1]);
    std::swap(d_[0], d_[1]);
    algebra_.add(last_.cosine * left_, d_[0], x_);
    left_ *= -last_.sine;

    beta_ = beta;
    if (!(beta > 8.0 * std::numeric_limits<double>::epsilon() * size)) return false;
    std::swap(before_, v_);
    algebra_.scale(1.0 / beta, w_, v_);
    return true;
  }

 private:
  const NodeAlgebra& algebra_;
  NodeVector v_, before_, w_;
  NodeVector d_[2];  ///< the last directions of x
  NodeVector x_;
  Rotation last_, older_;
  double beta_ = 0.0;
  double left_;
};

}  // namespace

LinearSolution solve_by_minres(const NodeAlgebra& algebra, const Products& products, const NodeVector& b,
                               const ImplicitOptions& options) {
  LinearSolution found{algebra.zero(), 0, 0.0};
  const double scale = algebra.norm(b);
  if (scale == 0.0) return found;
  const double goal = options.gmres_tolerance * scale;
  NodeVector rest = b;
  NodeVector w = algebra.zero();
  double norm = scale;
  SearchBy by(products, goal);
  while (norm > goal && found.iterations < options.gmres_iterations) {
    Lanczos search(algebra, rest, norm);
    bool more = true;
    const double end = by.end(norm);
    while (more && search.residual() > end && found.iterations < options.gmres_iterations) {
      more = search.extend(by.product());
      ++found.iterations;
    }
    NodeVector& x = search.x();
    algebra.add(1.0, found.x, x);
    products.exact(x, w);
    algebra.scale(-1.0, w, w);
    algebra.add(1.0, b, w);
    const double left = algebra.norm(w);
    const bool goes_on = by.goes_on(norm, search.residual(), left);
    if (left < norm) {
      found.x.swap(x);
      rest.swap(w);
      norm = left;
    }
    if (!goes_on) break;
  }
  found.residual = norm / scale;
  return found;
}

}  // namespace repose::optimized
