#pragma once

#include <cstddef>
#include <vector>

namespace repose::optimized {

/// Numbers on the nodes of the occupied node blocks, four per node like all node records: (·, x, y, z). What is not a
/// component of the dimension, and everything on nodes without mass, is zero.
using NodeVector = std::vector<double>;

/// Linear algebra of node vectors on several threads. Sums are formed per block, the blocks' sums then added in order:
/// the number of threads changes no bit.
class NodeAlgebra {
 public:
  NodeAlgebra(std::size_t blocks, std::size_t values_per_block, int threads)
      : blocks_(blocks), values_(values_per_block), threads_(threads) {}

  NodeVector zero() const { return NodeVector(blocks_ * values_, 0.0); }
  double norm(const NodeVector& a) const;

  /// The products q·w with the first `count` vectors q.
  std::vector<double> dots(const std::vector<NodeVector>& q, std::size_t count, const NodeVector& w) const;

  /// w += Σ factor[k] q[k], over all factors.
  void add(const std::vector<double>& factor, const std::vector<NodeVector>& q, NodeVector& w) const;

  /// a b.
  NodeVector scaled(double a, const NodeVector& b) const;

 private:
  std::size_t blocks_, values_;
  int threads_;
};

}  // namespace repose::optimized
