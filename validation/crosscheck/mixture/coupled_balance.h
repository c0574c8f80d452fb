#pragma once

#include "reference/interface/methods/mixture_probes.h"
#include "validation/crosscheck/mixture/part_stage.h"
#include "validation/crosscheck/mpm/solve_balance.h"

#include <array>
#include <functional>
#include <vector>

namespace repose::crosscheck {

/// One phase of a mixture in front of a semi-implicit step, and its balance.
struct PhaseBalance {
  /// @param state of the mixture at p2g
  PhaseBalance(const Snapshot& state, const Scene& scene, double dt, mixture::Phase of)
      : phase(of), part(state, scene, of), plain(part.scene, part.state, dt) {}

  std::vector<double> own(const std::vector<double>& of_all, int components) const {
    return mixture::picked(of_all, components, part.members.nodes);
  }
  /// @param values of this phase's nodes  @param nodes of both
  std::vector<double> spread(const std::vector<double>& values, std::size_t components,
                             std::size_t nodes) const;

  mixture::Phase phase;
  PartState part;
  PlainBalance plain;
};

/// Δt d_i [kg] of a node that has both masses; d_i as published, 0 without drag.
double drag_of_step(const Scene& scene, double m_s, double m_w, double dt);

/// What both phases of a semi-implicit step balance: those of each, drag, and the impulse r of the reversible term on sand.
///
///     R_s = R(v_s) + D (v_s − v_w) − r,   R_w = R(v_w) − D (v_s − v_w) + r,   D = Δt d_i      [Tam17 Eq.18–21]
///     E = E_s + E_w + Σ_i ½ D ‖v_s − v_w‖² − r·(v_s − v_w)
///
/// Nodes are those of sand, then those of water. The variables in which mass and drag are 1 are known by their norms alone: with A the
/// matrix of mass and drag of a node in what bodies leave free, ‖r‖² = rᵀ A⁺ r and ‖dv‖² = dvᵀ A dv.
class TwoPhaseBalance final : public SolveBalance {
 public:
  /// Changes of Δt f of both phases, the readable solver's.
  using ChangeOfBoth = std::function<PhaseChanges(const PhaseVelocities& v, const PhaseVelocities& dv)>;

  /// @param state of the mixture at p2g  @param sand, water outlive it  @param reversible r, d per node of the mixture [kg m/s]
  TwoPhaseBalance(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state, double dt,
                  const PhaseBalance& sand, const PhaseBalance& water, const std::vector<double>& reversible,
                  ChangeOfBoth change);

  std::string_view phase(std::size_t node) const override { return node < sand_size_ ? "sand" : "water"; }
  Standing stand(const std::vector<double>& v) const override;
  Change change(const std::vector<double>& v, const std::vector<double>& dv) const override;
  Measured height(const std::vector<double>& v) const override;
  std::vector<double> explicit_velocities() const override;
  Measured squared(const std::vector<Point>& r, const FreePart& free) const override;
  double squared_length(const std::vector<double>& dv) const override;

  /// A solve as it is told, of all nodes of the mixture and both phases, as one of the nodes here. Nothing where it misses nodes,
  /// or tells of a phase where that is not.
  std::optional<SolveHistory> of_nodes(const SolveHistory& told) const;

 private:
  /// A node of both phases.
  struct Pair {
    std::size_t sand, water;
    double drag;       ///< D [kg]
    Point reversible;  ///< r [kg m/s]
  };
  std::array<std::vector<double>, 2> parts(const std::vector<double>& v) const;
  Point slip(const Pair& pair, const std::vector<double>& v) const {
    return point_at(v, pair.sand, d()) - point_at(v, pair.water, d());
  }
  double speeds(const Pair& pair, const std::vector<double>& v) const {
    return point_at(v, pair.sand, d()).norm() + point_at(v, pair.water, d()).norm();
  }
  std::optional<std::vector<double>> of_nodes(const std::vector<double>& told) const;

  const Snapshot& state_;
  const PhaseBalance& sand_;
  const PhaseBalance& water_;
  std::size_t sand_size_;  ///< nodes of sand
  std::vector<Pair> pairs_;
  ChangeOfBoth change_;
};

}  // namespace repose::crosscheck
