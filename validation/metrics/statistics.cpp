#include "validation/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace repose::metrics {

double quantile(std::vector<double> sample, double share) {
  if (sample.empty()) throw std::invalid_argument("quantile of an empty sample");
  if (!(share >= 0.0 && share <= 1.0)) throw std::invalid_argument("quantile: share is not in [0, 1]");
  const double rank = share * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto at = sample.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sample.begin(), at, sample.end());
  const double fraction = rank - static_cast<double>(below);
  if (fraction <= 0.0) return *at;
  return *at + fraction * (*std::min_element(at + 1, sample.end()) - *at);
}

Line fit_line(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  if (n != y.size() || n < 3) throw std::invalid_argument("a line with an error needs three points or more");
  const auto count = static_cast<double>(n);
  const double x_mean = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double y_mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double s_xx = 0.0;
  double s_xy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    s_xx += (x[i] - x_mean) * (x[i] - x_mean);
    s_xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  if (!(s_xx > 0.0)) throw std::invalid_argument("a line needs points of different abscissas");

  Line line;
  line.points = n;
  line.slope = s_xy / s_xx;
  line.intercept = y_mean - line.slope * x_mean;
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double r = y[i] - line.intercept - line.slope * x[i];
    squares += r * r;
  }
  line.residual = std::sqrt(squares / (count - 2.0));
  line.slope_error = line.residual / std::sqrt(s_xx);
  return line;
}

}  // namespace repose::metrics
