#pragma once

#include "reference/interface/scene/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace repose {

/// Where candidates around a point are drawn from: a cube around the shell. In a body that is thinner than the cube
/// most of these would lie outside, and growth would die: along such an axis only the body's thickness counts.
class Surroundings {
 public:
  /// @param box surrounds the body
  Surroundings(const Bounds& box, double radius, int dim) : box_(box), radius_(radius), dim_(dim) {
    for (int axis = 0; axis < dim; ++axis)
      thin_[static_cast<std::size_t>(axis)] = box.max[axis] - box.min[axis] < 4.0 * radius;
  }

  bool is_thin(int axis) const { return thin_[static_cast<std::size_t>(axis)]; }

  /// Offsets of candidates from a point.
  Bounds around(const Point& x) const {
    Bounds offsets{.min = Point::Constant(-2.0 * radius_), .max = Point::Constant(2.0 * radius_)};
    for (int axis = 0; axis < dim_; ++axis) {
      if (!thin_[static_cast<std::size_t>(axis)]) continue;
      offsets.min[axis] = std::max(offsets.min[axis], box_.min[axis] - x[axis]);
      offsets.max[axis] = std::min(offsets.max[axis], box_.max[axis] - x[axis]);
    }
    return offsets;
  }

  /// True if an offset lies in the shell radius ≤ ‖y‖ < 2 radius. Rejection needs no sine or root, whose last bits depend
  /// on the mathematics library.
  bool in_shell(const Point& y) const {
    const double squared = y.squaredNorm();
    return squared >= radius_ * radius_ && squared < 4.0 * radius_ * radius_;
  }

 private:
  Bounds box_;
  double radius_;
  int dim_;
  std::array<bool, 3> thin_{};
};

/// Finds points closer than radius. Its cells have the diagonal radius, so that each holds one point at most and all
/// points that matter are at most two cells away. Halves of cells that lie within radius of a single point are marked:
/// most candidates fall into one and are refused at once. Along periodic axes images of points keep others away as well.
class Neighbourhood {
 public:
  /// @param box surrounds all points to be added; others may be asked about up to 2 radius around it, but only in it
  ///            along axes along which the surroundings are thin
  /// @param periods lengths after which everything comes again per axis [m]; 0 along axes where nothing does
  Neighbourhood(const Bounds& box, double radius, int dim, const Surroundings& surroundings,
                const Point& periods)
      : squared_(radius * radius),
        half_(0.5 * radius / std::sqrt(static_cast<double>(dim))),
        dim_(dim),
        box_(box),
        radius_(radius),
        periods_(periods) {
    std::size_t cells = 1;
    for (int axis = 0; axis < dim; ++axis) {
      auto& size = size_[static_cast<std::size_t>(axis)];
      const bool thin = surroundings.is_thin(axis) && periods[axis] == 0.0;
      const std::int64_t border = thin ? reach + 1 : wide_border;
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
      return other != none && (all_[static_cast<std::size_t>(other)] - x).squaredNorm() < squared_;
    });
  }

  void add(const Point& x) {
    points_.push_back(x);
    add_one(x);
    // Images further from the box than radius keep nobody away.
    for (int n = 1; n < (periods_.isZero(0.0) ? 1 : 27); ++n) {
      Point image = x;
      bool is_image = true;
      for (int axis = 0, rest = n; axis < 3; ++axis, rest /= 3) {
        if (rest % 3 == 0) continue;
        image[axis] += (rest % 3 == 1 ? 1.0 : -1.0) * periods_[axis];
        is_image = is_image && periods_[axis] > 0.0 && image[axis] > box_.min[axis] - radius_ &&
                   image[axis] < box_.max[axis] + radius_;
      }
      if (is_image) add_one(image);
    }
  }

  const std::vector<Point>& points() const { return points_; }
  std::vector<Point> take_points() { return std::move(points_); }

 private:
  using Index = std::array<std::int64_t, 3>;
  struct Near {
    Index step;           ///< to a cell near by
    std::int64_t offset;  ///< the same in cell ids
  };

  static constexpr std::int64_t reach = 2;  ///< cells to the furthest point that can be closer than radius
  static constexpr std::int64_t wide_border = 6;  ///< cells beyond the box: 2 radius ≤ 2√3 cells, and reach
  static constexpr std::int32_t none = -1;

  void add_one(const Point& x) {
    const Index half = half_index(x);
    const std::int64_t home = cell_id(half);
    point_in_cell_[static_cast<std::size_t>(home)] = static_cast<std::int32_t>(all_.size());
    all_.push_back(x);
    mark_covered(x, half, home);
  }

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
  Bounds box_;
  double radius_;
  Point periods_;
  Point origin_ = Point::Zero();
  Index size_{1, 1, 1};
  std::vector<std::int32_t> point_in_cell_;
  std::vector<std::uint8_t> covered_halves_;
  std::vector<Near> near_;
  std::vector<Point> points_, all_;  ///< with their images
};

}  // namespace repose
