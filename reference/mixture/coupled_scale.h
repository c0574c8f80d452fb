#pragma once

#include "reference/mpm/implicit_contacts.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <cmath>
#include <cstddef>
#include <vector>

namespace repose {

/// A node's d numbers in a vector of all.
template <int d, class Vector>
auto at_slot(Vector& v, std::size_t node) {
  return v.template segment<d>(static_cast<Eigen::Index>(d * node));
}

/// A node of both phases: where each is among the nodes of a CoupledSystem.
struct NodePair {
  std::size_t sand, water;
  double drag;  ///< Δt d_i [kg]
};

/// Variables y = Lᵀ v, in which mass and drag of a node are 1, so that no stiff drag is left to an iterative solver:
///
///     L Lᵀ = ( (m_s + D) 1    −D T_s T_w  )          D = Δt d_i
///            ( −D T_w T_s     (m_w + D) 1 )
///
/// T projects on what a phase's bodies leave free. On free velocities that is the matrix of mass and drag, and it leads none
/// out of them. By blocks
///
///     L_ss = √(m_s + D),   L_ws = −D/√(m_s + D) T_w T_s
///     L_ww L_wwᵀ = m_w + D (1 − T_w T_s T_w) + D m_s/(m_s + D) T_w T_s T_w
///
/// where no two large numbers leave a small one. Without drag they are the variables √m v of RootMass.
template <int d>
class CoupledScale {
 public:
  /// @param system its nodes(), mass() and pairs()
  template <class System>
  explicit CoupledScale(const System& system) : pairs_(system.pairs()), factor_(pairs_.size()) {
    for (std::size_t i = 0; i < system.nodes(); ++i) {
      mass_.push_back(system.mass(i));
      root_.push_back(std::sqrt(system.mass(i)));
    }
    for (const NodePair& pair : pairs_) root_[pair.sand] = std::sqrt(mass_[pair.sand] + pair.drag);
  }

  void linearize(const std::vector<NodeBodies<d>>& bodies) {
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      const auto [s, w, D] = pairs_[n];
      Mat<d> both;
      Mat<d> square;
      for (int a = 0; a < d; ++a) {
        both.col(a) = bodies[w].free_part(bodies[s].free_part(Vec<d>::Unit(a)));
        square.col(a) = bodies[w].free_part(bodies[s].free_part(bodies[w].free_part(Vec<d>::Unit(a))));
      }
      const Mat<d> one = Mat<d>::Identity();
      factor_[n].both = both;
      factor_[n].water.compute(mass_[w] * one + D * (one - square) +
                               D * (mass_[s] / (mass_[s] + D)) * square);
    }
  }

  /// T L^−T y.
  Eigen::VectorXd velocity(const std::vector<NodeBodies<d>>& bodies, const Eigen::VectorXd& y) const {
    Eigen::VectorXd v(y.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) at_slot<d>(v, i) = at_slot<d>(y, i) / root_[i];
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      const auto [s, w, D] = pairs_[n];
      const Vec<d> v_w = factor_[n].water.matrixU().solve(Vec<d>(at_slot<d>(y, w)));
      at_slot<d>(v, w) = v_w;
      at_slot<d>(v, s) += D / (root_[s] * root_[s]) * (factor_[n].both.transpose() * v_w);
    }
    return free(bodies, v);
  }

  /// L^−1 T r.
  Eigen::VectorXd reduced(const std::vector<NodeBodies<d>>& bodies, const Eigen::VectorXd& r) const {
    const Eigen::VectorXd rest = free(bodies, r);
    Eigen::VectorXd y(r.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) at_slot<d>(y, i) = at_slot<d>(rest, i) / root_[i];
    for (std::size_t n = 0; n < pairs_.size(); ++n) {
      const auto [s, w, D] = pairs_[n];
      const Vec<d> from_sand = D / (root_[s] * root_[s]) * (factor_[n].both * at_slot<d>(rest, s));
      at_slot<d>(y, w) = factor_[n].water.matrixL().solve(Vec<d>(at_slot<d>(rest, w) + from_sand));
    }
    return y;
  }

 private:
  struct Factor {
    Mat<d> both = Mat<d>::Identity();  ///< T_w T_s
    Eigen::LLT<Mat<d>> water;          ///< of L_ww L_wwᵀ
  };

  static Eigen::VectorXd free(const std::vector<NodeBodies<d>>& bodies, const Eigen::VectorXd& u) {
    Eigen::VectorXd result(u.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
      at_slot<d>(result, i) = bodies[i].free_part(at_slot<d>(u, i));
    return result;
  }

  std::vector<NodePair> pairs_;
  std::vector<Factor> factor_;
  std::vector<double> mass_;  ///< [kg]
  std::vector<double> root_;  ///< √m, of sand in a pair √(m + D) [√kg]
};

}  // namespace repose
