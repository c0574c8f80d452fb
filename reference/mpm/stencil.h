#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace repose {

/// One node seen from one particle.
template <int d>
struct StencilNode {
  std::int64_t id;  ///< Grid::node_id
  double w;         ///< w_ip = N(x_p − x_i) [-]                                         [Klar16 Eq.6]
  Vec<d> grad_w;    ///< ∇w_ip, derivative by x_p [1/m]
  Vec<d> offset;    ///< x_i − x_p [m], along a periodic axis to the image of the node next to the particle
};

/// Nodes of a stencil.
template <int d>
constexpr std::size_t stencil_nodes(Kernel kernel) {
  const std::size_t per_axis = kernel == Kernel::cubic ? 4 : 3;
  return d == 2 ? per_axis * per_axis : per_axis * per_axis * per_axis;
}

/// All nodes around a particle on which its kernel can be non-zero, in the order of their places: 3^d (quadratic) or 4^d
/// (cubic), also those whose weight rounds to zero. Across the seam of a periodic axis the kernel reaches their images;
/// each node is there once, as the axis is no shorter than a stencil.
template <int d>
class Stencil {
 public:
  /// @param x position of the particle [m]
  /// @throws std::out_of_range if a node of the stencil lies outside the grid; x must be finite
  Stencil(const Grid& grid, Kernel kernel, const Vec<d>& x);

  const StencilNode<d>* begin() const { return node_.data(); }
  const StencilNode<d>* end() const { return node_.data() + count_; }

 private:
  static constexpr std::size_t most_nodes = stencil_nodes<d>(Kernel::cubic);
  std::array<StencilNode<d>, most_nodes> node_;
  std::size_t count_ = 0;
};

/// Lowest node of the stencil along one axis, counted from domain_min.
///
///     cubic: ⌊X⌋ − 1,   quadratic: ⌊X + ½⌋ − 1,   X = (x − domain_min)/h
std::int64_t first_node(Kernel kernel, double X);

/// True if every node of the stencil at x exists, and x lies in the domain along its periodic axes. False where x is
/// not finite.
template <int d>
bool stencil_fits(const Grid& grid, Kernel kernel, const Vec<d>& x);

}  // namespace repose
