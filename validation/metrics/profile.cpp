#include "validation/metrics/profile.h"

#include "validation/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace repose::metrics {

namespace {

/// Which of equal sectors a point lies in.
int sector_of(const Point& x, const Axis& axis, int sectors) {
  const int first = axis.up == 0 ? 1 : 0;
  if (axis.dim == 2) return sectors == 1 || x[first] < axis.foot[first] ? 0 : 1;
  const int second = axis.up == 2 ? 1 : 2;
  const double angle = std::atan2(x[second] - axis.foot[second], x[first] - axis.foot[first]);
  const double turn = angle / (2.0 * std::numbers::pi) + 0.5;  // in [0, 1]; 1 is the same direction as 0
  return std::min(static_cast<int>(turn * sectors), sectors - 1);
}

/// Area of the base under a ring, or under its share of a sector.
double ring_area(std::size_t ring, double width, int dim, int sectors) {
  const double inner = static_cast<double>(ring) * width;
  const double outer = inner + width;
  const double whole = dim == 2 ? 2.0 * width : std::numbers::pi * (outer * outer - inner * inner);
  return whole / sectors;
}

/// Height at which the fill of one ring falls through a value.
double surface_height(const std::vector<double>& fill, double value, double layer) {
  std::size_t top = fill.size();
  while (top > 0 && fill[top - 1] < value) --top;
  if (top == 0) return 0.0;
  const double below = fill[top - 1];
  const double above = top < fill.size() ? fill[top] : 0.0;
  const double middle = (static_cast<double>(top) - 0.5) * layer;
  return middle + layer * (below - value) / (below - above);
}

}  // namespace

Profile profile(const std::vector<Point>& x, const std::vector<double>& volume, const Axis& axis,
                const Bins& bins) {
  if (x.size() != volume.size())
    throw std::invalid_argument("profile: positions and volumes differ in number");
  if (!(bins.ring_width > 0.0) || !(bins.layer_height > 0.0) || bins.sectors < 1) {
    throw std::invalid_argument("profile: bins need an extent and at least one sector");
  }
  if (axis.dim == 2 && bins.sectors > 2) throw std::invalid_argument("profile: a pile in 2D has two sides");

  // Sum volumes per ring and layer. What sank below the foot counts to the lowest layer.
  std::vector<std::vector<double>> sum;
  for (std::size_t p = 0; p < x.size(); ++p) {
    if (sector_of(x[p], axis, bins.sectors) != bins.sector) continue;
    const auto ring = static_cast<std::size_t>(axis.radius(x[p]) / bins.ring_width);
    const auto layer = static_cast<std::size_t>(std::max(0.0, axis.height(x[p])) / bins.layer_height);
    if (ring >= sum.size()) sum.resize(ring + 1);
    if (layer >= sum[ring].size()) sum[ring].resize(layer + 1, 0.0);
    sum[ring][layer] += volume[p];
  }

  Profile result;
  result.ring_width = bins.ring_width;
  for (std::size_t ring = 0; ring < sum.size(); ++ring) {
    const double area = ring_area(ring, bins.ring_width, axis.dim, bins.sectors);
    double total = 0.0;
    for (double& bin : sum[ring]) {
      total += bin;
      bin /= area * bins.layer_height;
    }
    result.radius.push_back((static_cast<double>(ring) + 0.5) * bins.ring_width);
    result.surface.push_back(surface_height(sum[ring], bins.fill, bins.layer_height));
    result.packed.push_back(total / area);
  }
  return result;
}

double volume_below(const Profile& profile, int dim) {
  double volume = 0.0;
  for (std::size_t ring = 0; ring < profile.surface.size(); ++ring) {
    volume += profile.surface[ring] * ring_area(ring, profile.ring_width, dim, 1);
  }
  return volume;
}

double bulk_fill(const std::vector<Point>& x, const std::vector<double>& volume, const Axis& axis,
                 const Profile& profile, double margin, double within) {
  const auto counts = [&](std::size_t ring) {
    return ring < profile.radius.size() && profile.radius[ring] + 0.5 * profile.ring_width <= within &&
           profile.surface[ring] > 2.0 * margin;
  };
  double room = 0.0;
  for (std::size_t ring = 0; ring < profile.radius.size(); ++ring) {
    if (counts(ring)) {
      room += (profile.surface[ring] - 2.0 * margin) * ring_area(ring, profile.ring_width, axis.dim, 1);
    }
  }
  double sand = 0.0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    const auto ring = static_cast<std::size_t>(axis.radius(x[p]) / profile.ring_width);
    const double y = axis.height(x[p]);
    if (counts(ring) && y >= margin && y <= profile.surface[ring] - margin) sand += volume[p];
  }
  return room > 0.0 ? sand / room : std::numeric_limits<double>::quiet_NaN();
}

double foot_radius(const Profile& profile) {
  std::size_t ring = 0;
  while (ring < profile.surface.size() && profile.surface[ring] > 0.0) ++ring;
  return static_cast<double>(ring) * profile.ring_width;
}

Flank flank(const Profile& profile, double base, double from, double to) {
  std::vector<double> radius;
  std::vector<double> surface;
  for (std::size_t ring = 0; ring < profile.radius.size(); ++ring) {
    if (profile.radius[ring] < from * base || profile.radius[ring] > to * base) continue;
    radius.push_back(profile.radius[ring]);
    surface.push_back(profile.surface[ring]);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (radius.size() < 3)
    return {.angle = nan, .standard_error = nan, .residual = nan, .rings = radius.size()};
  const Line line = fit_line(radius, surface);
  return {.angle = std::atan(-line.slope),
          .standard_error = line.slope_error / (1.0 + line.slope * line.slope),  // d atan(s)/ds = 1/(1 + s²)
          .residual = line.residual,
          .rings = line.points};
}

}  // namespace repose::metrics
