#pragma once

#include "reference/interface/methods/mpm_probes.h"
#include "validation/crosscheck/mpm/plain_law.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"
#include "validation/mechanics/water.h"

#include <optional>
#include <utility>
#include <vector>

namespace repose::crosscheck {

/// The balance of an implicit step as the published formulas have it, particle by particle and sum by sum: the judge's
/// own, by which both solvers are judged, the readable one too.
///
///     A_p = 1 + Δt Σ_i v_i ∇w_ipᵀ,   b̂ = A F Fᵀ Aᵀ = U diag(β) Uᵀ,   ε̂ = ½ ln β                     [Klar16 Eq.15, Eq.16]
///     P(Z(F̂)) Fᵀ = U diag(exp(ε̂_i − ε_i) τ_i) Uᵀ A⁻ᵀ,   τ = 2μ ε + λ tr(ε) 1                          [Klar16 Eq.26]
///
/// with ε the return of ε̂ + v_c/d 1 at the cone of qⁿ [Klar16 Eq.27, Eq.28; Tam17 Eq.27], and τ of the unilateral energy where
/// that is asked for [Tam17 Eq.7]. In semi-implicit steps nothing returns: ε = ε̂ + v_c/d 1, and the stretches by which τ is
/// divided are those of F̂,
///
///     P Fᵀ = U diag(τ_i) Uᵀ A⁻ᵀ                                                                          [Tam17 Eq.16]
///
/// Of water, whose F is 1, the stress is −p(Ĵ) J 1 with Ĵ = tr(A − 1) J + J [Tam17 Eq.17; ERRATA T14], whatever the integrator.
///
/// Of F no more than b̂ is used, the derivative is a difference quotient of the stress: no formula of either solver's.
class PlainBalance {
 public:
  /// @param state at p2g
  PlainBalance(const Scene& scene, const Snapshot& state, double dt);

  /// Δt f(v) and the magnitudes of what it sums. nothing: v inverts a particle.
  std::optional<NodeImpulses> impulses(const std::vector<double>& v) const;

  /// Change of Δt f for dv: difference quotients of each particle's stress, the plastic case and the region of the multiplier kept
  /// that it has at v.
  ///
  ///     D = [8 (τ(η) − τ(−η)) − (τ(2η) − τ(−2η))]/(12 η) = τ′ − η⁴/30 τ⁗′
  ///
  /// Over strains of η = 10⁻⁴, on the surface 10⁻⁴ ‖dev ε̂‖, since the direction of the return turns by η/‖dev ε̂‖. The
  /// second term is then some 10⁻¹⁶ of the first. What remains is rounding, `error`: 32 u (2μ + dλ)/η with u of long
  /// double, 2⁻⁶⁴ where it is longer than double. η is kept above 10⁻¹⁴: nearer to the tip directions mean nothing. Where the
  /// unilateral multiplier may fall, η is 10⁻⁴ of the strain over which it does, or over which it opens with shear; h has the degree
  /// five there, the second term is less than 10⁻¹² of the largest stiffness, which stands in the place of 2μ + dλ. Of water η is
  /// 10⁻⁴ of Ĵ, the stiffness that of (γ + 4)⁴ to one; where tension is cut off within 2 η all of it.
  struct Change {
    std::vector<double> impulse;  ///< d per node [kg m/s]
    std::vector<double> error;    ///< one per node [kg m/s]
  };
  Change change(const std::vector<double>& v, const std::vector<double>& dv) const;

  /// Energies at v; where nothing yields, as in semi-implicit steps, R is the slope of their sum.
  ///
  ///     moving   Σ_i m_i (½ ‖v_i − v_iⁿ‖² − Δt g·v_i)
  ///     elastic  Σ_p V⁰_p ψ(ε),   ψ = μ ε:ε + ½ λ tr(ε)², h times that with the unilateral energy          [Tam17 Eq.16]
  ///
  /// `rounding` is what sums of that many terms, and strains that are known to 64 (1 + Δt max‖v‖/h) roundings, leave.
  struct Energy {
    double moving = 0.0, elastic = 0.0, rounding = 0.0;  ///< [J]
    double sum() const { return moving + elastic; }
  };
  /// @param v inverts no particle
  Energy energy(const std::vector<double>& v) const;

 private:
  struct Weight {
    std::size_t node;  ///< place in the state's list
    Point slope;       ///< ∇w [1/m]
  };
  struct Particle {
    Tensor F;
    double volume;
    double J;  ///< of water
    PlainLaw law;
    std::size_t begin, end;  ///< of its weights
  };

  static bool is_water(const Particle& p) { return p.law.material->kind == repose::MaterialKind::water; }
  /// −p(Ĵ) J 1 [Pa], as PlainResponse::stress().
  template <class T>
  static Square<T> water_stress(const Particle& p, T J_trial) {
    return -mechanics::water_pressure(*p.law.material, J_trial) * static_cast<T>(p.J) * Square<T>::Identity();
  }
  double trial_volume(const Particle& p, const std::vector<double>& v) const {
    return (1.0 + dt_ * gradient(p, v).trace()) * p.J;
  }
  /// What one particle adds to a change. @param grad_dv not zero
  std::pair<Tensor, double> change_of_water(const Particle& p, const std::vector<double>& v,
                                            const Tensor& grad_dv) const;
  std::pair<Tensor, double> change_of_stress(const Particle& p, const std::vector<double>& v,
                                             const Tensor& grad_dv) const;

  /// Σ_i u_i ∇w_ipᵀ
  Tensor gradient(const Particle& p, const std::vector<double>& u) const;

  const Scene& scene_;
  double dt_;
  std::vector<double> mass_, momentum_;
  std::vector<Particle> particles_;
  std::vector<Weight> weights_;
};

}  // namespace repose::crosscheck
