#include "reference/interface/poisson_disk.h"

#include "reference/interface/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace repose {

namespace {

/// A point evenly distributed over a box; z = 0 in 2D.
Point point_in(const Bounds& box, Random& random, int dim) {
  Point x = Point::Zero();
  for (int axis = 0; axis < dim; ++axis) x[axis] = random.between(box.min[axis], box.max[axis]);
  return x;
}

/// Offset evenly distributed over the shell radius ≤ ‖y‖ < 2 radius. Rejection from the cube around it needs no
/// sine or root, whose last bits depend on the mathematics library.
Point point_in_shell(double radius, Random& random, int dim) {
  const Bounds cube{.min = Point::Constant(-2.0 * radius), .max = Point::Constant(2.0 * radius)};
  for (;;) {
    const Point y = point_in(cube, random, dim);
    const double squared = y.squaredNorm();
    if (squared >= radius * radius && squared < 4.0 * radius * radius) return y;
  }
}

/// Finds points closer than radius. Its cells have the diagonal radius, so that each holds one point at most and all
/// points that matter are at most two cells away.
class Neighbourhood {
 public:
  Neighbourhood(const Bounds& box, double radius, int dim)
      : squared_(radius * radius), cell_(radius / std::sqrt(static_cast<double>(dim))), dim_(dim), min_(box.min) {
    std::size_t cells = 1;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dim); ++axis) {
      const double extent = box.max[static_cast<int>(axis)] - box.min[static_cast<int>(axis)];
      size_[axis] = static_cast<std::int64_t>(extent / cell_) + 1 + 2 * border;
      cells *= static_cast<std::size_t>(size_[axis]);
    }
    point_in_cell_.assign(cells, none);
    list_offsets();
  }

  bool has_point_closer_than_radius(const Point& x) const {
    const std::int64_t home = cell_of(x);
    return std::any_of(offsets_.begin(), offsets_.end(), [&](std::int64_t offset) {
      const std::int32_t other = point_in_cell_[static_cast<std::size_t>(home + offset)];
      return other != none && (points_[static_cast<std::size_t>(other)] - x).squaredNorm() < squared_;
    });
  }

  void add(const Point& x) {
    point_in_cell_[static_cast<std::size_t>(cell_of(x))] = static_cast<std::int32_t>(points_.size());
    points_.push_back(x);
  }

  const std::vector<Point>& points() const { return points_; }
  std::vector<Point> take_points() { return std::move(points_); }

 private:
  static constexpr std::int64_t border = 2;  ///< cells beyond the box, so that no neighbour needs a range check
  static constexpr std::int32_t none = -1;

  std::int64_t cell_of(const Point& x) const {
    std::int64_t id = 0;
    for (int axis = 0; axis < dim_; ++axis) {
      const auto i = static_cast<std::int64_t>((x[axis] - min_[axis]) / cell_) + border;
      id = id * size_[static_cast<std::size_t>(axis)] + i;
    }
    return id;
  }

  /// Cells that can hold a closer point, nearest first: most candidates are refused by one of the first.
  void list_offsets() {
    struct Near {
      std::int64_t distance2, offset;
    };
    std::vector<Near> near;
    const std::int64_t depth = dim_ > 2 ? border : 0;
    for (std::int64_t i = -border; i <= border; ++i) {
      for (std::int64_t j = -border; j <= border; ++j) {
        for (std::int64_t k = -depth; k <= depth; ++k) {
          const std::int64_t offset = dim_ > 2 ? (i * size_[1] + j) * size_[2] + k : i * size_[1] + j;
          near.push_back({i * i + j * j + k * k, offset});
        }
      }
    }
    std::stable_sort(near.begin(), near.end(), [](Near a, Near b) { return a.distance2 < b.distance2; });
    for (const Near& n : near) offsets_.push_back(n.offset);
  }

  double squared_;
  double cell_;
  int dim_;
  Point min_;
  std::array<std::int64_t, 3> size_{1, 1, 1};
  std::vector<std::int32_t> point_in_cell_;
  std::vector<std::int64_t> offsets_;
  std::vector<Point> points_;
};

/// Volume of a shape grown by a length on every side (its bounding box stands in for a tilted cylinder's ends: the
/// value only starts a search).
double grown_volume(const Shape& shape, double length, int dim) {
  struct Grown {
    double length;
    int dim;
    double operator()(const HalfSpace&) const { return 0.0; }
    double operator()(const Box& s) const {
      double v = 1.0;
      for (int axis = 0; axis < dim; ++axis) v *= s.max[axis] - s.min[axis] + 2.0 * length;
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
  return std::visit(Grown{length, dim}, shape);
}

/// Radius at which about `count` points are found, by bisection of
///     count · radius^d = density · (volume of the shape grown by ¼ radius).
/// Points at the border block less of the shape's volume than inner ones, which a shape that is larger by a part of
/// the radius accounts for.
double radius_for(const Shape& shape, double count, double density, int dim) {
  const Bounds box = bounds(shape, dim);
  double low = 0.0;
  double high = 4.0 * (box.max - box.min).norm();
  for (;;) {
    const double r = 0.5 * (low + high);
    if (r <= low || r >= high) return high;
    const double blocked = count * (dim == 2 ? r * r : r * r * r);
    (blocked < density * grown_volume(shape, 0.25 * r, dim) ? low : high) = r;
  }
}

}  // namespace

std::vector<Point> poisson_disk(const Shape& shape, double radius, std::uint64_t seed, int dim) {
  constexpr int candidates = 30;
  Random random(seed);
  const Bounds box = bounds(shape, dim);
  Neighbourhood found(box, radius, dim);
  const auto is_inside = [&](const Point& x) { return signed_distance(shape, x, dim).phi <= 0.0; };

  Point first = point_in(box, random, dim);
  while (!is_inside(first)) first = point_in(box, random, dim);
  found.add(first);

  std::vector<std::int32_t> active{0};
  while (!active.empty()) {
    const auto chosen = static_cast<std::size_t>(random.unit() * static_cast<double>(active.size()));
    const Point parent = found.points()[static_cast<std::size_t>(active[chosen])];
    bool has_child = false;
    for (int i = 0; i < candidates && !has_child; ++i) {
      const Point candidate = parent + point_in_shell(radius, random, dim);
      if (!is_inside(candidate) || found.has_point_closer_than_radius(candidate)) continue;
      active.push_back(static_cast<std::int32_t>(found.points().size()));
      found.add(candidate);
      has_child = true;
    }
    if (!has_child) {
      active[chosen] = active.back();
      active.pop_back();
    }
  }
  return found.take_points();
}

PoissonDisk poisson_disk_of_count(const Shape& shape, double wanted, std::uint64_t seed, int dim) {
  double density = dim == 2 ? 0.70 : 0.70;  // points · radius^d / volume, measured far from borders
  PoissonDisk best;
  double best_error = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 16; ++attempt) {
    PoissonDisk tried{.radius = radius_for(shape, wanted, density, dim), .points = {}};
    tried.points = poisson_disk(shape, tried.radius, seed, dim);
    const auto count = static_cast<double>(tried.points.size());
    const double error = std::abs(count - wanted);
    if (error < best_error) {
      best_error = error;
      best = std::move(tried);
    }
    if (best_error <= std::max(0.5, 0.01 * wanted)) break;
    density *= count / wanted;
  }
  return best;
}

}  // namespace repose
