#pragma once

#include "optimized/layout/block_grid.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"

#include <array>
#include <cmath>
#include <limits>

namespace repose::optimized {

/// Positions as base and offset: x = domain_min + h (base − shift + offset), base the first node of the stencil counted
/// from the grid's first node, offset in [−½, ½]. Cells of the cubic kernel lie between nodes, those of the quadratic
/// one around them.
///
/// Along a periodic axis of N nodes bases lie in [0, N) and have no margin below them. Moving by a length changes the base
/// alone, so that no bit of the offset is lost; only positions handed out are put into [domain_min, domain_max), and one
/// that rounds to domain_max is domain_min.
template <int dim>
class Places {
 public:
  explicit Places(const Scene& scene) : grid_(scene.grid) {
    for (int a = 0; a < 3; ++a) {
      const double first = static_cast<double>(Grid::margin - grid_.margin_of(a));  // that the grid lacks
      shift_[static_cast<std::size_t>(a)] = (mpm_options(scene).kernel == Kernel::cubic ? 0.5 : 1.0) - first;
    }
  }

  /// Nodes along each periodic axis.
  Periods periods() const {
    Periods result{};
    for (int a = 0; a < dim; ++a)
      if (grid_.is_periodic(a))
        result[static_cast<std::size_t>(a)] =
            static_cast<std::int32_t>(grid_.cells[static_cast<std::size_t>(a)]);
    return result;
  }

  /// @param x along a periodic axis in [domain_min, domain_max)
  /// @return base and offset along an axis of a coordinate [m]
  std::pair<double, double> split(double x, int axis) const {
    const double cells = (x - grid_.domain_min[axis]) / grid_.h + shift(axis);
    const double base = std::nearbyint(cells);
    return {grid_.is_periodic(axis) && base < 0.0 ? base + count(axis) : base, cells - base};
  }
  double join(double base, double offset, int axis) const {
    double cells = (base - shift(axis)) + offset;
    if (!grid_.is_periodic(axis)) return grid_.domain_min[axis] + grid_.h * cells;
    if (cells >= count(axis)) cells -= count(axis);
    const double x = grid_.domain_min[axis] + grid_.h * cells;
    return x < grid_.domain_max()[axis] ? x : grid_.domain_min[axis];
  }
  /// Whether a base is one of the axis.
  bool on_axis(double base, int axis) const {
    return !grid_.is_periodic(axis) || (base >= 0.0 && base < count(axis));
  }
  /// Moves bases beyond a seam to the other side of it. @return false for what lies further away than one length
  bool wrap(std::array<std::int32_t, 3>& base) const {
    bool near = true;
    for (int a = 0; a < dim; ++a) {
      if (!grid_.is_periodic(a)) continue;
      auto& b = base[static_cast<std::size_t>(a)];
      const auto nodes = static_cast<std::int32_t>(grid_.cells[static_cast<std::size_t>(a)]);
      if (b < 0) {
        b += nodes;
      } else if (b >= nodes) {
        b -= nodes;
      }
      near = near && b >= 0 && b < nodes;
    }
    return near;
  }
  /// The border belongs to the domain. A coordinate there, itself rounded, comes out of split() up to a few roundings
  /// of its own size beyond it: Grid::domain_max() of h = 0.05 and 12 cells lies 12.000000000000002 cells from its start.
  bool inside(double base, double offset, int axis) const {
    if (grid_.is_periodic(axis)) return true;
    const double cells = (base - shift(axis)) + offset;
    const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                            (std::abs(grid_.domain_min[axis]) / grid_.h + count(axis));
    return cells >= -rounding && cells <= count(axis) + rounding;
  }
  /// All axes. @param offset d numbers
  template <class T>
  bool inside(const std::array<std::int32_t, 3>& base, const T* offset) const {
    for (int a = 0; a < dim; ++a)
      if (!inside(base[static_cast<std::size_t>(a)], static_cast<double>(offset[a]), a)) return false;
    return true;
  }
  /// Whether a particle that stays in its cell in this block could be outside the domain.
  bool at_border(const BlockPlace& block) const {
    for (int a = 0; a < dim; ++a) {
      if (grid_.is_periodic(a)) continue;
      const std::int64_t first = std::int64_t{block[static_cast<std::size_t>(a)]} << Block<dim>::log_edge;
      if (first < 2 || first + Block<dim>::edge > grid_.cells[static_cast<std::size_t>(a)]) return true;
    }
    return false;
  }

  static std::uint64_t key_of(const std::int32_t* base) {
    BlockPlace place{0, 0, 0};
    for (int a = 0; a < dim; ++a) place[static_cast<std::size_t>(a)] = base[a] >> Block<dim>::log_edge;
    return block_key(place);
  }
  /// Base of an entry from its block and code.
  static std::array<std::int32_t, 3> base_of(std::uint64_t key, std::uint8_t code) {
    const BlockPlace place = block_place(key);
    std::array<std::int32_t, 3> base{0, 0, 0};
    for (int a = 0; a < dim; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      base[axis] = (place[axis] << Block<dim>::log_edge) + Block<dim>::local(code, a);
    }
    return base;
  }
  /// Grid::node_id of node `local` (last axis fastest) of a node block; −1 beyond the grid, where images are too.
  std::int64_t node_id(std::uint64_t key, std::size_t local) const {
    const auto index = base_of(key, static_cast<std::uint8_t>(local));
    for (int a = 0; a < dim; ++a)
      if (index[static_cast<std::size_t>(a)] >= grid_.nodes(a)) return -1;
    const auto at = [&](std::size_t a) {
      return std::int64_t{index[a]} - grid_.margin_of(static_cast<int>(a));
    };
    return grid_.node_id(at(0), at(1), dim == 3 ? at(2) : 0);
  }
  /// Position of a block's first node plus `nodes` spacings per axis [m].
  Point node_position(std::uint64_t key, double nodes) const {
    const BlockPlace place = block_place(key);
    Point x = Point::Zero();
    for (int a = 0; a < dim; ++a) {
      const double index = static_cast<double>(place[static_cast<std::size_t>(a)]) * Block<dim>::edge + nodes;
      x[a] = grid_.domain_min[a] + grid_.h * (index - static_cast<double>(grid_.margin_of(a)));
    }
    return x;
  }
  const Grid& grid() const { return grid_; }

 private:
  double shift(int axis) const { return shift_[static_cast<std::size_t>(axis)]; }
  double count(int axis) const { return static_cast<double>(grid_.cells[static_cast<std::size_t>(axis)]); }

  Grid grid_;
  std::array<double, 3> shift_{};
};

}  // namespace repose::optimized
