#include "optimized/implicit/node_vector.h"

#include <cmath>

namespace repose::optimized {

namespace {

double block_dot(const double* a, const double* b, std::size_t count) {
  // Four sums, so that they fit a vector register; always these four.
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (std::size_t v = 0; v < count; v += 4)
    for (std::size_t c = 0; c < 4; ++c) sum[c] += a[v + c] * b[v + c];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

std::vector<double> NodeAlgebra::dots(const std::vector<NodeVector>& q, std::size_t count,
                                      const NodeVector& w) const {
  std::vector<double> part(blocks_ * count);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t b = 0; b < blocks_; ++b)
    for (std::size_t k = 0; k < count; ++k)
      part[b * count + k] = block_dot(q[k].data() + b * values_, w.data() + b * values_, values_);
  std::vector<double> result(count, 0.0);
  for (std::size_t b = 0; b < blocks_; ++b)
    for (std::size_t k = 0; k < count; ++k) result[k] += part[b * count + k];
  return result;
}

double NodeAlgebra::norm(const NodeVector& a) const {
  std::vector<double> part(blocks_);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t b = 0; b < blocks_; ++b)
    part[b] = block_dot(a.data() + b * values_, a.data() + b * values_, values_);
  double sum = 0.0;
  for (const double one : part) sum += one;
  return std::sqrt(sum);
}

void NodeAlgebra::add(const std::vector<double>& factor, const std::vector<NodeVector>& q,
                      NodeVector& w) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t b = 0; b < blocks_; ++b)
    for (std::size_t k = 0; k < factor.size(); ++k)
      for (std::size_t v = b * values_; v < (b + 1) * values_; ++v) w[v] += factor[k] * q[k][v];
}

NodeVector NodeAlgebra::scaled(double a, const NodeVector& b) const {
  NodeVector result(b.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t v = 0; v < b.size(); ++v) result[v] = a * b[v];
  return result;
}

}  // namespace repose::optimized
