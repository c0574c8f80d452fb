#pragma once

#include <cstddef>
#include <span>

namespace repose::experiments {

/// Scatter of a measured quantity over seeds of equal scenes, and how sure it is.
struct Noise {
  /// Sample standard deviation, same unit as the quantity; not a number for fewer than two
  double deviation = 0.0;
  std::size_t seeds = 0;
};

/// @param seeds the quantity in runs that differ by their seed alone
Noise noise_of(std::span<const double> seeds);

/// Least difference between two runs that is not the seeds' luck, at 95 % confidence: Student's t for the number of
/// seeds, times √2 since both runs scatter.
/// @param two_sided for differences that may have either sign
/// @throws std::invalid_argument unless there are at least two seeds
double noise_floor(const Noise& noise, bool two_sided);

/// The same from the seeds' values, two-sided.
double least_real_difference(std::span<const double> seeds);

}  // namespace repose::experiments
