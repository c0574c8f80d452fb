#pragma once

#include "reference/mpm/state.h"

namespace repose {

/// The stress by which a particle acts on the grid, of the energy that the scene asks for.
template <int d>
struct ElasticStress {
  Mat<d> tau =
      Mat<d>::Zero();  ///< τ = P Fᵀ or −p J 1, Kirchhoff stress [Pa]; not finite if F is singular or inverted
  double products = 0.0;  ///< what all products inside one component of τ come to at most [Pa]
};

///     τ = U diag(∂ψ/∂ε) Uᵀ,   ψ Hencky's, or for sand ψ^U [Tam17 Eq.7]
///     products: (2μ + dλ) ‖ε‖, or h (2μ + dλ) ‖ε‖ + ψ ‖∇h‖
///
///     τ = −p(J) J 1 of water                                                          [Tam17 Eq.17] [ERRATA T14]
///     products: J times those of water_law()
///
/// ψ^U follows the tip of the cone of the particle's own q, unless its shift s_C is given.
template <int d>
ElasticStress<d> elastic_stress(const Particle<d>& p, const Scene& scene);

}  // namespace repose
