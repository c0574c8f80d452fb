#include "experiments/bench/memory.h"

#include "reference/interface/base/error.h"
#include "validation/memory_need.h"

#include <fmt/format.h>

namespace repose::experiments {

void require_memory(const BenchPlan& plan, const std::vector<BenchRow>& group) {
  if (group.empty()) return;
  double bytes = 0.0;
  double state_bytes = 0.0;
  for (const BenchRow& row : group) {
    const MemoryNeed need =
        memory_need(block_of(row.method).outline(row.dim, row.variant, row.particles), row.solver,
                    {.precision = row.precision, .threads = row.threads, .simd = row.simd});
    bytes += need.bytes - need.state_bytes;
    state_bytes = need.state_bytes;
  }
  bytes += state_bytes * static_cast<double>(plan.motions.size());
  if (bytes <= plan.memory_limit_bytes) return;
  const BenchRow& first = group.front();
  throw BadInput(fmt::format(
      "--particles {}: {} solvers of {} dimensions at once need {:.3g} GiB: must need at most "
      "{:.3g} GiB (--memory-limit-gib raises this)",
      first.particles, group.size(), first.dim, bytes / 0x1p30, plan.memory_limit_bytes / 0x1p30));
}

}  // namespace repose::experiments
