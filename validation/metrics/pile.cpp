#include "validation/metrics/pile.h"

#include "validation/metrics/extremes.h"
#include "validation/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::metrics {

double Axis::radius(const Point& x) const {
  double square = 0.0;
  for (int axis = 0; axis < dim; ++axis) {
    if (axis != up) square += (x[axis] - foot[axis]) * (x[axis] - foot[axis]);
  }
  return std::sqrt(square);
}

std::vector<Point> positions(const Snapshot& snapshot, int dim) {
  const Field& x = snapshot.get(field::x);
  const auto d = static_cast<std::size_t>(dim);
  std::vector<Point> points(x.value.size() / d, Point::Zero());
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (int axis = 0; axis < dim; ++axis) points[p][axis] = x.value[p * d + static_cast<std::size_t>(axis)];
  }
  return points;
}

Runout runout(const std::vector<Point>& x, const Axis& axis) {
  if (x.empty()) throw std::invalid_argument("run-out of no particles");
  std::vector<double> radius(x.size());
  std::transform(x.begin(), x.end(), radius.begin(), [&](const Point& point) { return axis.radius(point); });
  const double front = *std::max_element(radius.begin(), radius.end());
  return {.percentile_98 = quantile(std::move(radius), 0.98), .front = front};
}

Height height(const std::vector<Point>& x, const Axis& axis, double core_radius) {
  if (x.empty()) throw std::invalid_argument("height of no particles");
  std::vector<double> core;
  double highest = -std::numeric_limits<double>::infinity();
  for (const Point& point : x) {
    highest = larger(highest, axis.height(point));
    if (axis.radius(point) <= core_radius) core.push_back(axis.height(point));
  }
  Height result{
      .percentile_98 = std::numeric_limits<double>::quiet_NaN(), .highest = highest, .core = core.size()};
  if (!core.empty()) result.percentile_98 = quantile(std::move(core), 0.98);
  return result;
}

double ground_gap(const std::vector<Point>& x, const Axis& axis, double beyond) {
  std::vector<double> heights;
  for (const Point& point : x) {
    if (axis.radius(point) > beyond) heights.push_back(axis.height(point));
  }
  return heights.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile(std::move(heights), 0.02);
}

}  // namespace repose::metrics
