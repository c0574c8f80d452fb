#pragma once

#include "reference/interface/base/place.h"
#include "reference/interface/base/types.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace repose {

/// The Cartesian grid of a scene: the domain's nodes and a margin of two nodes on each side, so that every particle
/// of the domain, its border included, has a complete stencil for both kernels. A stencil cut by the border would
/// lose Σw = 1 and D = h²/3 or h²/4.
///
/// A periodic axis has no margin: its nodes are those of the domain, each once, and the one `cells` further on is the
/// first again. Coordinates of particles along it lie in [domain_min, domain_max). Everything stands there again at each
/// whole number of lengths; what lies on both sides of the seam sees the nearest image of the other.
struct Grid {
  int dim = 3;
  double h = 0.0;                              ///< spacing [m]
  Point domain_min = Point::Zero();            ///< [m]
  std::array<std::int64_t, 3> cells{1, 1, 1};  ///< cells of the domain per axis; 1 along unused axes
  std::array<bool, 3> periodic{};              ///< per axis; false along unused axes

  static constexpr std::int64_t margin = 2;  ///< nodes beyond each end of an axis that is not periodic

  bool is_periodic(int axis) const { return periodic[axis_index(axis)]; }
  bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }

  /// Nodes outside the domain on each side of an axis.
  std::int64_t margin_of(int axis) const { return axis < dim && !is_periodic(axis) ? margin : 0; }

  /// Nodes per axis, margin included; 1 along unused axes.
  std::int64_t nodes(int axis) const {
    if (axis >= dim) return 1;
    return cells[axis_index(axis)] + (is_periodic(axis) ? 0 : 1 + 2 * margin);
  }

  /// Linear id of the node at integer coordinates relative to domain_min, z runs fastest: −margin ≤ i ≤ cells + margin;
  /// along a periodic axis −cells ≤ i < 2 cells, whole lengths apart the same node.
  std::int64_t node_id(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t a = counted(i, 0);
    const std::int64_t b = counted(j, 1);
    const std::int64_t c = dim > 2 ? counted(k, 2) : 0;
    return (a * nodes(1) + b) * nodes(2) + c;
  }

  /// Inverse of node_id(): coordinates relative to domain_min in units of h, along a periodic axis in [0, cells).
  std::array<std::int64_t, 3> node_index(std::int64_t id) const {
    const std::int64_t c = id % nodes(2);
    const std::int64_t b = (id / nodes(2)) % nodes(1);
    const std::int64_t a = id / (nodes(2) * nodes(1));
    return {a - margin_of(0), b - margin_of(1), dim > 2 ? c - margin_of(2) : 0};
  }

  /// Position of a node [m].
  Point node_position(std::int64_t id) const {
    const auto index = node_index(id);
    Point x = domain_min;
    for (int axis = 0; axis < dim; ++axis) x[axis] += h * static_cast<double>(index[axis_index(axis)]);
    return x;
  }

  /// Whether cells, faces and edges of a kind lie half a spacing behind their lower corner along an axis. The nodes of the
  /// three axes' ends span them; an axis that the grid does not have is never half.
  bool between_nodes(Place place, int axis) const {
    if (axis >= dim) return false;
    switch (place) {
      case Place::cell:
        return true;
      case Place::face_x:
      case Place::face_y:
      case Place::face_z:
        return axis != static_cast<int>(place) - static_cast<int>(Place::face_x);
      case Place::edge_xy:
        return axis == 2;
      case Place::edge_xz:
        return axis == 1;
      case Place::edge_yz:
        return axis == 0;
      default:
        return false;
    }
  }

  /// Whether the grid has a place of that kind and id: the id of a node at its lower corner, such that it does not reach
  /// beyond the last nodes of an axis that is not periodic. In two dimensions there are no z-faces, and of the edges only
  /// those of xy.
  bool has(Place place, std::int64_t id) const {
    if (!on_grid(place) || id < 0 || id >= nodes(0) * nodes(1) * nodes(2)) return false;
    if (dim < 3 && (place == Place::face_z || place == Place::edge_xz || place == Place::edge_yz))
      return false;
    const auto index = node_index(id);
    for (int axis = 0; axis < dim; ++axis)
      if (between_nodes(place, axis) && !is_periodic(axis) &&
          index[axis_index(axis)] + margin_of(axis) + 1 == nodes(axis))
        return false;
    return true;
  }

  /// Middle of a place of the grid [m].
  Point position(Place place, std::int64_t id) const {
    Point x = node_position(id);
    for (int axis = 0; axis < dim; ++axis)
      if (between_nodes(place, axis)) x[axis] += 0.5 * h;
    return x;
  }

  /// Opposite corner of the domain [m].
  Point domain_max() const {
    Point x = domain_min;
    for (int axis = 0; axis < dim; ++axis) x[axis] += h * static_cast<double>(cells[axis_index(axis)]);
    return x;
  }

  /// Length after which everything comes again along a periodic axis [m]; 0 along others.
  double period(int axis) const {
    return axis < dim && is_periodic(axis) ? h * static_cast<double>(cells[axis_index(axis)]) : 0.0;
  }
  Point periods() const { return {period(0), period(1), period(2)}; }

  /// Puts a coordinate along a periodic axis into [domain_min, domain_max), by one length at most:
  ///
  ///     x ≥ domain_max  →  x − length,      x < domain_min  →  x + length
  ///
  /// What rounding then leaves on or beyond a border, a value that rounds to domain_max included, becomes domain_min.
  /// Along other axes nothing changes.
  /// @returns false, and x is left as it is, where it lies further away than one length
  bool wrap(double& x, int axis) const {
    const double length = period(axis);
    if (length == 0.0) return true;
    const double low = domain_min[axis];
    const double high = domain_max()[axis];
    if (!(x >= low - length && x < high + length)) return false;
    if (x >= high) {
      x -= length;
    } else if (x < low) {
      x += length;
    }
    if (!(x >= low && x < high)) x = low;
    return true;
  }

  /// A difference of two positions, to the nearest image of the second [m].
  Point nearest(Point difference) const {
    for (int axis = 0; axis < dim; ++axis) {
      const double length = period(axis);
      if (length > 0.0) difference[axis] -= length * std::round(difference[axis] / length);
    }
    return difference;
  }

 private:
  static constexpr std::size_t axis_index(int axis) { return static_cast<std::size_t>(axis); }
  /// Of a node, counted from the first one along the axis.
  std::int64_t counted(std::int64_t i, int axis) const {
    if (!is_periodic(axis)) return i + margin;
    const std::int64_t count = cells[axis_index(axis)];
    return i < 0 ? i + count : i >= count ? i - count : i;
  }
};

}  // namespace repose
