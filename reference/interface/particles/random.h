#pragma once

#include <cstdint>
#include <random>

namespace repose {

/// Uniform numbers with the same bits under every compiler and standard library: std::mt19937_64 is fixed by the
/// standard, std::uniform_real_distribution is not. One draw per statement, since the order in which arguments are
/// evaluated differs between compilers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A multiple of 2⁻⁵³ in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

  /// In [low, high).
  double between(double low, double high) { return low + (high - low) * unit(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace repose
