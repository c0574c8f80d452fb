#pragma once

#include "experiments/bench/table2_timing.h"
#include "experiments/figures/figure.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// The figure's numbers from the timings of its rows on a number of threads. Times stand beside the paper's without a verdict:
/// it names no machine that they could be held against. What can fail are rows that did not run to their end, and wrong numbers
/// of particles.
std::vector<Number> judge_table2(const std::vector<Table2Timing>& timings, int threads);

/// Time per frame of ten scenes [Tam17 Table 2], beside blocks of their sizes on this machine.
Figure table2_performance();

}  // namespace repose::experiments::tampubolon2017
