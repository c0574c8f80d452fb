#include "optimized/implicit/gmres.h"

#include "reference/interface/methods/implicit_options.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::optimized {

namespace {

/// The triangular factor of the Hessenberg matrix, column by column, and the right-hand side turned with it.
struct Projected {
  std::vector<std::vector<double>> column;
  std::vector<double> rhs, cosine, sine;

  explicit Projected(double norm) : rhs{norm} {}

  double residual() const { return std::abs(rhs.back()); }

  /// @param h products with the vectors so far and the length of the rest
  void extend(std::vector<double> h) {
    const std::size_t k = column.size();
    for (std::size_t i = 0; i < k; ++i) {
      const double upper = cosine[i] * h[i] + sine[i] * h[i + 1];
      h[i + 1] = cosine[i] * h[i + 1] - sine[i] * h[i];
      h[i] = upper;
    }
    const double length = std::hypot(h[k], h[k + 1]);
    cosine.push_back(length > 0.0 ? h[k] / length : 1.0);
    sine.push_back(length > 0.0 ? h[k + 1] / length : 0.0);
    h[k] = length;
    h.pop_back();
    column.push_back(std::move(h));
    rhs.push_back(-sine[k] * rhs[k]);
    rhs[k] *= cosine[k];
  }

  std::vector<double> solution() const {
    std::vector<double> y(rhs.begin(), rhs.end() - 1);
    for (std::size_t k = y.size(); k-- > 0;) {
      y[k] /= column[k][k];
      for (std::size_t i = 0; i < k; ++i) y[i] -= column[k][i] * y[k];
    }
    return y;
  }
};

}  // namespace

LinearSolution solve_by_gmres(const NodeAlgebra& algebra, const Products& products,
                              const std::function<void(NodeVector&)>& precondition, const NodeVector& b,
                              std::size_t unknowns, const ImplicitOptions& options,
                              std::vector<NodeVector>& q) {
  LinearSolution found{algebra.zero(), 0, 0.0};
  const double scale = algebra.norm(b);
  if (scale == 0.0) return found;
  const double goal = options.gmres_tolerance * scale;
  NodeVector w = algebra.zero();
  NodeVector direction = w;
  NodeVector rest = b;
  if (q.empty()) q.emplace_back();
  double norm = scale;
  SearchBy by(products, goal);
  while (norm > goal && found.iterations < options.gmres_iterations) {
    const auto most =
        std::min(unknowns, static_cast<std::size_t>(
                               std::min(options.gmres_restart, options.gmres_iterations - found.iterations)));
    const double end = by.end(norm);
    algebra.scale(1.0 / norm, rest, q[0]);
    Projected projected(norm);
    bool exact = false;
    for (std::size_t size = 1; !exact && size <= most && projected.residual() > end; ++size) {
      direction = q[size - 1];
      precondition(direction);
      by.product()(direction, w);
      const double before = algebra.norm(w);
      std::vector<double> h(size + 1, 0.0);
      for (int pass = 0; pass < 2; ++pass) {
        std::vector<double> along = algebra.dots(q, size, w);
        for (std::size_t k = 0; k < size; ++k) {
          h[k] += along[k];
          along[k] = -along[k];
        }
        algebra.add(along, q, w);
      }
      h.back() = algebra.norm(w);
      // What two passes leave of a vector inside the span is rounding.
      exact = !(h.back() > 8.0 * std::numeric_limits<double>::epsilon() * before);
      const double length = h.back();
      projected.extend(std::move(h));
      ++found.iterations;
      if (exact || size == most) continue;
      if (q.size() == size) q.emplace_back();
      algebra.scale(1.0 / length, w, q[size]);
    }
    NodeVector& x = direction;
    std::fill(x.begin(), x.end(), 0.0);
    algebra.add(projected.solution(), q, x);
    precondition(x);
    algebra.add(1.0, found.x, x);
    products.exact(x, w);
    q[0] = b;
    algebra.add(-1.0, w, q[0]);
    const double left = algebra.norm(q[0]);
    const bool goes_on = by.goes_on(norm, projected.residual(), left);
    if (left < norm) {
      found.x.swap(x);
      rest.swap(q[0]);
      norm = left;
    }
    if (!goes_on) break;
  }
  found.residual = norm / scale;
  return found;
}

}  // namespace repose::optimized
