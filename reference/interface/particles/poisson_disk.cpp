#include "reference/interface/particles/poisson_disk.h"

#include "reference/interface/base/error.h"
#include "reference/interface/particles/poisson_neighbourhood.h"
#include "reference/interface/particles/random.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace repose {

namespace {

/// A point evenly distributed over a box; z = 0 in 2D.
Point point_in(const Bounds& box, Random& random, int dim) {
  Point x = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) x[axis] = random.between(box.min[axis], box.max[axis]);
  return x;
}

/// A shape turned such that the smallest box along the axes of the grid fits it closely: of a tilted cylinder, whose box
/// may have any number of times its volume, the axis becomes z.
class Upright {
 public:
  /// @param may_turn false where the axes of the grid matter
  Upright(const Shape& shape, int dim, bool may_turn) : shape_(shape) {
    const auto* cylinder = std::get_if<Cylinder>(&shape);
    if (!may_turn || cylinder == nullptr || dim == 2 || cylinder->axis.cwiseAbs().maxCoeff() == 1.0) return;
    turned_ = true;
    centre_ = cylinder->centre;
    int least = 0;
    cylinder->axis.cwiseAbs().minCoeff(&least);
    const Point across = cylinder->axis.cross(Point::Unit(least)).normalized();
    axes_ << across, cylinder->axis.cross(across), cylinder->axis;
    Cylinder standing = *cylinder;
    standing.axis = Point::UnitZ();
    shape_ = standing;
  }

  const Shape& shape() const { return shape_; }
  /// Where a point of the turned shape is in the one that was given.
  Point given(const Point& x) const { return turned_ ? Point(centre_ + axes_ * (x - centre_)) : x; }

 private:
  Shape shape_;
  bool turned_ = false;
  Point centre_ = Point::Zero();
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();
};

/// Volume of a shape grown by a length along each of its own dimensions (corners stay sharp), but not where a box meets its
/// own image.
double grown_volume(const Shape& shape, double length, int dim, const Point& periods) {
  struct Grown {
    double length;
    int dim;
    const Point& periods;
    double operator()(const HalfSpace&) const { return 0.0; }
    double operator()(const Wedge&) const { return 0.0; }
    double operator()(const Box& s) const {
      double v = 1.0;
      for (int axis = 0; axis < dim; ++axis) {
        const double extent = s.max[axis] - s.min[axis];
        const bool closed = periods[axis] > 0.0 && extent + 2.0 * length > periods[axis];
        v *= closed ? periods[axis] : extent + 2.0 * length;
      }
      return v;
    }
    double operator()(const Sphere& s) const {
      const double r = s.radius + length;
      return dim == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
    }
    double operator()(const Cylinder& s) const {
      const double r = s.radius + length;
      return std::numbers::pi * r * r * (dim == 2 ? 1.0 : 2.0 * (s.half_length + length));
    }
  };
  return std::visit(Grown{length, dim, periods}, shape);
}

/// Radius at which about `count` points are found, by bisection of
///     count · radius^d = density · (volume of the shape grown by radius/5).
/// Points at the border block less of the shape's volume than inner ones, which a shape that is larger by a part of
/// the radius accounts for.
double radius_for(const Shape& shape, double count, double density, int dim, const Point& periods) {
  const Bounds box = bounds(shape, dim);
  double low = 0.0;
  double high = 4.0 * (box.max - box.min).norm();
  for (;;) {
    const double r = 0.5 * (low + high);
    if (r <= low || r >= high) return high;
    const double blocked = count * (dim == 2 ? r * r : r * r * r);
    (blocked < density * grown_volume(shape, 0.2 * r, dim, periods) ? low : high) = r;
  }
}

}  // namespace

std::vector<Point> poisson_disk(const Shape& shape, double radius, std::uint64_t seed, int dim,
                                const Point& periods) {
  constexpr int candidates = 30;
  // In a cube half of the draws lie in the shell; in a body without any point that far away none does.
  constexpr int most_draws = 10 * candidates;
  Random random(seed);
  const Upright upright(shape, dim, periods.isZero(0.0));  // images stand along the axes of the grid
  const Bounds box = bounds(upright.shape(), dim);
  const Surroundings surroundings(box, radius, dim);
  Neighbourhood found(box, radius, dim, surroundings, periods);
  const auto is_inside = [&](const Point& x) {
    return signed_distance(shape, upright.given(x), dim).phi <= 0.0;
  };

  Point first = point_in(box, random, dim);
  while (!is_inside(first)) first = point_in(box, random, dim);
  found.add(first);

  std::vector<std::int32_t> active{0};
  while (!active.empty()) {
    const Point parent = found.points()[static_cast<std::size_t>(active.back())];
    const Bounds offsets = surroundings.around(parent);
    bool has_child = false;
    for (int draw = 0, tried = 0; draw < most_draws && tried < candidates && !has_child; ++draw) {
      const Point offset = point_in(offsets, random, dim);
      if (!surroundings.in_shell(offset)) continue;
      ++tried;
      const Point candidate = parent + offset;
      if (found.has_point_closer_than_radius(candidate) || !is_inside(candidate)) continue;
      active.push_back(static_cast<std::int32_t>(found.points().size()));
      found.add(candidate);
      has_child = true;
    }
    if (!has_child) active.pop_back();
  }
  std::vector<Point> points = found.take_points();
  for (Point& x : points) x = upright.given(x);
  return points;
}

PoissonDisk poisson_disk_of_count(const Shape& shape, double wanted, std::uint64_t seed, int dim,
                                  const Point& periods, int attempts) {
  constexpr int corrections = 16;
  const double mean = dim == 2 ? 0.616 : 0.574;  // points · radius^d / volume, measured far from borders
  double next = mean;
  double best_density = mean;
  PoissonDisk best;
  double best_error = std::numeric_limits<double>::infinity();
  const double near = std::max(0.5, 0.01 * wanted);
  const double allowed = std::max(2.0, 0.01 * wanted) + 0.5;  // what is wanted need not be a whole number
  for (int attempt = 0; attempt < attempts && best_error > (attempt < corrections ? near : allowed);
       ++attempt) {
    const double density = next;
    PoissonDisk tried{.radius = radius_for(shape, wanted, density, dim, periods), .points = {}};
    // Neighbouring radii of one random sequence give much the same sample: each later one has a sequence of its own.
    const std::uint64_t sequence =
        attempt < corrections ? seed : seed + static_cast<std::uint64_t>(attempt) * 0x9E3779B97F4A7C15;
    tried.points = poisson_disk(shape, tried.radius, sequence, dim, periods);
    const auto count = static_cast<double>(tried.points.size());
    const double error = std::abs(count - wanted);
    if (error < best_error) {
      best_error = error;
      best = std::move(tried);
      best_density = density;
    }
    // Points may go round in circles under corrections by their number: then radii on both sides of the best, and again
    // near it, where each sequence has a chance of its own; further away there is none.
    constexpr int furthest = 16;
    const int beside = attempt + 1 < corrections ? 0 : 1 + (attempt + 1 - corrections) % furthest;
    next = beside < 1 ? density * (count / wanted)
                      : best_density * (1.0 + 0.004 * (beside % 2 == 0 ? beside : -beside));
  }
  if (best_error > allowed) {
    throw BadInput(
        fmt::format("a Poisson-disk sample has {} particles where {:.6g} are wanted; choose another "
                    "seed, particles_per_cell or sampling",
                    best.points.size(), wanted));
  }
  return best;
}

}  // namespace repose
