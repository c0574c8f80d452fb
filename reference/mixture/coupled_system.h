#pragma once

#include "reference/mixture/coupled_scale.h"
#include "reference/mixture/state.h"
#include "reference/mpm/implicit_system.h"

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace repose {

/// What both phases of a semi-implicit step balance without their contacts, as a function of the velocities of all nodes, and
/// its derivative; a System of ImplicitNewton.                                            [Tam17 §4.2; ERRATA T40]
///
///     R_s = m_s (v_s − v_sⁿ) − Δt f_s(v_s) + Δt d_i (v_s − v_w) − r_i                     [Tam17 Eq.18, Eq.20]
///     R_w = m_w (v_w − v_wⁿ) − Δt f_w(v_w) − Δt d_i (v_s − v_w) + r_i                     [Tam17 Eq.19, Eq.21]
///     E = E_s(v_s) + E_w(v_w) + Σ_i ½ Δt d_i ‖v_s − v_w‖² − r_i·(v_s − v_w),   R = ∂E/∂v
///
/// f and E of a phase as of its ImplicitSystem, d_i = drag_coefficient_at(), where a phase is alone 0. r_i is the impulse of the
/// reversible term on sand by the pressures before the step, as in explicit steps: the force of the term, whose share depends on
/// the node, is the gradient of no energy, so that it would make the matrix unsymmetric. [Tam17 §5.3] does not say.
///
/// Vectors hold d numbers per node of a phase: those of sand, then those of water, each in ascending id.
template <int d>
class CoupledSystem {
 public:
  using Scale = CoupledScale<d>;
  using Energy = typename ImplicitSystem<d>::Energy;

  /// @param state stands at p2g; must outlive the system and keep its nodes
  CoupledSystem(const MixtureState<d>& state, const StepContext& step);

  std::size_t nodes() const { return mass_.size(); }           ///< of both phases; one of both counts twice
  double mass(std::size_t node) const { return mass_[node]; }  ///< [kg]
  const std::vector<NodePair>& pairs() const { return pairs_; }

  Eigen::VectorXd velocity_before() const;  ///< vⁿ [m/s]
  /// v* of the explicit step [m/s]: where the system stands at vⁿ, that of forces, then of drag node by node.
  Eigen::VectorXd velocity_after_forces() const;

  /// As ImplicitSystem::move_to(); a particle is named by its place among all.
  std::optional<std::size_t> move_to(const Eigen::VectorXd& v);

  const Eigen::VectorXd& velocity() const { return v_; }       ///< where the system stands [m/s]
  const Eigen::VectorXd& impulse() const { return impulse_; }  ///< Δt f(v) ± r [kg m/s]
  Eigen::VectorXd residual() const;                            ///< R(v) [kg m/s]

  /// The impulses of stress, gravity, drag and reversible term on each node, summed without their signs [kg m/s].
  const std::vector<double>& impulse_magnitude() const { return magnitude_; }
  /// What rounding may leave of R_i [kg m/s]: as of its phase, and 64 ε of the drag's two parts and of r.
  double rounding(std::size_t node) const;

  Eigen::VectorXd derivative_along(const Eigen::VectorXd& dv) const;  ///< dR, linear in dv; symmetric
  /// Change of Δt f of the phases alone [kg m/s].
  Eigen::VectorXd stress_change_along(const Eigen::VectorXd& dv) const;
  Energy energy() const;  ///< E(v)

  std::vector<double> at_all_nodes(const Eigen::VectorXd& v) const;  ///< as SolveHistory has it
  std::vector<NodeHold> at_all_nodes(std::vector<NodeHold> holds) const;
  /// A vector of such numbers, taken apart. @param sand, water d per node of MixtureState::nodes
  Eigen::VectorXd from_all_nodes(std::span<const double> sand, std::span<const double> water) const;

  std::uint64_t massless() const { return sand_.massless() + water_.massless(); }
  const ImplicitSystem<d>& of(mixture::Phase phase) const {
    return phase == mixture::Phase::water ? water_ : sand_;
  }
  /// Numbers of one phase, spread over all nodes. @param values k per node of that phase
  std::vector<double> spread(std::span<const double> values, mixture::Phase phase, std::size_t k) const;
  /// Δt d_i (v_s − v_w) at each of MixtureState::nodes [kg m/s].
  std::vector<double> drag_impulses(const Eigen::VectorXd& v) const;
  /// r, as drag_impulses().
  std::vector<double> reversible_impulses() const;

 private:
  Eigen::Index size_of_sand() const { return static_cast<Eigen::Index>(d * sand_.nodes()); }
  Eigen::VectorXd both(const Eigen::VectorXd& sand, const Eigen::VectorXd& water) const;
  /// Δt d_i (v_s − v_w) of a pair.
  Vec<d> drag(const NodePair& pair, const Eigen::VectorXd& v) const;

  const MixtureState<d>& state_;
  double dt_;
  ImplicitSystem<d> sand_, water_;
  std::vector<double> mass_;
  std::vector<NodePair> pairs_;
  std::vector<Vec<d>> reversible_;               ///< r of each pair [kg m/s]
  std::vector<double> rate_;                     ///< of the drag of each pair [1/s]
  std::vector<std::size_t> sand_at_, water_at_;  ///< places among all nodes of each phase's

  Eigen::VectorXd v_, impulse_;
  std::vector<double> magnitude_;
  std::vector<double> parts_;  ///< of the exchange at each node, Δt d_i (‖v_s‖ + ‖v_w‖) + ‖r‖ [kg m/s]
};

}  // namespace repose
