#pragma once

#include "optimized/implicit/balance.h"
#include "optimized/mixture/coupled_weights.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace repose::optimized {

/// What couples the unknowns of both phases.
struct Coupling {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> partner;  ///< per node of sand the number of its node of water, or none
  std::vector<double> drag;            ///< Δt d_i per node of sand; 0 where water is not [kg]
  NodeVector reversible;               ///< r_i on sand, d per node of sand [kg m/s]
};

/// The balance of both phases of a semi-implicit step of the mixture: those of each, drag between them, and the impulse of the
/// reversible term, which the velocities do not change. Unknowns are those of sand, then those of water.
///
///     R_s = R(v_s) + Δt d_i (v_s − v_w) − r_i,   R_w = R(v_w) − Δt d_i (v_s − v_w) + r_i      [Tam17 Eq.18–21; ERRATA T40]
///     E = E_s + E_w + Σ_i ½ Δt d_i ‖v_s − v_w‖² − r_i·(v_s − v_w)
///
/// It tells of itself what Balance tells.
template <class T, int dim>
class CoupledBalance {
 public:
  using Number = T;
  using Weights = CoupledWeights<CoupledBalance>;
  using Height = typename Balance<T, dim>::Height;
  static constexpr int dimension = dim;
  static constexpr bool may_lack_energy = false;

  /// @param among places among all of each phase's particles, which outlive it
  CoupledBalance(Balance<T, dim> sand, Balance<T, dim> water, Coupling coupling,
                 std::array<std::span<const std::size_t>, 2> among, const Team& team,
                 const ImplicitKernels<dim>& kernels);

  const Balance<T, dim>& sand() const { return sand_; }
  const Balance<T, dim>& water() const { return water_; }
  /// Where one node of both phases' is, or Coupling::none. @param k a node of sand @returns the number of water's among all nodes
  std::size_t partner(std::size_t k) const {
    return coupling_.partner[k] == Coupling::none ? Coupling::none : sand_.nodes() + coupling_.partner[k];
  }
  double drag(std::size_t k) const { return coupling_.drag[k]; }  ///< Δt d of a node of sand [kg]
  std::uint64_t dragged_nodes() const;                            ///< where drag could act

  const NodeAlgebra& algebra() const { return algebra_; }
  std::size_t nodes() const { return sand_.nodes() + water_.nodes(); }
  double mass(std::size_t k) const { return is_sand(k) ? sand_.mass(k) : water_.mass(k - sand_.nodes()); }
  double dt() const { return sand_.dt(); }
  NodeVector velocity_before() const;
  /// @returns the place among all particles of one that v inverts or whose stress is not finite
  std::optional<std::int64_t> move_to(NodeVector v);
  bool has_energy() const { return true; }
  Height height() const;
  const NodeVector& velocity() const { return v_; }
  const NodeVector& impulse() const {
    return impulse_;
  }  ///< of stress, gravity, drag and reversible term [kg m/s]
  void residual(NodeVector& R) const;
  /// Impulses on a node, summed without their signs [kg m/s].
  double magnitude(std::size_t k) const;
  double rounding(std::size_t k) const;
  std::uint64_t massless() const { return sand_.massless() + water_.massless(); }
  int threads_moving() const { return std::max(sand_.threads_moving(), water_.threads_moving()); }
  void round_derivative();
  /// As Balance's, of stress alone, sand's nodes first: all of them are taken before the first of water.
  template <class N = double, class Velocity, class Take>
  void stress_change(Velocity&& dv_of, Take&& take) const {
    sand_.template stress_change<N>(dv_of, take);
    const std::size_t first = sand_.nodes();
    water_.template stress_change<N>([&](std::size_t k) { return dv_of(first + k); },
                                     [&](std::size_t k, const Vec<dim>& sum) { take(first + k, sum); });
  }
  Vec<dim> reversible(std::size_t k) const {
    return of_node<dim>(coupling_.reversible, k);
  }  ///< r of a node of sand
  /// Δt d (v_s − v_w), what drag gives to water, at a node of sand where the balance stands [kg m/s].
  Vec<dim> dragged(std::size_t k) const;
  /// One phase's part of a vector.
  NodeVector of_sand(const NodeVector& all) const {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(dim * sand_.nodes())};
  }
  NodeVector of_water(const NodeVector& all) const {
    return {all.begin() + static_cast<std::ptrdiff_t>(dim * sand_.nodes()), all.end()};
  }

 private:
  bool is_sand(std::size_t k) const { return k < sand_.nodes(); }

  Balance<T, dim> sand_, water_;
  Coupling coupling_;
  std::vector<std::uint32_t> sand_at_;  ///< per node of water that of sand, or none
  std::array<std::span<const std::size_t>, 2> among_;
  NodeAlgebra algebra_;
  NodeVector v_, impulse_;
};

extern template class CoupledBalance<float, 2>;
extern template class CoupledBalance<float, 3>;
extern template class CoupledBalance<double, 2>;
extern template class CoupledBalance<double, 3>;

}  // namespace repose::optimized
