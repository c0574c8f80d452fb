#include "optimized/implicit/node_vector.h"

#include <cmath>

namespace repose::optimized {

void NodeAlgebra::dots(const double* const* q, std::size_t count, const double* w, double* result) const {
  std::vector<double> part(pieces() * count);
#pragma omp parallel num_threads(threads_for(count))
  {
    std::vector<const double*> from(count);
#pragma omp for schedule(static)
    for (std::size_t p = 0; p < pieces(); ++p) {
      for (std::size_t k = 0; k < count; ++k) from[k] = q[k] + p * piece;
      dots_(from.data(), count, w + p * piece, length(p), part.data() + p * count);
    }
  }
  for (std::size_t k = 0; k < count; ++k) result[k] = 0.0;
  for (std::size_t p = 0; p < pieces(); ++p)
    for (std::size_t k = 0; k < count; ++k) result[k] += part[p * count + k];
}

void NodeAlgebra::add(const double* factor, const double* const* q, std::size_t count, double* w) const {
#pragma omp parallel num_threads(threads_for(count))
  {
    std::vector<const double*> from(count);
#pragma omp for schedule(static)
    for (std::size_t p = 0; p < pieces(); ++p) {
      for (std::size_t k = 0; k < count; ++k) from[k] = q[k] + p * piece;
      add_(factor, from.data(), count, w + p * piece, length(p));
    }
  }
}

std::vector<double> NodeAlgebra::dots(const std::vector<NodeVector>& q, std::size_t count,
                                      const NodeVector& w) const {
  std::vector<const double*> from(count);
  for (std::size_t k = 0; k < count; ++k) from[k] = q[k].data();
  std::vector<double> result(count);
  dots(from.data(), count, w.data(), result.data());
  return result;
}

double NodeAlgebra::norm(const NodeVector& a) const { return std::sqrt(dot(a, a)); }

double NodeAlgebra::dot(const NodeVector& a, const NodeVector& b) const {
  const double* from = a.data();
  double product = 0.0;
  dots(&from, 1, b.data(), &product);
  return product;
}

void NodeAlgebra::add(const std::vector<double>& factor, const std::vector<NodeVector>& q,
                      NodeVector& w) const {
  std::vector<const double*> from(factor.size());
  for (std::size_t k = 0; k < factor.size(); ++k) from[k] = q[k].data();
  add(factor.data(), from.data(), factor.size(), w.data());
}

void NodeAlgebra::add(double a, const NodeVector& b, NodeVector& w) const {
  const double* from = b.data();
  add(&a, &from, 1, w.data());
}

void NodeAlgebra::scale(double a, const NodeVector& b, NodeVector& out) const {
  out.resize(b.size());
#pragma omp parallel for schedule(static) num_threads(threads_for(1))
  for (std::size_t v = 0; v < size_; ++v) out[v] = a * b[v];
}

}  // namespace repose::optimized
