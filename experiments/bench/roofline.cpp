#include "experiments/bench/roofline.h"

#include <algorithm>

namespace repose::experiments {

double roofline_ns(const StageCost& cost, double gb_s, double gflop_s) {
  const double memory = gb_s > 0.0 ? cost.bytes / gb_s : 0.0;
  const double arithmetic = gflop_s > 0.0 ? cost.flops / gflop_s : 0.0;
  return std::max(memory, arithmetic);
}

}  // namespace repose::experiments
