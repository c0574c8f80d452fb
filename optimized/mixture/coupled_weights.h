#pragma once

#include "optimized/implicit/weights.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <cstdint>
#include <vector>

namespace repose::optimized {

/// The variables in which Newton's method solves for two phases, y = Lᵀ v with L Lᵀ the matrix of mass and drag at each node in
/// what bodies leave free: however stiff the drag is, it asks for no iterations.
///
/// With D = Δt d, P_s and P_w the parts that bodies leave free, a = 1/√(m_s + D), b = D/(m_s + D), and
/// H = (P_w (α + D b (1 − P_s)) P_w)^−½, α = m_w + D m_s/(m_s + D), which no difference of large numbers enters,
///
///     v_w = H y_w,   v_s = P_s (a y_s + b v_w)                                     C, where both phases are
///
/// and v = P y/√m where one is. Cᵀ (mass and drag) C is then the projection onto P_s and P_w.
/// @tparam System CoupledBalance
template <class System>
class CoupledWeights {
  static constexpr int dim = System::dimension;

 public:
  /// @param system, holds outlive it
  CoupledWeights(const System& system, const Holds<dim>& holds, const Team& team)
      : system_(system), holds_(holds), team_(team), per_root_(system.nodes()), share_(system.nodes()) {
    sand_at_.assign(system.nodes(), alone);
    for (std::size_t k = 0; k < system.nodes(); ++k) per_root_[k] = 1.0 / std::sqrt(system.mass(k));
    for (std::size_t k = 0; k < system.sand().nodes(); ++k) {
      const std::size_t w = system.partner(k);
      if (w >= system.nodes()) continue;
      const double m = system.mass(k);
      const double drag = system.drag(k);
      sand_at_[w] = k;
      sand_at_[k] = k;
      share_[k] = drag / (m + drag);
      per_root_[k] = 1.0 / std::sqrt(m + drag);
      per_root_[w] = 1.0 / std::sqrt(system.mass(w) + drag * (m / (m + drag)));
    }
  }

  /// H where bodies hold sand otherwise than not at all.
  void prepare() {
    root_.clear();
    root_of_.assign(system_.nodes(), plain);
    for (std::size_t k = 0; k < system_.sand().nodes(); ++k) {
      const Hold<dim>& hold = holds_.at(k);
      if (sand_at_[k] == alone || !(share_[k] > 0.0) || (!hold.prescribed && hold.rank == 0)) continue;
      const std::size_t w = system_.partner(k);
      root_of_[w] = root_.size();
      root_.push_back(root(k, w));
    }
  }

  void weigh(NodeVector& w) const {
    visit_nodes([&](std::size_t k) {
      if (sand_at_[k] == alone) {
        of_node<dim>(w, k) = weighed(k, of_node<dim>(w, k));
      } else if (is_sand(k)) {
        const std::size_t p = system_.partner(k);
        const Vec<dim> free = holds_.free_part(k, of_node<dim>(w, k));
        of_node<dim>(w, p) = rooted(p, of_node<dim>(w, p) + share_[k] * free);
        of_node<dim>(w, k) = per_root_[k] * free;
      }
    });
  }

  void spread(NodeVector& y) const {
    visit_nodes([&](std::size_t k) {
      if (sand_at_[k] == alone) {
        of_node<dim>(y, k) = weighed(k, of_node<dim>(y, k));
      } else if (is_sand(k)) {
        const std::size_t p = system_.partner(k);
        of_node<dim>(y, p) = rooted(p, of_node<dim>(y, p));
        of_node<dim>(y, k) =
            holds_.free_part(k, per_root_[k] * of_node<dim>(y, k) + share_[k] * of_node<dim>(y, p));
      }
    });
  }

