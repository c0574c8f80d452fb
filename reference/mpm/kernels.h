#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene.h"

namespace repose {

/// Interpolation kernel along one axis, at u = (x_p − x_i)/h.
///
///     cubic:      N̂ = ½|u|³ − u² + ⅔          |u| < 1
///                     (2 − |u|)³/6            1 ≤ |u| < 2                             [Klar16 Eq.5]
///     quadratic:  N̂ = ¾ − u²                  |u| < ½
///                     ½ (3/2 − |u|)²          ½ ≤ |u| < 3/2                           [Klar16 Fig.9]
///
/// @returns N̂ [-], 0 outside the support
double kernel_value(Kernel kernel, double u);

/// dN̂/du [-]; continuous for both kernels.
double kernel_slope(Kernel kernel, double u);

/// d²N̂/du² [-]; continuous for the cubic kernel, an outer limit at the quadratic's jumps. Only error
/// bounds use it.
double kernel_curvature(Kernel kernel, double u);

/// Number of nodes along an axis on which a kernel can be non-zero: 3 quadratic, 4 cubic.
int kernel_nodes(Kernel kernel);

/// The factor of 1 in the affine inertia tensor of a complete stencil.
///
///     D = Σ_i w (x_i − x_p)(x_i − x_p)ᵀ = h²/3 · 1 cubic, h²/4 · 1 quadratic          [Klar16 Eq.8]
///
/// Only with every node of the stencil present: hence the grid's margin.
/// @param h grid spacing [m]
/// @returns D [m²]
double affine_inertia(Kernel kernel, double h);

}  // namespace repose
