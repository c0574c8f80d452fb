#pragma once

#include "validation/crosscheck/mpm/solve_judge.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace repose::crosscheck {

/// What a node's residual may be measured as.
struct Range {
  double low = 0.0, high = 0.0;
};

/// One judgement of a solve (solve_judge.h): solve_judge.cpp has where it starts, tests and ends, solve_way.cpp what lies
/// between two tests.
class SolveJudge {
 public:
  SolveJudge(const SolveBalance& balance, const SolveHistory& history, Counters& counters)
      : balance_(balance),
        history_(history),
        counters_(counters),
        options_(balance.options()),
        nodes_(balance.nodes()) {}

  std::optional<SolveFault> judge();

 private:
  static constexpr double eps = std::numeric_limits<double>::epsilon();

  SolveFault of_all(std::string field, std::string unit, std::string what, double expected, double got,
                    double bound) const {
    return {std::move(field), std::move(unit), std::move(what), expected, got, bound, -1};
  }
  SolveFault of_node(std::string field, std::size_t n, std::string what, double got, double bound) const {
    if (!balance_.phase(n).empty()) what += " (" + std::string(balance_.phase(n)) + ")";
    return {std::move(field), "m/s", std::move(what), 0.0, got, bound, balance_.id(n)};
  }
  const std::vector<double>& tested(std::size_t k) const {
    return k < history_.iterations.size() ? history_.iterations[k].tested : history_.v_bar;
  }
  Point at_node(const std::vector<double>& v, std::size_t n) const { return point_at(v, n, balance_.d()); }
  /// Bodies that the explicit velocity would meet, and slipping ones that a node stands in: who holds before the first
  /// choice, where a solver asks so.
  std::vector<NodeHold> first_guess() const;
  static double changes(const NodeHold& a, const NodeHold& b) {
    std::vector<std::size_t> differ;
    std::set_symmetric_difference(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(),
                                  std::back_inserter(differ));
    return static_cast<double>(differ.size());
  }
  /// Four roundings of what is added: velocities of nodes that nothing holds.
  static double close_to(const Point& a, const Point& b) { return 4.0 * eps * (a.norm() + b.norm()); }
  std::optional<SolveFault> judge_start() const;
  /// Accuracy of a gap rate: positions, and the roundings of x + Δt v.
  double slack(std::size_t, const Point& v) const { return nodes_.gap_rounding() + 16.0 * eps * v.norm(); }
  std::optional<SolveFault> judge_closed(const std::vector<double>& from, const std::vector<double>& to,
                                         const std::vector<NodeHold>& holds, std::size_t k);
  /// @param from where v was before it was moved onto the bodies
  std::optional<SolveFault> judge_gaps(std::size_t n, const Point& from, const Point& v, const NodeHold& hold,
                                       std::size_t k);
  /// Smallest and largest measure of a node's residual, relative to what it balances.
  ///
  ///     w/(I + ρ/tolerance),   w = √(‖T R‖² + m² (signs² + gaps²))
  ///
  /// w is known to E = κ (δR + m δg) + κ² δn ‖R‖, κ = ‖N⁺‖ of the normals that count: pushes and steps onto bodies are solutions with
  /// N. A normal is known to δn, its own roundings and, of bodies curved by no more than 1/h, those of positions by h.
  /// What it is relative to is a sum over all particles around and known to D = δI + δρ/tolerance. Where w is thousands of times that,
  /// as where light nodes are to be stopped by a wall, D decides and not E:
  ///
  ///     (w − E)/(I + ρ/tolerance + D)  ≤  measure  ≤  (w + E)/(I + ρ/tolerance − D)
  Range measure(std::size_t n, const Standing& at, const NodeHold& before, const NodeHold& now) const;
  /// w of what a node lacks, over all choices of which of the bodies that hold it count.
  Range lack(std::size_t n, const Standing& at, const NodeHold& before, const NodeHold& now,
             double& error) const;
  std::optional<SolveFault> judge_error(std::size_t k, const Standing& at,
                                        const std::vector<NodeHold>& before) const;
  /// ‖T w/√m‖ over all nodes, and its error from those of w.
  Measured weighed(const std::vector<Point>& w, const std::vector<double>& error,
                   const std::vector<double>& v, const std::vector<NodeHold>& holds) const;
  Point free(std::size_t n, const Point& w, const std::vector<double>& v, const NodeHold& hold) const;
  double rounding_of(const Standing& at) const;
  /// dv and the move along it. @param at the tested velocities' balance; afterwards that of the next
  std::optional<SolveFault> judge_way(std::size_t k, Standing& at);
  /// A longer way that was not taken: it inverts a particle, or lowers what is left, or the energy, by less than a hundredth of
  /// what it promises.
  /// @param slope Σ R·dv of the tested velocities, bodies closed [J]
  std::optional<SolveFault> judge_longer(std::size_t k, double share, const Measured& before,
                                         const Measured& slope) const;
  std::optional<SolveFault> judge_linear(std::size_t k, const Standing& closed, const Measured& before);
  /// What solved the linear system: dv before it was turned.
  std::vector<double> solution(std::size_t k) const;
  /// Σ T R·dv [J].
  Measured slope_along(std::size_t k, const Standing& closed) const;
  /// Semi-implicit steps: dv leads down, and where it does not solve the linear system it is what it says.
  std::optional<SolveFault> judge_turn(std::size_t k, const Measured& before, const Measured& slope) const;
  /// Where a move ended: what it left, and the energy.
  std::optional<SolveFault> judge_descent(std::size_t k, const Standing& at, const Measured& before) const;

  const SolveBalance& balance_;
  const SolveHistory& history_;
  Counters& counters_;
  const ImplicitOptions& options_;
  const SolveNodes& nodes_;
};

}  // namespace repose::crosscheck
