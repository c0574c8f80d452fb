#pragma once

#include <string>

namespace repose::experiments {

/// What a stage of a fast solver must do per particle at the least, for the roofline: an estimate from its
/// layout and its formulas, not a measurement.
struct StageCost {
  std::string stage;   ///< as Solver::stage_seconds names it
  double bytes = 0.0;  ///< read and written per particle and step, each number once, caches ideal [B]
  double flops = 0.0;  ///< a fused multiply-add counts as two
};

/// Least time of a stage on one thread [ns] with a machine's triad bandwidth [10⁹ B/s] and peak [10⁹/s].
double roofline_ns(const StageCost& cost, double gb_s, double gflop_s);

}  // namespace repose::experiments
