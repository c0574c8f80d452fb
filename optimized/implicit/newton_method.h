#pragma once

#include "optimized/implicit/gmres.h"
#include "optimized/implicit/holds.h"
#include "optimized/implicit/minres.h"
#include "optimized/implicit/newton.h"
#include "reference/interface/methods/mpm_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace repose::optimized {

/// Newton's method with active sets, as solve_balance() says, for those who know what is balanced.
///
/// A System has what Balance tells of itself. Its Weights choose the variables y of the linear systems, v = C y, in what bodies
/// leave free: C Cᵀ is the inverse of the part of the matrix that is known in closed form, so that squares of Cᵀ R are energies.
/// They give
///
///     prepare()          to be asked where another body holds, or normals turned
///     weigh(w)           w ← Cᵀ w
///     spread(y)          y ← C y
///     multiply<N>(y, o)  o = Cᵀ J C y, J the derivative of R; N as Balance::stress_change()
///     rounding(r)        the largest ‖Cᵀ w‖ of w with ‖w_k‖ ≤ r_k
///     inverse_blocks()   what GMRES is preconditioned with, where the System may lack an energy
template <class System>
class Newton {
  static constexpr int dim = System::dimension;
  /// Share of what a full step promises that a shorter one must keep of its part.
  static constexpr double sufficient = 1e-4;
  static constexpr int halvings = 10;
  /// Where slope and way are as good as perpendicular, their cosine's least: the way then has no side that is down.
  static constexpr double across = 1e-8;

 public:
  Newton(System& balance, const std::vector<HeldNodes>& phases, double time, const Team& team)
      : options_(mpm_options(*phases.at(0).scene).implicit),
        balance_(balance),
        holds_(phases, time, balance.dt(), team),
        team_(team),
        weights_(balance, holds_, team) {
    for (std::size_t k = 0; k < balance.nodes(); ++k) mass_.push_back(balance.mass(k));
    const Scene& scene = *phases[0].scene;
    if (!scene.colliders.empty()) {
      const double reach =
          scene.grid.domain_min.cwiseAbs().cwiseMax(scene.grid.domain_max().cwiseAbs()).maxCoeff();
      gap_rounding_ = 16.0 * std::numeric_limits<double>::epsilon() * reach / balance.dt();
    }
  }

  ImplicitVelocities solve(SolveHistory* history) {
    ImplicitVelocities result;
    move(balance_.velocity_before());
    for (int iteration = 0;; ++iteration) {
      balance_.residual(residual_);
      if (iteration == 0)
        holds_.guess(balance_.velocity(), residual_, mass_);
      else
        holds_.choose(balance_.velocity(), residual_, mass_);
      const double left = relative_residual();
      if (history != nullptr) tell(*history, left);
      if (left <= options_.newton_tolerance) break;
      if (iteration == options_.newton_iterations) {
        if (options_.unconverged == Unconverged::keep) {
          result.converged = false;
          break;
        }
        throw NoSolution(
            fmt::format("{} iterations of Newton's method leave {:.3g} of what is balanced, not {:.3g}",
                        iteration, left, options_.newton_tolerance));
      }
      NodeVector v = balance_.velocity();
      holds_.close(v);
      if (v != balance_.velocity()) {
        move(std::move(v));
        holds_.linearize(balance_.velocity());
      }
      NodeVector closed;
      if (history != nullptr) closed = balance_.velocity();
      Way way = iterate(left);
      if (history != nullptr) {
        NewtonIteration& now = history->iterations.emplace_back();
        now = {std::move(history->v_bar), history->error,    std::move(history->holds),
               std::move(closed),         std::move(way.dv), way.gmres_iterations,
               way.linear_residual,       way.halvings,      way.turn};
      }
      result.gmres_iterations += static_cast<std::uint64_t>(way.gmres_iterations);
      ++result.newton_iterations;
    }
    result.v_bar = balance_.velocity();
    result.impulse = balance_.impulse();
    result.contacts = holds_.contacts();
    result.massless = balance_.massless();
    return result;
  }

 private:
  /// What one iteration found and how far it went along it.
  struct Way {
    NodeVector dv;
    int gmres_iterations = 0;
    double linear_residual = 0.0;
    int halvings = 0;
    Turn turn = Turn::none;
  };

  /// Where the balance stands, as the end until another iteration follows.
  void tell(SolveHistory& history, double left) const {
    history.v_bar = balance_.velocity();
    history.error = left;
    history.holds = holds_.told();
  }

  void move(NodeVector v) {
    if (const auto bad = balance_.move_to(std::move(v)))
      throw NoSolution(fmt::format("velocities on the way invert particle {}", *bad), *bad);
  }

  /// Cᵀ R in what bodies leave free.
  void free_residual(NodeVector& r) const {
    balance_.residual(r);
    weights_.weigh(r);
  }

  /// What rounding may leave of a node's balance and of its distance from what holds it [kg m/s].
  double rounding(std::size_t k) const { return balance_.rounding(k) + mass_[k] * gap_rounding_; }

