#include "reference/mpm/implicit_solve.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/implicit_contacts.h"
#include "reference/mpm/implicit_gmres.h"
#include "reference/mpm/implicit_minres.h"
#include "reference/mpm/implicit_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose {

namespace {

/// A move is accepted if it lowers the residual, or the energy, by at least this share of what a full step promises.
constexpr double sufficient = 1e-4;
/// Cosine of the angle to the plane of equal energy below which a direction is taken for one in that plane.
constexpr double flat = 1e-8;
/// Halvings of a Newton step: with 2⁻¹⁰ of it, an iteration would no longer be worth its linear system.
constexpr int halvings = 10;

template <int d>
class Newton {
 public:
  Newton(const State<d>& state, const StepContext& step)
      : options_(mpm_options(step.scene).implicit),
        has_energy_(mpm_options(step.scene).integrator == Integrator::semi_implicit),
        system_(state, step),
        gap_rounding_(gap_rounding(step)) {
    for (const Node<d>& node : state.nodes) {
      bodies_.emplace_back(in_plane<d>(step.scene.grid.node_position(node.id)), step);
      root_mass_.push_back(std::sqrt(node.m));
    }
  }

  ImplicitSolution solve(SolveHistory* history) {
    begin();
    ImplicitSolution solution;
    for (int iteration = 0;; ++iteration) {
      const double error = relative_residual();
      solution.residuals.push_back(error);
      last_error_ = error;
      if (error <= options_.newton_tolerance) break;
      if (iteration == options_.newton_iterations) {
        throw SolveFailure(fmt::format(
            "Newton's method leaves {:.3g} of what it balances after {} iterations, more than {:.3g}", error,
            iteration, options_.newton_tolerance));
      }
      NewtonIteration told;
      told.tested = numbers(system_.velocity());
      told.error = error;
      revise_bodies();
      told.holds = holds();
      told.closed = numbers(system_.velocity());
      const Move move = iterate();
      if (history != nullptr) {
        told.dv = numbers(move.dv);
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
      history->v_bar = numbers(system_.velocity());
      history->error = last_error_;
      history->holds = holds();
    }
    return solution;
  }

 private:
  /// The way that one iteration went.
  struct Move {
    Eigen::VectorXd dv;  ///< before it was shortened [m/s]
    int gmres_iterations = 0;
    double linear_residual = 0.0;  ///< of what solved the linear system [-]
    int halvings = 0;
    Turn turn = Turn::none;
  };

  std::size_t nodes() const { return bodies_.size(); }
  static std::vector<double> numbers(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }
  std::vector<NodeHold> holds() const {
    std::vector<NodeHold> all;
    for (const NodeBodies<d>& node : bodies_) all.push_back(node.hold());
    return all;
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
    const Eigen::VectorXd R = system_.residual();
    for (std::size_t i = 0; i < nodes(); ++i) {
      const Vec<d> v_star = v.segment<d>(at(i)) - R.segment<d>(at(i)) / system_.mass(i);
      bodies_[i].revise(v_star, Vec<d>::Zero());
    }
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
      v.segment<d>(at(i)) = bodies_[i].admissible(v.segment<d>(at(i)));
    return v;
  }

  void linearize() {
    for (std::size_t i = 0; i < nodes(); ++i)
      bodies_[i].linearize(system_.velocity().template segment<d>(at(i)));
  }

  void revise_bodies() {
    const Eigen::VectorXd R = system_.residual();
    bool changed = false;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const Vec<d> reaction = R.segment<d>(at(i)) / system_.mass(i);
      if (bodies_[i].revise(system_.velocity().template segment<d>(at(i)), reaction)) changed = true;
    }
    if (!changed) return;
    move(admissible(system_.velocity()));
    linearize();
  }

  /// T R/√m: what remains to be solved for.
  Eigen::VectorXd free_residual() const {
    Eigen::VectorXd r = system_.residual();
    for (std::size_t i = 0; i < nodes(); ++i) {
      r.segment<d>(at(i)) = bodies_[i].free_part(r.segment<d>(at(i))) / root_mass_[i];
    }
    return r;
  }

