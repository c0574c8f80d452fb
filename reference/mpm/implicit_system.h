#pragma once

#include "reference/interface/solve_history.h"
#include "reference/mpm/implicit_scale.h"
#include "reference/mpm/state.h"
#include "reference/physics/stress_derivative.h"
#include "reference/physics/water.h"

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <vector>

namespace repose {

/// The balance of momentum of an implicit step without its contacts, as a function of the velocities of the
/// active nodes, and its derivative.
///
///     F̂_p(v) = (1 + Δt Σ_i v_i ∇w_ipᵀ) F_p                                [Klar16 Eq.15, Eq.16]
///     f_i(v) = m_i g − Σ_p V⁰_p P(Z(F̂_p)) F_pᵀ ∇w_ip                      [Klar16 Eq.23, Eq.24]
///     R_i(v) = m_i (v_i − v_iⁿ) − Δt f_i(v)                               [Klar16 Eq.19] [Tam17 Eq.18]
///
/// P is the stress of the deformation that the return mapping leaves, F_p the deformation before the step: f
/// is minus the derivative of the elastic energy by the nodes' positions at the end of the step where nothing
/// yields. Z uses the cone of qⁿ and the volume correction before the step throughout.
///
/// In semi-implicit steps nothing yields before the step's end: Z is left out, P = ∂ψ/∂F̂ is lagged_stress(), and R is the
/// gradient of an energy. The grid's positions move by Δt dv, so that f = −∂Σ V⁰ψ/∂x̂; print has −∂ψ/∂x̂.
///
///     E(v) = Σ_i m_i (½ ‖v_i − v_iⁿ‖² − Δt g·v_i) + Σ_p V⁰_p ψ(ε_p(v)),   R = ∂E/∂v             [Tam17 Eq.16, Eq.18]
///
/// Of water the deformation is one number, and nothing yields: R is the gradient of E in implicit steps, too.
///
///     Ĵ_p(v) = (1 + Δt tr Σ_i v_i ∇w_ipᵀ) J_p                              [Tam17 §4.3.1] [ERRATA T4]
///     f_i(v) = m_i g + Σ_p V⁰_p p(Ĵ_p) J_p ∇w_ip,   ψ = ψ(Ĵ_p)             [Tam17 Eq.17] [ERRATA T14]
///
/// Departs from [Tam17 Eq.17], which has the F of water: its J is no determinant (update_particles()).
///
/// Vectors hold d numbers per active node, nodes in ascending id.
template <int d>
class ImplicitSystem {
 public:
  using Scale = RootMass<d>;

  /// @param state stands at p2g; must outlive the system and keep its nodes
  ImplicitSystem(const State<d>& state, const StepContext& step);

  std::size_t nodes() const { return mass_.size(); }
  double mass(std::size_t node) const { return mass_[node]; }  ///< m_i [kg]

  /// vⁿ [m/s].
  Eigen::VectorXd velocity_before() const;

  /// v − R/m [m/s]: where the system stands at vⁿ, that of forces which move nothing first.
  Eigen::VectorXd velocity_after_forces() const;

  /// Evaluates forces and their derivative at v [m/s].
  /// @returns the first particle that v inverts, det(1 + Δt ∇v) ≤ 0 or Ĵ ≤ 0, or whose stress is not finite; then the
  ///          system stands at no velocity and has to be moved again
  std::optional<std::size_t> move_to(const Eigen::VectorXd& v);

  const Eigen::VectorXd& velocity() const { return v_; }       ///< where the system stands [m/s]
  const Eigen::VectorXd& impulse() const { return impulse_; }  ///< Δt f(v) [kg m/s]
  Eigen::VectorXd residual() const;                            ///< R(v) [kg m/s]

  /// The impulses of stress and gravity on each node, summed without their signs [kg m/s]: what R balances.
  const std::vector<double>& impulse_magnitude() const { return magnitude_; }