  /// That of the node that lacks most of its own balance: in a sum over nodes a light one would not be seen.
  double relative_residual() const {
    std::vector<double> lacks(mass_.size());
    visit_unknown_nodes(team_, mass_.size(), [&](std::size_t k) {
      const double open = mass_[k] * std::sqrt(holds_.opening2(k, of_node<dim>(balance_.velocity(), k)));
      const double left = std::hypot(holds_.free_part(k, of_node<dim>(residual_, k)).norm(), open);
      if (left > 0.0) lacks[k] = left / (balance_.magnitude(k) + rounding(k) / options_.newton_tolerance);
    });
    return lacks.empty() ? 0.0 : *std::max_element(lacks.begin(), lacks.end());
  }

  /// What rounding may leave of the norm of free_residual().
  double rounding() const {
    std::vector<double> of_node(mass_.size());
    for (std::size_t k = 0; k < of_node.size(); ++k) of_node[k] = rounding(k);
    return weights_.rounding(of_node);
  }

  Products products() {
    Products by{.exact = [&](const NodeVector& z, NodeVector& out) { weights_.multiply(z, out); }};
    if constexpr (std::is_same_v<typename System::Number, float>) {
      balance_.round_derivative();
      by.rounded = [&](const NodeVector& z, NodeVector& out) { weights_.template multiply<float>(z, out); };
      by.least = std::sqrt(static_cast<double>(std::numeric_limits<float>::epsilon()));  // half of its digits
    }
    return by;
  }

  LinearSolution solve_linear(const NodeVector& b) {
    const Products by = products();
    if (balance_.has_energy()) return solve_by_minres(balance_.algebra(), by, b, options_);
    if constexpr (System::may_lack_energy) {
      const std::vector<Mat<dim>> inverse = weights_.inverse_blocks();
      const auto precondition = [&](NodeVector& v) {
        visit_unknown_nodes(team_, mass_.size(), [&](std::size_t k) {
          of_node<dim>(v, k) = (inverse[k] * of_node<dim>(v, k)).eval();
        });
      };
      return solve_by_gmres(balance_.algebra(), by, precondition, b, holds_.free_dimensions(), options_,
                            basis_);
    } else {
      throw std::logic_error("MINRES needs the slope of an energy");
    }
  }

  /// Turns y to where the energy falls.
  /// @param down minus its slope
  Turn lead_down(const NodeVector& down, NodeVector& y) const {
    const NodeAlgebra& algebra = balance_.algebra();
    const double falls = algebra.dot(down, y);
    const double length = algebra.norm(down);
    if (std::abs(falls) > across * length * algebra.norm(y)) {
      if (falls > 0.0) return Turn::none;
      algebra.scale(-1.0, y, y);
      return Turn::reversed;
    }
    NodeVector bent = algebra.zero();
    weights_.multiply(down, bent);
    const double curvature = algebra.dot(down, bent);
    algebra.scale(curvature > 0.0 ? length * length / curvature : 1.0, down, y);
    return Turn::slope;
  }

  /// Where a search along a way starts.
  struct Before {
    double left = 0.0;  ///< ‖Cᵀ R‖
    typename System::Height height;
    double slope = 0.0;  ///< of the energy along the whole way [J], < 0
  };

  /// Whether what is left fell; of a balance with an energy, whether that did, or neither can be told from rounding and what is left
  /// fell.
  bool goes_down(const Before& from, double share, NodeVector& r) const {
    free_residual(r);
    const bool less = balance_.algebra().norm(r) <= (1.0 - sufficient * share) * from.left + rounding();
    if (!balance_.has_energy()) return less;
    const auto now = balance_.height();
    const double change = now.energy - from.height.energy;
    return change <= sufficient * share * from.slope ||
           (less && change <= from.height.rounding + now.rounding);
  }

  /// One linear system and the way along its solution.
  Way iterate(double left) {
    const NodeAlgebra& algebra = balance_.algebra();
    const NodeVector start = balance_.velocity();
    NodeVector r;
    weights_.prepare();
    free_residual(r);
    Before from{.left = algebra.norm(r), .height = {}, .slope = 0.0};
    algebra.scale(-1.0, r, r);
    LinearSolution found = solve_linear(r);
    Way way{{}, found.iterations, found.residual, 0, Turn::none};
    if (balance_.has_energy()) {
      from.height = balance_.height();
      way.turn = lead_down(r, found.x);
      from.slope = -algebra.dot(r, found.x);
    }
    weights_.spread(found.x);

    double share = 1.0;
    for (int n = 0; n <= halvings; ++n, share *= 0.5) {
      NodeVector v = start;
      algebra.add(share, found.x, v);
      holds_.close(v);
      if (balance_.move_to(std::move(v))) continue;
      holds_.linearize(balance_.velocity());
      weights_.prepare();
      if (!goes_down(from, share, r)) continue;
      way.dv = std::move(found.x);
      way.halvings = n;
      return way;
    }
    throw NoSolution(
        fmt::format("Newton's method leaves {:.3g} of what is balanced and finds no way down (its linear "
                    "system is solved to {:.3g})",
                    left, found.residual));
  }

  const ImplicitOptions& options_;
  System& balance_;
  Holds<dim> holds_;
  Team team_;
  typename System::Weights weights_;
  std::vector<double> mass_;   ///< [kg]
  double gap_rounding_ = 0.0;  ///< of a distance between positions over Δt [m/s]
  NodeVector residual_;
  std::vector<NodeVector> basis_;
};

}  // namespace repose::optimized
