#pragma once

#include <span>
#include <vector>

namespace repose::metrics {

/// Value below which a share of the sample lies, by linear interpolation between neighbours in order: share 0
/// is the smallest value, 1 the largest.
/// @throws std::invalid_argument if the sample is empty or the share outside [0, 1]
double quantile(std::vector<double> sample, double share);

/// Straight line through points, by least squares with equal weights.
struct Line {
  double slope = 0.0;      ///< unit of y per unit of x
  double intercept = 0.0;  ///< unit of y
  double slope_error = 0.0;  ///< standard error of the slope from the residuals, √(Σr²/(n−2)/Σ(x−x̄)²)
  double residual = 0.0;  ///< √(Σr²/(n−2)), unit of y
  std::size_t points = 0;
};

/// @throws std::invalid_argument for fewer than three points or points of one abscissa
Line fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace repose::metrics
