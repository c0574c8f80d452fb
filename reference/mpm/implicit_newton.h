#pragma once

#include "reference/interface/methods/implicit_options.h"
#include "reference/mpm/implicit_contacts.h"
#include "reference/mpm/implicit_gmres.h"
#include "reference/mpm/implicit_minres.h"
#include "reference/mpm/implicit_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace repose {

/// Newton's method of solve_implicit() and of solve_mixture(), for what they balance.
///
/// A System is a balance like ImplicitSystem: of `nodes()` nodes, which bodies hold one by one; a node of two phases counts
/// twice. Its Scale says in which variables the linear system is solved: velocity() takes them to velocities that bodies leave
/// free, reduced(), its transpose, a residual to them.
template <int d, class System>
class ImplicitNewton {
 public:
  /// @param bodies of the system's nodes, in their order
  ImplicitNewton(const ImplicitOptions& options, bool has_energy, System& system,
                 std::vector<NodeBodies<d>> bodies, const StepContext& step)
      : options_(options),
        has_energy_(has_energy),
        system_(system),
        bodies_(std::move(bodies)),
        scale_(system),
        gap_rounding_(gap_rounding(step)) {}

  /// @param history is told the solve where it is not null
  /// @throws SolveFailure naming the cause
  ImplicitSolution solve(SolveHistory* history) {
    begin();
    ImplicitSolution solution;
    for (int iteration = 0;; ++iteration) {
      const double error = relative_residual();
      solution.residuals.push_back(error);
      last_error_ = error;
      if (error <= options_.newton_tolerance) break;
      if (iteration == options_.newton_iterations) {
        if (options_.unconverged == Unconverged::keep) {
          solution.converged = false;
          break;
        }
        throw SolveFailure(fmt::format(
            "Newton's method leaves {:.3g} of what it balances after {} iterations, more than {:.3g}", error,
            iteration, options_.newton_tolerance));
      }
      NewtonIteration told;
      told.tested = system_.at_all_nodes(system_.velocity());
      told.error = error;
      revise_bodies();
      told.holds = holds();
      told.closed = system_.at_all_nodes(system_.velocity());
      const Move move = iterate();
      if (history != nullptr) {
        told.dv = system_.at_all_nodes(move.dv);
        told.gmres_iterations = move.gmres_iterations;
        told.linear_residual = move.linear_residual;
        told.halvings = move.halvings;
        told.turn = move.turn;
        history->iterations.push_back(std::move(told));
      }
      solution.gmres_iterations += static_cast<std::uint64_t>(move.gmres_iterations);
      ++solution.newton_iterations;
    }
    solution.v_bar = system_.velocity();
    solution.impulse = system_.impulse();
    solution.massless = system_.massless();
    for (const NodeBodies<d>& node : bodies_) solution.contacts += node.holding();
    if (history != nullptr) {
      history->v_bar = system_.at_all_nodes(system_.velocity());
      history->error = last_error_;
      history->holds = holds();
    }
    return solution;
  }

 private:
  /// A move is accepted if it lowers the residual, or the energy, by at least this share of what a full step promises.
  static constexpr double sufficient = 1e-4;
  /// Cosine of the angle to the plane of equal energy below which a direction is taken for one in that plane.
  static constexpr double flat = 1e-8;
  /// Halvings of a Newton step: with 2⁻¹⁰ of it, an iteration would no longer be worth its linear system.
  static constexpr int halvings = 10;

  /// The way that one iteration went.
  struct Move {
    Eigen::VectorXd dv;  ///< before it was shortened [m/s]
    int gmres_iterations = 0;
    double linear_residual = 0.0;  ///< of what solved the linear system [-]
    int halvings = 0;
    Turn turn = Turn::none;
  };

  std::size_t nodes() const { return bodies_.size(); }
  std::vector<NodeHold> holds() const {
    std::vector<NodeHold> all;
    for (const NodeBodies<d>& node : bodies_) all.push_back(node.hold());
    return system_.at_all_nodes(std::move(all));
  }
  static Eigen::Index at(std::size_t node) { return static_cast<Eigen::Index>(d * node); }

  /// What rounding of positions leaves of a gap rate [m/s].
  static double gap_rounding(const StepContext& step) {
    const Grid& grid = step.scene.grid;
    const Point far = grid.domain_max();
    const double reach = std::max(grid.domain_min.cwiseAbs().maxCoeff(), far.cwiseAbs().maxCoeff());
    return 16.0 * std::numeric_limits<double>::epsilon() * reach / step.dt;
  }

  /// vⁿ, and the bodies that the explicit velocity would meet.
  void begin() {
    const Eigen::VectorXd v = system_.velocity_before();
    move(v);
    const Eigen::VectorXd v_star = system_.velocity_after_forces();
    for (std::size_t i = 0; i < nodes(); ++i)
      bodies_[i].revise(v_star.template segment<d>(at(i)), Vec<d>::Zero());
    move(admissible(v));
    linearize();
  }

  /// @throws SolveFailure if the velocity inverts a particle
  void move(const Eigen::VectorXd& v) {
    if (const auto inverted = system_.move_to(v)) {
      throw SolveFailure(
          fmt::format("the velocities from which Newton's method goes on invert particle {}", *inverted),
          *inverted);
    }
  }

  Eigen::VectorXd admissible(Eigen::VectorXd v) const {
    for (std::size_t i = 0; i < nodes(); ++i)
      v.template segment<d>(at(i)) = bodies_[i].admissible(v.template segment<d>(at(i)));
    return v;
  }

  void linearize() {
    for (std::size_t i = 0; i < nodes(); ++i)
      bodies_[i].linearize(system_.velocity().template segment<d>(at(i)));
    scale_.linearize(bodies_);
  }

