#pragma once

#include "optimized/threads.h"
#include "reference/interface/base/types.h"

#include <cstddef>
#include <vector>

namespace repose::optimized {

/// Vectors of the unknowns: d components per node with mass, in the order of the nodes' records.
using NodeVector = std::vector<double>;

/// The k-th node's components.
template <int dim>
Eigen::Map<const Vec<dim>> of_node(const NodeVector& v, std::size_t k) {
  return Eigen::Map<const Vec<dim>>(v.data() + dim * k);
}
template <int dim>
Eigen::Map<Vec<dim>> of_node(NodeVector& v, std::size_t k) {
  return Eigen::Map<Vec<dim>>(v.data() + dim * k);
}

/// What one thread takes per number that it meets, about [ns]. For sharing loops alone.
inline constexpr double number_ns = 0.4;

/// Linear algebra of node vectors on several threads. Sums are formed per piece of fixed length, the pieces' sums then
/// added in order: the number of threads changes no bit.
class NodeAlgebra {
 public:
  using Dots = void (*)(const double* const* q, std::size_t vectors, const double* w, std::size_t count,
                        double* result);
  using Add = void (*)(const double* factor, const double* const* q, std::size_t vectors, double* w,
                       std::size_t count);

  /// @param size numbers in a vector
  NodeAlgebra(std::size_t size, const Team& team, Dots dots_of_piece, Add add_to_piece)
      : size_(size), team_(team), dots_(dots_of_piece), add_(add_to_piece) {}

  NodeVector zero() const { return NodeVector(size_, 0.0); }
  double norm(const NodeVector& a) const;
  double dot(const NodeVector& a, const NodeVector& b) const;

  /// The products q·w with the first `count` vectors q.
  std::vector<double> dots(const std::vector<NodeVector>& q, std::size_t count, const NodeVector& w) const;

  /// w += Σ factor[k] q[k], over all factors.
  void add(const std::vector<double>& factor, const std::vector<NodeVector>& q, NodeVector& w) const;
  /// w += a b.
  void add(double a, const NodeVector& b, NodeVector& w) const;

  /// out = a b.
  void scale(double a, const NodeVector& b, NodeVector& out) const;

 private:
  static constexpr std::size_t piece = 1024;  ///< numbers
  int threads_for(std::size_t count) const {
    return team_.of(number_ns * static_cast<double>(size_ * count));
  }
  std::size_t pieces() const { return (size_ + piece - 1) / piece; }
  std::size_t length(std::size_t p) const { return p + 1 < pieces() ? piece : size_ - p * piece; }
  void dots(const double* const* q, std::size_t count, const double* w, double* result) const;
  void add(const double* factor, const double* const* q, std::size_t count, double* w) const;

  std::size_t size_;
  Team team_;
  Dots dots_;
  Add add_;
};

}  // namespace repose::optimized
