#pragma once

#include "reference/interface/base/types.h"

#include <array>
#include <cstdint>

namespace repose {

/// The Cartesian grid of a scene: the domain's nodes and a margin of two nodes on each side, so that every particle
/// of the domain, its border included, has a complete stencil for both kernels. A stencil cut by the border would
/// lose Σw = 1 and D = h²/3 or h²/4.
struct Grid {
  int dim = 3;
  double h = 0.0;                              ///< spacing [m]
  Point domain_min = Point::Zero();            ///< [m]
  std::array<std::int64_t, 3> cells{1, 1, 1};  ///< cells of the domain per axis; 1 along unused axes

  static constexpr std::int64_t margin = 2;  ///< nodes outside the domain on each side

  /// Nodes per axis, margin included; 1 along unused axes.
  std::int64_t nodes(int axis) const { return axis < dim ? cells[axis_index(axis)] + 1 + 2 * margin : 1; }

  /// Linear id of the node at integer coordinates relative to domain_min: −margin ≤ i ≤ cells + margin. z runs fastest.
  std::int64_t node_id(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t a = i + margin;
    const std::int64_t b = j + margin;
    const std::int64_t c = dim > 2 ? k + margin : 0;
    return (a * nodes(1) + b) * nodes(2) + c;
  }

  /// Inverse of node_id(): coordinates relative to domain_min in units of h.
  std::array<std::int64_t, 3> node_index(std::int64_t id) const {
    const std::int64_t c = id % nodes(2);
    const std::int64_t b = (id / nodes(2)) % nodes(1);
    const std::int64_t a = id / (nodes(2) * nodes(1));
    return {a - margin, b - margin, dim > 2 ? c - margin : 0};
  }

  /// Position of a node [m].
  Point node_position(std::int64_t id) const {
    const auto index = node_index(id);
    Point x = domain_min;
    for (int axis = 0; axis < dim; ++axis) x[axis] += h * static_cast<double>(index[axis_index(axis)]);
    return x;
  }

  /// Opposite corner of the domain [m].
  Point domain_max() const {
    Point x = domain_min;
    for (int axis = 0; axis < dim; ++axis) x[axis] += h * static_cast<double>(cells[axis_index(axis)]);
    return x;
  }

 private:
  static constexpr std::size_t axis_index(int axis) { return static_cast<std::size_t>(axis); }
};

}  // namespace repose
