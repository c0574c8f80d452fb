#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"

#include <array>
#include <cstdint>

namespace repose::crosscheck {

/// Nodes that a particle touches, with weights and their gradients [Klar16 Eq.5-8]. The comparer's own: it weighs
/// errors that no solver reports (of stress, of bends of the kernel).
struct Stencil {
  int size = 0;
  std::array<std::int64_t, 64> node{};
  std::array<double, 64> w{};    ///< N(x_p − x_i) [-]
  std::array<Point, 64> grad{};  ///< ∇N(x_p − x_i) [1/m]
};

Stencil stencil(const Scene& scene, const Point& x);

/// Half the kernel's support in units of h: 1.5 or 2.
inline double support(Kernel kernel) { return kernel == Kernel::quadratic ? 1.5 : 2.0; }

/// Second derivative of a weight product, at most, times h²; used with (δx/h)² for all that slopes leave out.
/// Each of the d² second derivatives of ∏N is at most 2 (N'' of both kernels, or a product of two N' ≤ 1), the Taylor
/// remainder halves it.
inline double weight_bend(int dim) { return static_cast<double>(dim * dim); }

/// What δx·|∂²N| at the particle leaves out of the change of a gradient over δx, times h. N' of the quadratic kernel
/// has kinks (N'' jumps by 3 at most): first order in δx/h. That of the cubic has |N'''| ≤ 3: second order.
double gradient_bend(Kernel kernel, int dim, double dx_over_h);

}  // namespace repose::crosscheck
