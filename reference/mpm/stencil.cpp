#include "reference/mpm/stencil.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/kernels.h"

#include <cmath>
#include <stdexcept>

namespace repose {

namespace {

/// One axis of a stencil.
struct Axis {
  std::int64_t first;                  ///< integer coordinate of the lowest node
  std::array<double, 4> value, slope;  ///< N̂ [-] and dN̂/dx [1/m]
  std::array<double, 4> offset;        ///< x_i − x_p [m]
};

Axis along(const Grid& grid, Kernel kernel, double x, int axis) {
  Axis result{first_node(kernel, (x - grid.domain_min[axis]) / grid.h), {}, {}, {}};
  for (int n = 0; n < kernel_nodes(kernel); ++n) {
    const double x_i = grid.domain_min[axis] + grid.h * static_cast<double>(result.first + n);
    const double u = (x - x_i) / grid.h;
    const auto at = static_cast<std::size_t>(n);
    result.value[at] = kernel_value(kernel, u);
    result.slope[at] = kernel_slope(kernel, u) / grid.h;
    result.offset[at] = x_i - x;
  }
  return result;
}

}  // namespace

std::int64_t first_node(Kernel kernel, double X) {
  return static_cast<std::int64_t>(std::floor(kernel == Kernel::cubic ? X : X + 0.5)) - 1;
}

template <int d>
bool stencil_fits(const Grid& grid, Kernel kernel, const Vec<d>& x) {
  for (int axis = 0; axis < d; ++axis) {
    const double X = (x[axis] - grid.domain_min[axis]) / grid.h;
    const double cells = static_cast<double>(grid.cells[static_cast<std::size_t>(axis)]);
    if (grid.is_periodic(axis)) {
      if (!(x[axis] >= grid.domain_min[axis] && x[axis] < grid.domain_max()[axis])) return false;
      continue;
    }
    // Far positions first: they do not fit an integer, and nan fails every comparison.
    if (!(X > -4.0 && X < cells + 4.0)) return false;
    const std::int64_t first = first_node(kernel, X);
    if (first < -Grid::margin) return false;
    if (first + kernel_nodes(kernel) > grid.nodes(axis) - Grid::margin) return false;
  }
  return true;
}

template <int d>
Stencil<d>::Stencil(const Grid& grid, Kernel kernel, const Vec<d>& x) {
  if (!stencil_fits<d>(grid, kernel, x)) throw std::out_of_range("the particle's stencil leaves the grid");
  std::array<Axis, 3> axes{};
  for (int axis = 0; axis < d; ++axis)
    axes[static_cast<std::size_t>(axis)] = along(grid, kernel, x[axis], axis);

  // Tensor product over the axes; the last axis runs fastest, as in Grid::node_id.
  const auto n = static_cast<std::size_t>(kernel_nodes(kernel));
  for (std::size_t flat = 0; flat < (d == 2 ? n * n : n * n * n); ++flat) {
    std::array<std::size_t, 3> at{flat / n % n, flat % n, 0};
    if constexpr (d == 3) at = {flat / (n * n), flat / n % n, flat % n};

    StencilNode<d>& node = node_[count_++];
    std::array<std::int64_t, 3> index{};
    node.w = 1.0;
    for (std::size_t a = 0; a < d; ++a) {
      index[a] = axes[a].first + static_cast<std::int64_t>(at[a]);
      node.w *= axes[a].value[at[a]];  // [Klar16 Eq.6]
      node.offset[static_cast<int>(a)] = axes[a].offset[at[a]];
      double derivative = 1.0;
      for (std::size_t b = 0; b < d; ++b) derivative *= b == a ? axes[b].slope[at[b]] : axes[b].value[at[b]];
      node.grad_w[static_cast<int>(a)] = derivative;
    }
    node.id = grid.node_id(index[0], index[1], index[2]);
  }
}

template bool stencil_fits<2>(const Grid&, Kernel, const Vec<2>&);
template bool stencil_fits<3>(const Grid&, Kernel, const Vec<3>&);
template class Stencil<2>;
template class Stencil<3>;

}  // namespace repose
