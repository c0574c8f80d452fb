#pragma once

#include "optimized/attendance.h"
#include "optimized/implicit/kernels.h"
#include "optimized/implicit/node_vector.h"
#include "optimized/implicit/weights.h"
#include "optimized/law/law_row.h"
#include "optimized/law/water_row.h"
#include "optimized/layout/buffer.h"
#include "optimized/layout/particle_order.h"
#include "optimized/layout/record.h"
#include "optimized/layout/tile_rows.h"
#include "reference/interface/scene/scene.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace repose::optimized {

/// The particles of a solver, as they lie.
template <class T, int dim>
struct ParticlesAt {
  const T* records = nullptr;
  const std::uint32_t* id = nullptr;  ///< scene id of each record
  const ParticleOrder<dim>* order = nullptr;
  const Wetness<T>* wetness = nullptr;  ///< of each record, where each grain has a cohesion of its own
};

/// The balance of momentum of an implicit step, and its derivative by the nodes' velocities.
///
///     f_i(v) = m_i g − Σ_p V⁰_p P(Z(F̂_p)) F_pᵀ ∇w_ip,   F̂_p = (1 + Δt Σ_i v_i ∇w_ipᵀ) F_p     [Klar16 Eq.15, Eq.23]
///     R_i(v) = m_i (v_i − v_iⁿ) − Δt f_i(v)                                                    [Klar16 Eq.19]
///
/// In semi-implicit steps P = ∂ψ/∂F̂: nothing returns to the cone, and R is the slope of
///
///     E(v) = Σ_i m_i (½ ‖v_i − v_iⁿ‖² − Δt g·v_i) + Σ_p V⁰_p ψ(ε_p(v))                         [Tam17 Eq.16]
///
/// Of water the force is Σ_p V⁰_p p(Ĵ_p) J_p ∇w_ip, Ĵ_p = (1 + Δt tr ∇v) J_p, and ψ = ψ(Ĵ_p).  [Tam17 Eq.17; ERRATA T14]
///
/// All of it in double whatever particles are stored in, but for stress_change<float>(): the step is long, so Newton's
/// method needs differences of large forces. Blocks of particles sum into their tiles, blocks of nodes add tiles in the order of their links.
/// Unknowns are the velocities of active nodes, those with mass; they are numbered in the order of their records.
template <class T, int dim>
class Balance {
 public:
  using Number = T;
  using Weights = MassWeights<Balance>;
  static constexpr int dimension = dim;
  static constexpr bool may_lack_energy = true;

  /// @param before node records (m_i, m_i v_iⁿ)
  Balance(const Scene& scene, ParticlesAt<T, dim> particles, const T* before, double dt, const Team& team,
          const ImplicitKernels<dim>& kernels);

  const NodeAlgebra& algebra() const { return algebra_; }
  std::size_t nodes() const { return node_.size(); }          ///< active ones
  std::size_t node(std::size_t k) const { return node_[k]; }  ///< place of the k-th among all records
  double mass(std::size_t k) const { return mass_[k]; }       ///< [kg]
  double dt() const { return dt_; }

  NodeVector velocity_before() const;  ///< vⁿ [m/s]

  /// Evaluates forces and their derivative at v [m/s].
  /// @returns the particle of least scene id that v inverts or whose stress is not finite
  std::optional<std::uint32_t> move_to(NodeVector v);

  /// Whether R is the slope of an energy: in semi-implicit steps.
  bool has_energy() const { return lagged_; }
  /// E where the balance stands, and what rounding may make of it: n ε of sums of n numbers, of ψ what 64 roundings of a strain
  /// make of it [J]. Summed node by node and block by block: the number of threads changes no bit.
  struct Height {
    double energy = 0.0, rounding = 0.0;
  };
  Height height() const;

  const NodeVector& velocity() const { return v_; }       ///< where it stands [m/s]
  const NodeVector& impulse() const { return impulse_; }  ///< Δt f(v) [kg m/s]
  void residual(NodeVector& R) const;                     ///< R(v) [kg m/s]
  /// Impulses of stress and gravity on a node, summed without their signs [kg m/s].
  double magnitude(std::size_t k) const { return magnitude_[k]; }
  std::uint64_t massless() const { return massless_; }    ///< nodes whose force is dropped
  int threads_moving() const { return threads_moving_; }  ///< that took part in a move_to(), the most of all

  /// What rounding may leave of a node's R [kg m/s]: 64 ε of m‖v‖, of m‖vⁿ‖, of the magnitude, and of the impulse of a
  /// strain of 1 + Δt max‖v‖/h. A strain near 0 comes from a deformation near 1 and a gradient of up to 64 velocities
  /// that cancel, so that flight without forces seems to strain.
  double rounding(std::size_t k) const;

  /// Rounds the derivative at these velocities for products in float.
  void round_derivative();

  /// Δt Σ_p V⁰_p d(P Fᵀ)(dv) ∇w: R changes by m dv and this.
  /// @tparam N numbers in which it is summed; in float the derivative is that of the last round_derivative()
  /// @param dv_of (k): dv of the k-th node [m/s]
  /// @param take  (k, sum): is given the k-th node's sum [kg m/s]; nodes come from several threads
  template <class N = double, class Velocity, class Take>
  void stress_change(Velocity&& dv_of, Take&& take) const;

