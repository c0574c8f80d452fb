#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace repose::experiments {

/// What this machine can do at most, measured by loops of its own: no solver code takes part.
struct MachineLimits {
  int threads = 1;          ///< of the "all" numbers
  double copy_gb_s = 0.0;   ///< a ← b, one thread [10⁹ B/s]; 16 bytes per element, as STREAM counts
  double triad_gb_s = 0.0;  ///< a ← b + s c, one thread; 24 bytes per element
  double copy_all_gb_s = 0.0;
  double triad_all_gb_s = 0.0;
  double float_gflop_s = 0.0;  ///< fused multiply-adds of one thread, each two operations [10⁹/s]
  double double_gflop_s = 0.0;
  std::string fma;  ///< instructions that the peak was reached with
};

/// Best of several passes over arrays far beyond the caches, and of loops that stay in registers. The best
/// pass is the one that other programs disturbed least: these are limits, so unlike all other times here no
/// median is wanted.
/// @param array_bytes of each of the three arrays, e.g. three times the last-level cache
MachineLimits measure_machine(int threads, std::size_t array_bytes, int passes);

/// The machine block of a result: model, cores, instruction sets, compiler, flags, and the limits.
nlohmann::json machine_json(const MachineLimits& limits);

}  // namespace repose::experiments