  /// What rounding may leave of R_i where it ought to vanish [kg m/s].
  ///
  ///     64 ε (m_i (‖v_i‖ + ‖v_iⁿ‖) + I_i + (1 + Δt max‖v‖/h) Δt Σ_p V⁰_p (2μ + dλ) ‖∇w_ip‖)
  ///
  /// with I_i the magnitude above, and dγk for 2μ + dλ of water. The last sum is what a strain of 1 would do: strains near 0 are differences of
  /// numbers near 1, formed from a gradient of at most 64 terms, so that a body in free flight seems strained.
  double rounding(std::size_t node) const;

  /// Change of R for a change of v.
  ///
  ///     dF̂_p = Δt Σ_i dv_i ∇w_ipᵀ F_p,   dR_i = m_i dv_i + Δt Σ_p V⁰_p dP(dF̂_p) F_pᵀ ∇w_ip
  ///     dĴ_p = Δt tr Σ_i dv_i ∇w_ipᵀ J_p,   dR_i = m_i dv_i + Δt Σ_p V⁰_p (−dp/dJ) dĴ_p J_p ∇w_ip   of water
  ///
  /// @param dv [m/s]
  /// @returns dR [kg m/s], linear in dv; the matrix is not symmetric where particles slide, unless the step is
  ///          semi-implicit; of water it is symmetric and definite
  Eigen::VectorXd derivative_along(const Eigen::VectorXd& dv) const;

  /// E(v) of semi-implicit steps and of water, and what rounding may make of it: every sum of n terms n ε of its parts, of
  /// which ψ is known to ‖∂ψ/∂ε‖ times the rounding of a strain.
  struct Energy {
    double value = 0.0;     ///< [J]
    double rounding = 0.0;  ///< [J]
  };
  Energy energy() const;

  // For those who are told a solve: numbers, and who holds whom, at the nodes of save().
  std::vector<double> at_all_nodes(const Eigen::VectorXd& v) const { return {v.begin(), v.end()}; }
  std::vector<NodeHold> at_all_nodes(std::vector<NodeHold> holds) const { return holds; }

  /// Particle–node pairs whose force is dropped, since the node has no mass.
  std::uint64_t massless() const { return massless_; }

 private:
  struct Weight {
    Eigen::Index at;  ///< first of the node's numbers
    Vec<d> grad_w;    ///< [1/m]
  };
  /// A particle's weights are weight_[begin, end).
  struct Range {
    std::size_t begin, end;
  };
  /// A particle where the system stands.
  struct Point {
    ReturnedStress<d> stress;  ///< of sand and elastic bodies
    OfVolume volume;           ///< of water, at Ĵ
    double J = 1.0;            ///< Ĵ [-]
  };

 public:
  /// What a system keeps [B], Krylov vectors and contacts apart.
  static constexpr std::size_t bytes_per_stencil_node = sizeof(Weight);
  static constexpr std::size_t bytes_per_particle = sizeof(Range) + sizeof(Point);
  static constexpr std::size_t bytes_per_node = 4 * sizeof(double);  ///< numbers, not vectors

 private:
  /// Σ_i u_i ∇w_ipᵀ.
  Mat<d> gradient(const Eigen::VectorXd& u, const Range& range) const;
  Cone cone(const Particle<d>& p) const;
  ReturnedStress<d> stress(const Particle<d>& p, const Mat<d>& F_trial) const;
  /// P(Z(F̂)), or of water, whose F is 1, −p(Ĵ) J 1, as the nodes' velocities deform a particle [Pa]; nothing where they
  /// invert it.
  std::optional<Mat<d>> deform(const Particle<d>& p, const Mat<d>& grad_v, Point& point) const;
  /// Its change.
  Mat<d> change(const Particle<d>& p, const Point& point, const Mat<d>& grad_dv) const;

  const State<d>& state_;
  const Scene& scene_;
  double dt_;
  std::vector<double> mass_;
  std::vector<double> momentum_;  ///< m_i ‖v_iⁿ‖ [kg m/s]
  std::vector<Weight> weight_;
  std::vector<Range> range_;
  std::uint64_t massless_ = 0;

  Eigen::VectorXd v_, impulse_;
  std::vector<double> magnitude_;
  std::vector<double> stiff_;  ///< impulse of a strain of 1 on each node [kg m/s]
  double fastest_ = 0.0;       ///< largest ‖v_i‖ [m/s]
  std::vector<Point> point_;
};

}  // namespace repose