  /// The d×d blocks on the diagonal of the derivative of R, per node: m 1 and the stress of a node that moves alone.
  std::vector<Mat<dim>> diagonal_blocks() const;

 private:
  using B = Block<dim>;
  using R = Record<dim>;
  using P = Pack<dim>;

  void number_nodes(const T* before);
  void fill_packs();
  LawRow<double> coherent(LawRow<double> law, std::size_t slot) const;
  void fill_lane(const T* record, const LawRow<double>& law, P& pack, std::size_t lane) const;
  void fill_lane(const T* record, const WaterRow<double>& law, P& pack, std::size_t lane) const;
  void sum_stiffness();
  PackBlock<dim> block(std::size_t b) const;
  void change_of_block(std::size_t b, const double* from, double* to) const;
  void change_of_block(std::size_t b, const double* from, float* to) const;
  std::optional<std::uint32_t> first_unsound() const;
  const double* fill_tile(std::size_t block) const;
  /// Nodes that a block's stencils reach beyond it: K − 1.
  int reach() const { return static_cast<int>(kernel_) + 2; }
  /// Of a loop over all particles: some hundred numbers each, and the nodes about it.
  int threads() const {
    return team_.of((dim == 3 ? 128.0 : 32.0) * number_ns * static_cast<double>(particles_.order->size()));
  }

  /// Writes what velocity_of(k) returns into node records. Called by all threads of a team.
  template <class Velocity>
  void spread(Velocity&& velocity_of) const;

  const Scene& scene_;
  ParticlesAt<T, dim> particles_;
  double dt_;
  Team team_;
  const ImplicitKernels<dim>& kernels_;
  std::size_t kernel_;                       ///< K − 3
  std::vector<std::uint32_t> node_;          ///< place of each active node's record
  std::vector<std::size_t> first_of_block_;  ///< its number, per block of nodes
  std::vector<double> mass_, magnitude_, stiffness_;
  double fastest_ = 0.0;  ///< largest ‖v‖ of a node [m/s]
  NodeVector momentum_, v_, impulse_;
  NodeAlgebra algebra_;
  std::vector<std::size_t> first_pack_;  ///< per block
  mutable Buffer<P> packs_;              ///< in the particles' order; kernels change them only in move_to()
  std::vector<std::size_t> first_rounded_;  ///< per block, as below
  Buffer<RoundedPack<dim>> rounded_;        ///< of round_derivative()
  bool lagged_, unilateral_, water_;
  std::vector<BlockEnergy> energy_;  ///< per block, where lagged
  std::uint64_t massless_ = 0;
  int threads_moving_ = 0;

  // Working space.
  mutable Buffer<double> records_;  ///< (·, v) of all nodes; what is not active stays zero
  mutable Buffer<double> tiles_, magnitude_tiles_;
  mutable Buffer<float> rounded_tiles_;
  mutable std::vector<Buffer<double>> tile_of_thread_;
};

template <class T, int dim>
template <class Velocity>
void Balance<T, dim>::spread(Velocity&& velocity_of) const {
#pragma omp for schedule(static)
  for (std::size_t k = 0; k < node_.size(); ++k) {
    const Vec<dim> v = velocity_of(k);
    double* to = records_.data() + std::size_t{4} * node_[k] + 1;
    for (int c = 0; c < dim; ++c) to[c] = v[c];
  }
}

template <class T, int dim>
void Balance<T, dim>::change_of_block(std::size_t b, const double* from, double* to) const {
  PackBlock<dim> one = block(b);
  one.from = from;
  one.to = to;
  kernels_.change[kernel_](one);
}

template <class T, int dim>
void Balance<T, dim>::change_of_block(std::size_t b, const double* from, float* to) const {
  const PackBlock<dim> of = block(b);
  kernels_.rounded_change[kernel_]({.packs = rounded_.data() + first_rounded_[b],
                                    .code = of.code,
                                    .count = of.count,
                                    .scale = static_cast<float>(of.dt_over_h * of.per_h),
                                    .from = from,
                                    .to = to});
}

template <class T, int dim>
template <class N, class Velocity, class Take>
void Balance<T, dim>::stress_change(Velocity&& dv_of, Take&& take) const {
  const auto& grid = particles_.order->grid();
  N* tiles;
  if constexpr (std::is_same_v<N, float>)
    tiles = rounded_tiles_.data();
  else
    tiles = tiles_.data();
  Attendance attendance(team_, grid.blocks());
#pragma omp parallel num_threads(threads())
  {
    bool any = false;
    spread(dv_of);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
      attendance.take(any);
      change_of_block(b, fill_tile(b), tiles + b * B::tile_values);
    }
#pragma omp for schedule(static)
    for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
      N sum[B::node_values];
      sum_tiles<dim, 4>(grid, n, tiles, B::tile_values, reach(), sum);
      for (std::size_t k = first_of_block_[n]; k < first_of_block_[n + 1]; ++k) {
        using Row = Eigen::Matrix<N, dim, 1>;
        take(k, Vec<dim>(Eigen::Map<const Row>(sum + 4 * (node_[k] % B::nodes) + 1).template cast<double>()));
      }
    }
  }
}

}  // namespace repose::optimized
