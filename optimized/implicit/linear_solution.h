#pragma once

#include "optimized/implicit/node_vector.h"

#include <functional>

namespace repose::optimized {

/// Products with a matrix, (v, out): out = A v.
struct Products {
  using Of = std::function<void(const NodeVector&, NodeVector&)>;
  Of exact;  ///< forms what a search has left
  /// Of searches, where rounded products come cheaper. A search is believed as long as what is left is no more than twice
  /// what it says, and from then on all products are exact
  Of rounded = nullptr;
  /// Share of what a search begins with below which the digits of `rounded` say nothing: another begins from what is left
  double least = 0.0;
};

/// Who forms the products of the next search, and how far it may go.
class SearchBy {
 public:
  SearchBy(const Products& products, double goal)
      : products_(products), goal_(goal), rounds_(products.rounded != nullptr) {}
  const Products::Of& product() const { return rounds_ ? products_.rounded : products_.exact; }
  /// @param norm of what it begins with
  double end(double norm) const {
    return rounds_ && products_.least * norm > goal_ ? products_.least * norm : goal_;
  }
  /// After a search. @param said what it left, as it told @returns whether another may do better
  bool goes_on(double before, double said, double left) {
    const bool rounded = rounds_;
    rounds_ = rounds_ && left <= 2.0 * (said > goal_ ? said : goal_);
    return left < before || (rounded && !rounds_);
  }

 private:
  const Products& products_;
  double goal_;
  bool rounds_;
};

/// What an iterative solver of A x = b found.
struct LinearSolution {
  NodeVector x;
  int iterations = 0;     ///< products with the matrix, but those that check a cycle
  double residual = 0.0;  ///< what x leaves of the right-hand side, by its norm [-]
};

}  // namespace repose::optimized
