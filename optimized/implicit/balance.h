#pragma once

#include "optimized/implicit/node_vector.h"
#include "optimized/implicit/trial_stress.h"
#include "optimized/layout/particle_order.h"
#include "optimized/layout/record.h"
#include "reference/interface/scene.h"

#include <cstdint>
#include <optional>

namespace repose::optimized {

/// The particles of a solver, as they lie.
template <class T, int dim>
struct ParticlesAt {
  const T* records = nullptr;
  const std::uint32_t* id = nullptr;  ///< scene id of each record
  const ParticleOrder<dim>* order = nullptr;
};

/// The balance of momentum of an implicit step, and its derivative by the nodes' velocities.
///
///     f_i(v) = m_i g − Σ_p V⁰_p P(Z(F̂_p)) F_pᵀ ∇w_ip,   F̂_p = (1 + Δt Σ_i v_i ∇w_ipᵀ) F_p     [Klar16 Eq.15, Eq.23]
///     R_i(v) = m_i (v_i − v_iⁿ) − Δt f_i(v)                                                    [Klar16 Eq.19]
///
/// All of it in double whatever particles are stored in: the step is long, so Newton's method needs differences of
/// large forces. Blocks of particles sum into their tiles, blocks of nodes add tiles in the order of their links.
template <class T, int dim>
class Balance {
 public:
  /// @param before node records (m_i, m_i v_iⁿ)
  Balance(const Scene& scene, ParticlesAt<T, dim> particles, const T* before, double dt, int threads);

  const NodeAlgebra& algebra() const { return algebra_; }
  std::size_t nodes() const { return mass_.size(); }  ///< of occupied blocks, with those that have no mass
  double mass(std::size_t node) const { return mass_[node]; }  ///< [kg]; 0: not active
  double dt() const { return dt_; }

  NodeVector velocity_before() const;  ///< vⁿ [m/s]

  /// Evaluates forces and their derivative at v [m/s].
  /// @returns the particle of least scene id that v inverts or whose stress is not finite
  std::optional<std::uint32_t> move_to(NodeVector v);

  const NodeVector& velocity() const { return v_; }       ///< where it stands [m/s]
  const NodeVector& impulse() const { return impulse_; }  ///< Δt f(v) [kg m/s]
  NodeVector residual() const;                            ///< R(v) [kg m/s]
  /// Impulses of stress and gravity on a node, summed without their signs [kg m/s].
  double magnitude(std::size_t node) const { return magnitude_[node]; }
  std::uint64_t massless() const { return massless_; }  ///< nodes whose force is dropped

  /// out = Δt Σ_p V⁰_p d(P Fᵀ)(dv) ∇w: R changes by m dv + out.
  void stress_change(const NodeVector& dv, NodeVector& out) const;

  /// The d×d blocks on the diagonal of the derivative of R, per node: m 1 and the stress of a node that moves alone.
  std::vector<Mat<dim>> diagonal_blocks() const;

 private:
  using B = Block<dim>;
  using R = Record<dim>;

  template <int K>
  void move_block(std::size_t block, const double* v, double* out, std::optional<std::uint32_t>& bad);
  template <int K>
  void change_block(std::size_t block, const double* dv, double* out) const;
  template <int K>
  void columns_of_block(std::size_t block, double* const* out) const;
  void fill_tile(std::size_t block, const NodeVector& v, double* tile) const;
  /// Adds the tiles up on nodes.
  void sum(const std::vector<double>& tiles, NodeVector& out) const;
  std::vector<double> room_for_tiles() const;

  const Scene& scene_;
  ParticlesAt<T, dim> particles_;
  double dt_;
  int threads_;
  NodeAlgebra algebra_;
  std::vector<LawRow<double>> laws_;
  std::vector<double> mass_, magnitude_;
  NodeVector momentum_, v_, impulse_;
  std::vector<TrialStress<dim>> stress_;  ///< in the particles' order
  mutable std::vector<double> tiles_;     ///< working space of stress_change()
  std::uint64_t massless_ = 0;
};

}  // namespace repose::optimized
