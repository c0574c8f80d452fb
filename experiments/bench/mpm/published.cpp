#include "experiments/bench/mpm/block.h"
#include "experiments/bench/table2_rows.h"

#include <fmt/format.h>

namespace repose::experiments {

Published klar_table2() {
  Published table;
  table.heading = "Beside Klár 2016, Table 2";
  table.text =
      "Theirs: wall time per frame over the steps of a frame at the printed (largest allowed) Δt, so an "
      "upper "
      "bound of the time per step where more steps were taken; times threads, per particle. Ours: 3D, cubic, "
      "in flow, this machine, explicit. Their processors are of 2010 to 2013, a part of the ratio is theirs. "
      "Implicit rows take fewer, dearer steps. The figure klar2016/table2_performance runs blocks of each "
      "row's size.";
  table.dim = 3;
  table.variant = find_variant(mpm_block(), "apic-cubic").value();
  for (const Table2Row& row : klar2016::table2_rows()) {
    if (row.dim != table.dim) continue;
    table.rows.push_back(
        {.scene = fmt::format("{} ({})", row.name, solves(row.integrator) ? "implicit" : "explicit"),
         .processor = fmt::format("{} at {:.2f} GHz, {}", row.cpu, row.clock_ghz, row.threads),
         .frame_s = row.seconds_per_frame,
         .step_s = paper_seconds_per_step(row),
         .ns = paper_ns_per_particle_step_core(row)});
  }
  return table;
}

}  // namespace repose::experiments
