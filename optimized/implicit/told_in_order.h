#pragma once

#include "reference/interface/solve_history.h"

#include <cstddef>
#include <span>

namespace repose::optimized {

/// Puts what is told of the unknowns of a solve into another order.
/// @param order  for each node of the new order its number among the solve's; `nodes` or more: none, told as 0 and held by nothing
/// @param nodes  of the solve
/// @param dim    components per node
void put_in_order(SolveHistory& history, std::span<const std::size_t> order, std::size_t nodes,
                  std::size_t dim);

}  // namespace repose::optimized
