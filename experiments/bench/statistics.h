#pragma once

#include <vector>

namespace repose::experiments {

/// Order statistics of repeated measurements.
struct Spread {
  double least = 0.0;
  double quartile_1 = 0.0;
  double median = 0.0;
  double quartile_3 = 0.0;
};

/// Quantiles with linear interpolation between neighbours; the quartiles of five values are the second and
/// fourth.
/// @throws std::invalid_argument for no values
Spread spread_of(std::vector<double> values);

/// of[k]/to[k], repetition by repetition: what disturbs both alike cancels.
std::vector<double> paired_ratios(const std::vector<double>& of, const std::vector<double>& to);

}  // namespace repose::experiments
