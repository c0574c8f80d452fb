#pragma once

#include "reference/interface/methods/mpm_probes.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"

#include <optional>
#include <vector>

namespace repose::crosscheck {

/// The balance of an implicit step as the published formulas have it, particle by particle and sum by sum: the judge's
/// own, by which both solvers are judged, the readable one too.
///
///     A_p = 1 + Δt Σ_i v_i ∇w_ipᵀ,   b̂ = A F Fᵀ Aᵀ = U diag(β) Uᵀ,   ε̂ = ½ ln β                     [Klar16 Eq.15, Eq.16]
///     P(Z(F̂)) Fᵀ = U diag(exp(ε̂_i − ε_i) τ_i) Uᵀ A⁻ᵀ,   τ = 2μ ε + λ tr(ε) 1                          [Klar16 Eq.26]
///
/// with ε the return of ε̂ + v_c/d 1 at the cone of qⁿ [Klar16 Eq.27, Eq.28; Tam17 Eq.27]. Of F no more than b̂ is used,
/// the derivative is a difference quotient of the stress: no formula of either solver's.
class PlainBalance {
 public:
  /// @param state at p2g
  /// @throws std::logic_error for semi-implicit steps and for the unilateral energy, of which it has no formulas
  PlainBalance(const Scene& scene, const Snapshot& state, double dt);

  /// Δt f(v) and the magnitudes of what it sums. nothing: v inverts a particle.
  std::optional<NodeImpulses> impulses(const std::vector<double>& v) const;

  /// Change of Δt f for dv: difference quotients of each particle's stress, the plastic case kept that it has at v.
  ///
  ///     D = [8 (τ(η) − τ(−η)) − (τ(2η) − τ(−2η))]/(12 η) = τ′ − η⁴/30 τ⁗′
  ///
  /// Over strains of η = 10⁻⁴, on the surface 10⁻⁴ ‖dev ε̂‖, since the direction of the return turns by η/‖dev ε̂‖. The
  /// second term is then some 10⁻¹⁶ of the first. What remains is rounding, `error`: 32 u (2μ + dλ)/η with u of long
  /// double, 2⁻⁶⁴ where it is longer than double. η is kept above 10⁻¹⁴: nearer to the tip directions mean nothing.
  struct Change {
    std::vector<double> impulse;  ///< d per node [kg m/s]
    std::vector<double> error;    ///< one per node [kg m/s]
  };
  Change change(const std::vector<double>& v, const std::vector<double>& dv) const;

  /// Energy Σ_p V⁰_p ψ(ε) at v [J], ψ = μ ε:ε + ½ λ tr(ε)², of which f is minus the gradient where nothing yields.
  double energy(const std::vector<double>& v) const;

 private:
  struct Weight {
    std::size_t node;  ///< place in the state's list
    Point slope;       ///< ∇w [1/m]
  };
  struct Particle {
    Tensor F;
    double volume, q, v_c;
    const Material* material;
    std::size_t begin, end;  ///< of its weights
  };

  /// Σ_i u_i ∇w_ipᵀ
  Tensor gradient(const Particle& p, const std::vector<double>& u) const;

  const Scene& scene_;
  double dt_;
  std::vector<double> mass_;
  std::vector<Particle> particles_;
  std::vector<Weight> weights_;
};

}  // namespace repose::crosscheck