  /// What rounding may leave of a node's balance and of its bodies' conditions [kg m/s].
  double rounding(std::size_t i) const {
    return system_.rounding(i) + (bodies_[i].none() ? 0.0 : system_.mass(i) * gap_rounding_);
  }

  /// The largest of all nodes: a sum would let the heavy ones hide the light.
  double relative_residual() const {
    const Eigen::VectorXd R = system_.residual();
    double largest = 0.0;
    for (std::size_t i = 0; i < nodes(); ++i) {
      const Vec<d> R_i = R.segment<d>(at(i));
      const double m = system_.mass(i);
      const double wrong =
          std::hypot(bodies_[i].free_part(R_i).norm(),
                     m * bodies_[i].violation(system_.velocity().template segment<d>(at(i)), R_i / m));
      const double allowed = system_.impulse_magnitude()[i] + rounding(i) / options_.newton_tolerance;
      if (wrong > 0.0) largest = std::max(largest, wrong / allowed);
    }
    return largest;
  }

  /// What rounding may leave of ‖T R/√m‖.
  double rounding() const {
    double squared = 0.0;
    for (std::size_t i = 0; i < nodes(); ++i) squared += rounding(i) * rounding(i) / system_.mass(i);
    return std::sqrt(squared);
  }

  /// T M^(−1/2) J M^(−1/2) T y; vectors stay in the part that T leaves, where the matrix is regular.
  Eigen::VectorXd product(const Eigen::VectorXd& y) const {
    Eigen::VectorXd dv(y.size());
    for (std::size_t i = 0; i < nodes(); ++i) {
      dv.segment<d>(at(i)) = bodies_[i].free_part(y.segment<d>(at(i))) / root_mass_[i];
    }
    Eigen::VectorXd result = system_.derivative_along(dv);
    for (std::size_t i = 0; i < nodes(); ++i) {
      result.segment<d>(at(i)) = bodies_[i].free_part(result.segment<d>(at(i))) / root_mass_[i];
    }
    return result;
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
  /// @param r gradient of the energy by √m v, of vectors that bodies leave free
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
    const auto before = has_energy_ ? system_.energy() : typename ImplicitSystem<d>::Energy{};
    const KrylovResult found = solve_linear(-r);
    Turn turn = Turn::none;
    const Eigen::VectorXd way = has_energy_ ? downhill(found.x, r, turn) : found.x;
    Eigen::VectorXd dv(v.size());
    for (std::size_t i = 0; i < nodes(); ++i) {
      dv.segment<d>(at(i)) = bodies_[i].free_part(way.segment<d>(at(i))) / root_mass_[i];
    }

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
  bool falls(const typename ImplicitSystem<d>::Energy& before, double least, bool balanced) const {
    const auto after = system_.energy();
    const double change = after.value - before.value;
    return change <= least || (balanced && change <= before.rounding + after.rounding);
  }

  const ImplicitOptions& options_;
  bool has_energy_;  ///< of which the residual is the gradient: the matrix is symmetric
  ImplicitSystem<d> system_;
  std::vector<NodeBodies<d>> bodies_;
  std::vector<double> root_mass_;
  double gap_rounding_;
  double last_error_ = 0.0;
};

}  // namespace

template <int d>
ImplicitSolution solve_implicit(const State<d>& state, const StepContext& step, SolveHistory* history) {
  if (!(step.dt > 0.0)) {
    throw std::invalid_argument(
        fmt::format("time step {} s is not > 0: an implicit step needs one", step.dt));
  }
  return Newton<d>(state, step).solve(history);
}

template ImplicitSolution solve_implicit<2>(const State<2>&, const StepContext&, SolveHistory*);
template ImplicitSolution solve_implicit<3>(const State<3>&, const StepContext&, SolveHistory*);

}  // namespace repose
