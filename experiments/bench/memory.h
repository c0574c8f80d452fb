#pragma once

#include "experiments/bench/bench.h"

#include <vector>

namespace repose::experiments {

/// Refuses a group that needs more memory than the plan allows: its solvers are loaded at once, each motion's state
/// beside them. @throws BadInput
void require_memory(const BenchPlan& plan, const std::vector<BenchRow>& group);

}  // namespace repose::experiments
