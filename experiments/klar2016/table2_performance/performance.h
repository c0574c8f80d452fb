#pragma once

#include "experiments/figures/figure.h"
#include "experiments/klar2016/table2_performance/block.h"

#include <vector>

namespace repose::experiments::klar2016 {

/// The figure's numbers from the timings of its rows on a number of threads. Of rows that other work disturbed no time is
/// judged.
std::vector<Number> judge_table2(const std::vector<Table2Timing>& timings, int threads);

/// Time per frame of eleven scenes [Klar16 Table 2], beside blocks of their sizes on this machine.
Figure table2_performance();

}  // namespace repose::experiments::klar2016