  template <class N = double>
  void multiply(const NodeVector& y, NodeVector& out) const {
    system_.template stress_change<N>([&](std::size_t k) { return velocity(k, y); },
                                      [&](std::size_t k, const Vec<dim>& lost) {
                                        const Vec<dim> kept = holds_.free_part(k, of_node<dim>(y, k));
                                        if (sand_at_[k] == alone) {
                                          of_node<dim>(out, k) = weighed(k, lost) + kept;
                                        } else if (is_sand(k)) {
                                          of_node<dim>(out, k) = lost;  // until water's is there
                                        } else {
                                          const std::size_t s = sand_at_[k];
                                          const Vec<dim> free = holds_.free_part(s, of_node<dim>(out, s));
                                          of_node<dim>(out, k) = rooted(k, lost + share_[s] * free) + kept;
                                          of_node<dim>(out, s) =
                                              per_root_[s] * free + holds_.free_part(s, of_node<dim>(y, s));
                                        }
                                      });
  }

  double rounding(const std::vector<double>& of_nodes) const {
    NodeVector all(dim * of_nodes.size());
    visit_nodes([&](std::size_t k) {
      const bool is_coupled_water = sand_at_[k] != alone && !is_sand(k);
      const double given = is_coupled_water ? share_[sand_at_[k]] * of_nodes[sand_at_[k]] : 0.0;
      all[dim * k] = (of_nodes[k] + given) * per_root_[k];
    });
    return system_.algebra().norm(all);
  }

 private:
  static constexpr std::size_t alone = static_cast<std::size_t>(-1), plain = alone;

  bool is_sand(std::size_t k) const { return k < system_.sand().nodes(); }
  Vec<dim> weighed(std::size_t k, const Vec<dim>& w) const { return per_root_[k] * holds_.free_part(k, w); }
  /// H w of a node of water with sand.
  Vec<dim> rooted(std::size_t k, const Vec<dim>& w) const {
    return root_of_[k] == plain ? weighed(k, w) : Vec<dim>(root_[root_of_[k]] * w);
  }
  Vec<dim> velocity(std::size_t k, const NodeVector& y) const {
    if (sand_at_[k] == alone) return weighed(k, of_node<dim>(y, k));
    if (!is_sand(k)) return rooted(k, of_node<dim>(y, k));
    const std::size_t p = system_.partner(k);
    return holds_.free_part(k, per_root_[k] * of_node<dim>(y, k) + share_[k] * rooted(p, of_node<dim>(y, p)));
  }

  /// By the axes of P_w (1 − P_s) P_w; those that bodies hold water along are told by a number beyond its own, which end at 1.
  Mat<dim> root(std::size_t k, std::size_t w) const {
    Mat<dim> of_water, marked;
    for (int c = 0; c < dim; ++c) {
      const Vec<dim> free = holds_.free_part(w, Vec<dim>::Unit(c));
      of_water.col(c) = holds_.free_part(w, free - holds_.free_part(k, free));
      marked.col(c) = 2.0 * (Vec<dim>::Unit(c) - free);
    }
    const Mat<dim> sum = of_water + marked;
    const Eigen::SelfAdjointEigenSolver<Mat<dim>> axes(0.5 * (sum + sum.transpose()));
    const double alpha = 1.0 / (per_root_[w] * per_root_[w]);
    Mat<dim> result = Mat<dim>::Zero();
    for (int c = 0; c < dim; ++c) {
      const double held = axes.eigenvalues()[c];
      if (held > 1.5) continue;
      const Vec<dim> u = axes.eigenvectors().col(c);
      const double kept = alpha + system_.drag(k) * share_[k] * std::max(held, 0.0);
      result += u * u.transpose() / std::sqrt(kept);
    }
    return result;
  }

  template <class Visit>
  void visit_nodes(Visit&& visit) const {
    visit_unknown_nodes(team_, per_root_.size(), visit);
  }

  const System& system_;
  const Holds<dim>& holds_;
  Team team_;
  std::vector<double> per_root_;      ///< 1/√m, a, or 1/√α
  std::vector<double> share_;         ///< b, of nodes of sand with water
  std::vector<std::size_t> sand_at_;  ///< of nodes with both phases that of sand, else alone
  std::vector<Mat<dim>> root_;        ///< H
  std::vector<std::size_t> root_of_;  ///< per node of water its H, or plain
};

}  // namespace repose::optimized