  void revise_bodies() {
    const Eigen::VectorXd R = system_.residual();
    bool changed = false;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const Vec<d> reaction = R.template segment<d>(at(i)) / system_.mass(i);
      if (bodies_[i].revise(system_.velocity().template segment<d>(at(i)), reaction)) changed = true;
    }
    if (!changed) return;
    move(admissible(system_.velocity()));
    linearize();
  }

  /// What remains to be solved for.
  Eigen::VectorXd free_residual() const { return scale_.reduced(bodies_, system_.residual()); }

  /// What rounding may leave of a node's balance and of its bodies' conditions [kg m/s].
  double rounding(std::size_t i) const {
    return system_.rounding(i) + (bodies_[i].none() ? 0.0 : system_.mass(i) * gap_rounding_);
  }

  /// The largest of all nodes: a sum would let the heavy ones hide the light.
  double relative_residual() const {
    const Eigen::VectorXd R = system_.residual();
    double largest = 0.0;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const Vec<d> R_i = R.template segment<d>(at(i));
      const double m = system_.mass(i);
      const double wrong =
          std::hypot(bodies_[i].free_part(R_i).norm(),
                     m * bodies_[i].violation(system_.velocity().template segment<d>(at(i)), R_i / m));
      const double allowed = system_.impulse_magnitude()[i] + rounding(i) / options_.newton_tolerance;
      if (wrong > 0.0) largest = std::max(largest, wrong / allowed);
    }
    return largest;
  }

  /// What rounding may leave of ‖T R/√m‖, which no scale makes larger.
  double rounding() const {
    double squared = 0.0;
    for (std::size_t i = 0; i < nodes(); ++i) squared += rounding(i) * rounding(i) / system_.mass(i);
    return std::sqrt(squared);
  }

  /// The matrix in the variables of the scale; vectors stay in the part that T leaves, where it is regular.
  Eigen::VectorXd product(const Eigen::VectorXd& y) const {
    return scale_.reduced(bodies_, system_.derivative_along(scale_.velocity(bodies_, y)));
  }

  KrylovResult solve_linear(const Eigen::VectorXd& b) const {
    const auto times = [this](const Eigen::VectorXd& y) { return product(y); };
    if (has_energy_) return minres(times, b, options_.gmres_iterations, options_.gmres_tolerance);
    int unknowns = 0;
    for (const NodeBodies<d>& node : bodies_) unknowns += node.free_dimensions();
    return gmres(times, b, unknowns, options_.gmres_restart, options_.gmres_iterations,
                 options_.gmres_tolerance);
  }

  /// A direction in which the energy falls. The matrix is not definite where the unilateral energy softens: what solves
  /// with it may lead uphill, and then its opposite leads down; or along the slope, and then −r takes its place, as far as
  /// the energy's curvature there says.
  /// @param r gradient of the energy by the scale's variables, of vectors that bodies leave free
  Eigen::VectorXd downhill(const Eigen::VectorXd& y, const Eigen::VectorXd& r, Turn& turn) const {
    const double slope = r.dot(y);
    if (std::abs(slope) > flat * r.norm() * y.norm()) {
      turn = slope < 0.0 ? Turn::none : Turn::reversed;
      return slope < 0.0 ? y : Eigen::VectorXd(-y);
    }
    turn = Turn::slope;
    const double curvature = r.dot(product(r));
    return curvature > 0.0 ? Eigen::VectorXd(-r.squaredNorm() / curvature * r) : Eigen::VectorXd(-r);
  }

  /// One linear system and the move along its solution.
  Move iterate() {
    const Eigen::VectorXd v = system_.velocity();
    const Eigen::VectorXd r = free_residual();
    const auto before = has_energy_ ? system_.energy() : typename System::Energy{};
    const KrylovResult found = solve_linear(-r);
    Turn turn = Turn::none;
    const Eigen::VectorXd way = has_energy_ ? downhill(found.x, r, turn) : found.x;
    const Eigen::VectorXd dv = scale_.velocity(bodies_, way);

    double share = 1.0;
    for (int n = 0; n <= halvings; ++n, share *= 0.5) {
      if (system_.move_to(admissible(v + share * dv))) continue;
      linearize();
      const bool balanced = free_residual().norm() <= (1.0 - sufficient * share) * r.norm() + rounding();
      if (has_energy_ ? falls(before, sufficient * share * r.dot(way), balanced) : balanced)
        return {dv, found.iterations, found.residual, n, turn};
    }
    throw SolveFailure(
        fmt::format("Newton's method leaves {:.3g} of what it balances, and no move along its step, down "
                    "to 1/{} of it, lowers {} ({} left {:.3g} of the linear system)",
                    last_error_, 1 << halvings, has_energy_ ? "the energy" : "that",
                    has_energy_ ? "MINRES" : "GMRES", found.residual));
  }

  /// Whether the energy fell by as much as asked. Where rounding hides that, near the end, the residual decides.
  /// @param least ≤ 0, change of energy at most [J]  @param balanced the residual fell
  bool falls(const typename System::Energy& before, double least, bool balanced) const {
    const auto after = system_.energy();
    const double change = after.value - before.value;
    return change <= least || (balanced && change <= before.rounding + after.rounding);
  }

  const ImplicitOptions& options_;
  bool has_energy_;  ///< of which the residual is the gradient: the matrix is symmetric
  System& system_;
  std::vector<NodeBodies<d>> bodies_;
  typename System::Scale scale_;
  double gap_rounding_;
  double last_error_ = 0.0;
};

}  // namespace repose
