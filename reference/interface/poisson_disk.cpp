#include "reference/interface/poisson_disk.h"

#include "reference/interface/random.h"

#include <algorithm>
#include <array>
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
/// points that matter are at most two cells away. Halves of cells that lie within radius of a single point are marked:
/// most candidates fall into one and are refused at once.
class Neighbourhood {
 public:
  /// @param box surrounds all points to be added; others may be asked about up to 2 radius around it
  Neighbourhood(const Bounds& box, double radius, int dim)
      : squared_(radius * radius), half_(0.5 * radius / std::sqrt(static_cast<double>(dim))), dim_(dim) {
    std::size_t cells = 1;
    for (int axis = 0; axis < dim; ++axis) {
      auto& size = size_[static_cast<std::size_t>(axis)];
      origin_[axis] = box.min[axis] - static_cast<double>(2 * border) * half_;
      size = static_cast<std::int64_t>((box.max[axis] - box.min[axis]) / (2.0 * half_)) + 1 + 2 * border;
      cells *= static_cast<std::size_t>(size);
    }
    point_in_cell_.assign(cells, none);
    covered_halves_.assign(cells, 0);
    list_near_cells();
  }

  bool has_point_closer_than_radius(const Point& x) const {
    const Index half = half_index(x);
    const std::int64_t home = cell_id(half);
    if ((covered_halves_[static_cast<std::size_t>(home)] & bit(half)) != 0) return true;
    return std::any_of(near_.begin(), near_.end(), [&](const Near& near) {
      const std::int32_t other = point_in_cell_[static_cast<std::size_t>(home + near.offset)];
      return other != none && (points_[static_cast<std::size_t>(other)] - x).squaredNorm() < squared_;
    });
  }

  void add(const Point& x) {
    const Index half = half_index(x);
    const std::int64_t home = cell_id(half);
    point_in_cell_[static_cast<std::size_t>(home)] = static_cast<std::int32_t>(points_.size());
    points_.push_back(x);
    mark_covered(x, half, home);
  }

  const std::vector<Point>& points() const { return points_; }
  std::vector<Point> take_points() { return std::move(points_); }

 private:
  using Index = std::array<std::int64_t, 3>;
  struct Near {
    Index step;           ///< to a cell near by
    std::int64_t offset;  ///< the same in cell ids
  };

  static constexpr std::int64_t reach = 2;   ///< cells to the furthest point that can be closer than radius
  static constexpr std::int64_t border = 6;  ///< cells beyond the box: 2 radius ≤ 2√3 cells, and reach
  static constexpr std::int32_t none = -1;

  Index half_index(const Point& x) const {
    Index half{0, 0, 0};
    for (int axis = 0; axis < dim_; ++axis) {
      half[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>((x[axis] - origin_[axis]) / half_);
    }
    return half;
  }

  std::int64_t cell_id(const Index& half) const {
    return ((half[0] >> 1) * size_[1] + (half[1] >> 1)) * size_[2] + (half[2] >> 1);
  }

  static unsigned bit(const Index& half) {
    return 1U << static_cast<unsigned>((half[0] & 1) + 2 * (half[1] & 1) + 4 * (half[2] & 1));
  }

  /// Lists the cells that can hold a closer point, nearest first: most candidates are refused by one of the first.
  void list_near_cells() {
    const std::int64_t depth = dim_ > 2 ? reach : 0;
    for (std::int64_t i = -reach; i <= reach; ++i) {
      for (std::int64_t j = -reach; j <= reach; ++j) {
        for (std::int64_t k = -depth; k <= depth; ++k) {
          near_.push_back({.step = {i, j, k}, .offset = (i * size_[1] + j) * size_[2] + k});
        }
      }
    }
    const auto squared = [](const Index& i) { return i[0] * i[0] + i[1] * i[1] + i[2] * i[2]; };
    std::stable_sort(near_.begin(), near_.end(),
                     [&](const Near& a, const Near& b) { return squared(a.step) < squared(b.step); });
  }

  /// Marks the halves of cells whose furthest corner is closer than radius to a new point.
  void mark_covered(const Point& x, const Index& half, std::int64_t home) {
    // Squared distance to the far side of each half near by, per axis; none along an axis that does not exist.
    std::array<std::array<double, 2 * (2 * reach + 1)>, 3> far{};
    for (int axis = 0; axis < dim_; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const std::int64_t first = 2 * ((half[a] >> 1) - reach);
      for (std::size_t i = 0; i < far[a].size(); ++i) {
        const double low =
            origin_[axis] + half_ * static_cast<double>(first + static_cast<std::int64_t>(i)) - x[axis];
        const double further = std::max(-low, low + half_);
        far[a][i] = further * further;
      }
    }
    // Indices and distances round; a half this close to the limit is left to the exact test.
    const double limit = squared_ * (1.0 - 1e-9);
    const std::size_t halves = dim_ > 2 ? 8 : 4;
    for (const Near& near : near_) {
      const auto at = [&](std::size_t axis, std::size_t upper) {
        return far[axis][2 * static_cast<std::size_t>(near.step[axis] + reach) + upper];
      };
      unsigned covered = 0;
      for (std::size_t i = 0; i < halves; ++i) {
        if (at(0, i & 1U) + at(1, (i >> 1U) & 1U) + at(2, i >> 2U) < limit) covered |= 1U << i;
      }
      auto& mark = covered_halves_[static_cast<std::size_t>(home + near.offset)];
      mark = static_cast<std::uint8_t>(mark | covered);
    }
  }

  double squared_;
  double half_;  ///< half a cell [m]
  int dim_;
  Point origin_ = Point::Zero();
  Index size_{1, 1, 1};
  std::vector<std::int32_t> point_in_cell_;
  std::vector<std::uint8_t> covered_halves_;
  std::vector<Near> near_;
  std::vector<Point> points_;
};

/// Volume of a shape grown by a length along each of its own dimensions (corners stay sharp).
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
///     count · radius^d = density · (volume of the shape grown by radius/5).
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
    (blocked < density * grown_volume(shape, 0.2 * r, dim) ? low : high) = r;
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
    const Point parent = found.points()[static_cast<std::size_t>(active.back())];
    bool has_child = false;
    for (int i = 0; i < candidates && !has_child; ++i) {
      const Point candidate = parent + point_in_shell(radius, random, dim);
      if (found.has_point_closer_than_radius(candidate) || !is_inside(candidate)) continue;
      active.push_back(static_cast<std::int32_t>(found.points().size()));
      found.add(candidate);
      has_child = true;
    }
    if (!has_child) active.pop_back();
  }
  return found.take_points();
}

PoissonDisk poisson_disk_of_count(const Shape& shape, double wanted, std::uint64_t seed, int dim) {
  double density = dim == 2 ? 0.616 : 0.574;  // points · radius^d / volume, measured far from borders
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
