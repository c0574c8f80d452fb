#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "reference/interface/solver.h"
#include "validation/mechanics/cone.h"

#include <array>
#include <span>

namespace repose::experiments {

/// Elastic strain of a particle along its principal directions, ε = ½ ln of the eigenvalues of F Fᵀ [-], falling;
/// in 2D the third is 0 and not counted.
struct PrincipalStrain {
  int dim = 3;
  std::array<double, 3> eps{};

  double trace() const;
  double deviator_norm() const;  ///< ‖ε − tr(ε)/d · 1‖
};

/// @param F a field of d² components  @throws std::invalid_argument if F Fᵀ has no positive eigenvalues
PrincipalStrain principal_strain(const Field& F, std::size_t particle, int dim);

/// Principal Kirchhoff stresses, τ = 2μ ε + λ tr(ε) [Pa].
std::array<double, 3> kirchhoff_stress(const PrincipalStrain& strain, const Lame& lame);

/// Elastic energy per initial volume, ψ = μ tr(ε²) + ½ λ tr(ε)² [Pa]  [Klar16 Eq.25]
double energy_density(const PrincipalStrain& strain, const Lame& lame);

/// How far a state lies outside the cone, in strain and judged by its stress:
///     δγ = (‖dev τ‖ + α tr τ) / 2μ                                                    [Klar16 Eq.27]
/// negative inside.
double yield_residual(const PrincipalStrain& strain, const Lame& lame, double alpha);

/// Slope of the cone on which a state lies, α = −‖dev τ‖/tr τ [-]; nan without pressure.
double slope_through(const PrincipalStrain& strain, const Lame& lame);

/// What rounding leaves open of a returned strain, as a norm: the solver takes it from what it stores and puts it back,
/// and so does who judges it; each time by crosscheck::strain_roundings() at the worst. A deformation gradient is rounded
/// relative to 1, a Hencky strain, which such a solver changes by way of b − 1, relative to b − 1; who judges has F in double.
/// @param rounding of the solver
double strain_rounding(const PrincipalStrain& strain, const Rounding& rounding);

/// The same of yield_residual(): its part ‖ε̂‖ changes by no more than the norm of the strain's error, the other by
/// (dλ + 2μ)/2μ · α √d times it.
double yield_rounding(const PrincipalStrain& strain, const Lame& lame, double alpha,
                      const Rounding& rounding);

using mechanics::cone_slope;
using mechanics::hardened_angle;

/// Friction angle [rad] of a cone's slope: the inverse of cone_slope().
double friction_angle_of_slope(double alpha);

/// Σ V⁰ ψ of all particles at step_start or plasticity [J]; in 2D per metre of depth  [Klar16 Eq.20]. ψ is Hencky's, the
/// unilateral one where the scene takes that for sand [Tam17 Eq.7], or water's [Tam17 §3.2].
/// @param scene of mpm  @param cohesion of each particle [Pa]; empty: the material's
double stored_energy(const Snapshot& state, const Scene& scene, std::span<const double> cohesion = {});

}  // namespace repose::experiments
