#include "optimized/implicit/told_in_order.h"

#include <utility>
#include <vector>

namespace repose::optimized {

void put_in_order(SolveHistory& history, std::span<const std::size_t> order, std::size_t nodes,
                  std::size_t dim) {
  const auto vector_in_order = [&](std::vector<double>& v) {
    std::vector<double> sorted;
    sorted.reserve(dim * order.size());
    for (const std::size_t k : order)
      for (std::size_t c = 0; c < dim; ++c) sorted.push_back(k < nodes ? v[dim * k + c] : 0.0);
    v = std::move(sorted);
  };
  const auto holds_in_order = [&](std::vector<NodeHold>& holds) {
    std::vector<NodeHold> sorted;
    sorted.reserve(order.size());
    for (const std::size_t k : order) sorted.push_back(k < nodes ? std::move(holds[k]) : NodeHold{});
    holds = std::move(sorted);
  };
  for (NewtonIteration& one : history.iterations) {
    for (std::vector<double>* v : {&one.tested, &one.closed, &one.dv}) vector_in_order(*v);
    holds_in_order(one.holds);
  }
  vector_in_order(history.v_bar);
  holds_in_order(history.holds);
}

}  // namespace repose::optimized
