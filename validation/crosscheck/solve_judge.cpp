#include "validation/crosscheck/solve_judge.h"

#include "validation/crosscheck/field_access.h"
#include "validation/crosscheck/solve_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// The balance where a solve stands.
struct Standing {
  std::vector<double> v;
  std::vector<Point> R;           ///< R(v) per node [kg m/s]
  std::vector<double> magnitude;  ///< I_i
  std::vector<double> error;      ///< of R between the judge's and a solver's [kg m/s]
  std::vector<double> rounding;   ///< what ImplicitOptions grants as rounding, positions apart [kg m/s]
};

/// A number and what rounding may add to it.
struct Measured {
  double value = 0.0, error = 0.0;
};

class Judge {
 public:
  Judge(const SolveContext& context, const SolveHistory& history, Counters& counters)
      : c_(context),
        history_(history),
        counters_(counters),
        options_(context.scene.implicit),
        d_(static_cast<std::size_t>(context.scene.dim())),
        nodes_(context.scene, context.arithmetic, context.state, context.dt),
        mass_(context.state.get(field::m_i).value) {}

  std::optional<SolveFault> judge() {
    const auto& all = history_.iterations;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const auto* v : {&all[k].tested, &all[k].closed, &all[k].dv})
        if (v->size() != d_ * nodes_.size() || all[k].holds.size() != nodes_.size())
          return of_all("newton_error", "-", "an iteration that misses nodes", 0.0, static_cast<double>(k), 0.0);
    if (history_.v_bar.size() != d_ * nodes_.size() || history_.holds.size() != nodes_.size())
      return of_all("newton_error", "-", "an end that misses nodes", 0.0, 0.0, 0.0);
    Standing at = stand(tested(0));
    if (at.v.empty()) return of_all("newton_error", "-", "tested velocities that invert a particle", 0.0, 0.0, 0.0);
    if (auto fault = judge_start()) return fault;
    std::vector<NodeHold> before = first_guess();
    for (std::size_t k = 0; k <= all.size(); ++k) {
      if (auto fault = judge_error(k, at, before)) return fault;
      if (k == all.size()) break;
      if (auto fault = judge_closed(all[k].tested, all[k].closed, all[k].holds, k)) return fault;
      if (auto fault = judge_way(k, at)) return fault;
      for (std::size_t n = 0; n < nodes_.size(); ++n) counters_["holds changed"] += changes(before[n], all[k].holds[n]);
      before = all[k].holds;
      // judge_way() leaves the balance at the next velocities.
    }
    return std::nullopt;
  }

 private:
  SolveFault of_all(std::string field, std::string unit, std::string what, double expected, double got,
                    double bound) const {
    return {std::move(field), std::move(unit), std::move(what), expected, got, bound, -1};
  }
  SolveFault of_node(std::string field, std::size_t n, std::string what, double got, double bound) const {
    return {std::move(field), "m/s", std::move(what), 0.0, got, bound, c_.state.node[n]};
  }

  const std::vector<double>& tested(std::size_t k) const {
    return k < history_.iterations.size() ? history_.iterations[k].tested : history_.v_bar;
  }
  Point at_node(const std::vector<double>& v, std::size_t n) const {
    Point result = Point::Zero();
    for (std::size_t a = 0; a < d_; ++a) result[static_cast<Eigen::Index>(a)] = v[n * d_ + a];
    return result;
  }

  /// The balance at v; without velocities where v inverts a particle.
  Standing stand(const std::vector<double>& v) const {
    Standing at;
    const auto impulses = c_.balance.impulses(v);
    if (!impulses) return at;
    Counters unused;
    const BalanceBounds bounds =
        balance_bounds({c_.scene, c_.arithmetic, c_.state, v, 0.0, {}, c_.dt}, unused);
    at.v = v;
    double fastest = 0.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) fastest = std::max(fastest, at_node(v, n).norm());
    const double strain = 1.0 + c_.dt * fastest / c_.scene.grid.h;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const double m = mass_[n];
      const Point p = point(c_.state.get(field::p_i), n);
      const double carried = m * at_node(v, n).norm() + p.norm();
      at.R.push_back(m * at_node(v, n) - p - at_node(impulses->impulse, n));  // [Klar16 Eq.19]
      at.magnitude.push_back(impulses->magnitude[n]);
      at.error.push_back(bounds.impulse[n] + c_.arithmetic.g(3.0) * carried);
      at.rounding.push_back(64.0 * eps * (carried + impulses->magnitude[n] + strain * bounds.stiff[n]));
    }
    return at;
  }

  /// Bodies that the explicit velocity would meet, and slipping ones that a node stands in: who holds before the first
  /// choice, where a solver asks so.
  std::vector<NodeHold> first_guess() const {
    const Standing at = stand(velocity_before());
    std::vector<NodeHold> result(nodes_.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      result[n].prescribed = nodes_.sticks(n);
      if (at.v.empty()) continue;
      for (const auto& gap : nodes_.gaps(n, at_node(at.v, n) - at.R[n] / mass_[n]))
        if (!gap.separating || gap.rate < 0.0) result[n].bodies.push_back(gap.body);
    }
    return result;
  }

  std::vector<double> velocity_before() const {
    std::vector<double> v = c_.state.get(field::p_i).value;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= mass_[i / d_];
    return v;
  }

  static double changes(const NodeHold& a, const NodeHold& b) {
    std::vector<std::size_t> differ;
    std::set_symmetric_difference(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(),
                                  std::back_inserter(differ));
    return static_cast<double>(differ.size());
  }

  /// Four roundings of what is added: velocities of nodes that nothing holds.
  static double close_to(const Point& a, const Point& b) { return 4.0 * eps * (a.norm() + b.norm()); }

  std::optional<SolveFault> judge_start() const {
    const std::vector<double>& v = tested(0);
    const std::vector<double> before = velocity_before();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point here = at_node(v, n);
      const double moved = (here - at_node(before, n)).norm();
      if (moved <= close_to(here, at_node(before, n)) || nodes_.sticks(n)) continue;
      bool on_body = false;
      for (const auto& gap : nodes_.gaps(n, here)) on_body = on_body || std::abs(gap.rate) <= slack(n, here);
      if (!on_body) return of_node("newton_start", n, "a node starts from other than its vⁿ", moved, 0.0);
    }
    return std::nullopt;
  }

  /// Accuracy of a gap rate: positions, and the roundings of x + Δt v.
  double slack(std::size_t, const Point& v) const { return nodes_.gap_rounding() + 16.0 * eps * v.norm(); }

  std::optional<SolveFault> judge_closed(const std::vector<double>& from, const std::vector<double>& to,
                                         const std::vector<NodeHold>& holds, std::size_t k) const {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point v = at_node(to, n);
      if (holds[n].prescribed != nodes_.sticks(n) && !nodes_.unsure(n))
        return of_node("newton_closed", n, fmt::format("iteration {}: who sticks", k), 1.0, 0.0);
      if (holds[n].prescribed) {
        double error = 0.0;
        const double off = (v - nodes_.prescribed(n, error)).norm();
        if (!(off <= error + slack(n, v)) && !nodes_.unsure(n))
          return of_node("newton_closed", n, fmt::format("iteration {}: not the sticky body's velocity", k), off,
                         error + slack(n, v));
        continue;
      }
      const double moved = (v - at_node(from, n)).norm();
      if (holds[n].bodies.empty()) {
        if (!(moved <= close_to(v, v)))
          return of_node("newton_closed", n, fmt::format("iteration {}: a free node moved", k), moved, close_to(v, v));
        continue;
      }
      if (auto fault = judge_gaps(n, v, holds[n], k)) return fault;
    }
    return std::nullopt;
  }

  std::optional<SolveFault> judge_gaps(std::size_t n, const Point& v, const NodeHold& hold, std::size_t k) const {
    const auto held = SolveNodes::held(nodes_.gaps(n, v), hold);
    if (held.size() != hold.bodies.size() && !nodes_.unsure(n))
      return of_node("newton_closed", n, fmt::format("iteration {}: held by a body that cannot", k), 1.0, 0.0);
    // Of several bodies with one normal one counts: the others keep their distance.
    const bool all = SolveNodes::rank(held) == static_cast<int>(held.size());
    for (const auto& gap : held) {
      const double open = all ? std::abs(gap.rate) : gap.separating ? -gap.rate : 0.0;
      if (!(open <= slack(n, v)))
        return of_node("newton_closed", n, fmt::format("iteration {}: not on the body that holds it", k), open,
                       slack(n, v));
    }
    return std::nullopt;
  }

  /// Smaller and larger measure of a node's residual, relative to what it balances.
  std::pair<Measured, Measured> measures(std::size_t n, const Standing& at, const NodeHold& before,
                                         const NodeHold& now) const {
    const double m = mass_[n];
    const Point v = at_node(at.v, n);
    const auto gaps = nodes_.gaps(n, v);
    double low, high, error = at.error[n];
    if (before.prescribed || nodes_.sticks(n)) {
      double v_error = 0.0;
      // A solver that has such a node at its place from the start need not ask again.
      low = 0.0;
      high = m * (v - nodes_.prescribed(n, v_error)).norm();
      error = m * (v_error + slack(n, v));
    } else if (gaps.empty()) {
      low = high = at.R[n].norm();
    } else {
      const Point reaction = at.R[n] / m;
      const auto holding = SolveNodes::held(gaps, before);
      const auto to_hold = SolveNodes::held(gaps, now);
      const double signs = m * SolveNodes::violation(gaps, before, reaction);
      const double one = std::hypot(SolveNodes::free_part(holding, at.R[n]).norm(), signs);
      const double other = std::hypot(SolveNodes::free_part(to_hold, at.R[n]).norm(),
                                      m * SolveNodes::closing(to_hold).norm());
      low = std::min(one, other);
      high = std::max(one, other);
      // Signs are judged in skew directions, gaps to the accuracy of positions.
      error = 4.0 * at.error[n] + m * slack(n, v);
    }
    const double granted = at.rounding[n] / options_.newton_tolerance;
    const double most = at.magnitude[n] + granted + m * nodes_.gap_rounding() / options_.newton_tolerance;
    // At a node that nothing can hold positions of bodies need not be granted.
    const double least = gaps.empty() ? at.magnitude[n] + granted : most;
    const auto per = [](double value, double scale) { return value > 0.0 ? value / scale : 0.0; };
    return {{per(low, most), per(error, least)}, {per(high, least), per(error, least)}};
  }

  std::optional<SolveFault> judge_error(std::size_t k, const Standing& at, const std::vector<NodeHold>& before) const {
    const bool last = k == history_.iterations.size();
    const double said = last ? history_.error : history_.iterations[k].error;
    const auto& now = last ? history_.holds : history_.iterations[k].holds;
    double low = 0.0, high = 0.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const auto [least, most] = measures(n, at, before[n], now[n]);
      low = std::max(low, least.value - least.error);
      high = std::max(high, most.value + most.error);
    }
    // Ten roundings of each.
    const double slip = 16.0 * eps;
    if (!(said >= low * (1.0 - slip) && said <= high * (1.0 + slip)))
      return of_all("newton_error", "-",
                    fmt::format("test {}: a residual between {:.6g} and {:.6g} said to be {:.6g}", k, low, high, said),
                    said < low ? low : high, said, 0.0);
    const double tolerance = options_.newton_tolerance;
    if (last && !(said <= tolerance))
      return of_all("newton_error", "-", "stops above the tolerance", tolerance, said, 0.0);
    if (!last && !(said > tolerance))
      return of_all("newton_error", "-", fmt::format("goes on from test {} below the tolerance", k), tolerance, said,
                    0.0);
    if (!last && k >= static_cast<std::size_t>(options_.newton_iterations))
      return of_all("newton_error", "-", "takes more iterations than it may", options_.newton_iterations,
                    static_cast<double>(k + 1), 0.0);
    return std::nullopt;
  }

  /// ‖T w/√m‖ over all nodes, and its error from those of w.
  Measured weighed(const std::vector<Point>& w, const std::vector<double>& error, const std::vector<double>& v,
                   const std::vector<NodeHold>& holds) const {
    double sum = 0.0, errors = 0.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      errors += error[n] * error[n] / mass_[n];
      sum += free(n, w[n], v, holds[n]).squaredNorm() / mass_[n];
    }
    return {std::sqrt(sum), std::sqrt(errors)};
  }
  Point free(std::size_t n, const Point& w, const std::vector<double>& v, const NodeHold& hold) const {
    if (hold.prescribed) return Point::Zero();
    if (hold.bodies.empty()) return w;
    return SolveNodes::free_part(SolveNodes::held(nodes_.gaps(n, at_node(v, n)), hold), w);
  }
  double rounding_of(const Standing& at) const {
    double sum = 0.0;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      sum += std::pow(at.rounding[n] + mass_[n] * nodes_.gap_rounding(), 2) / mass_[n];
    return std::sqrt(sum);
  }

  /// dv and the move along it. @param at the tested velocities' balance; afterwards that of the next
  std::optional<SolveFault> judge_way(std::size_t k, Standing& at) {
    const NewtonIteration& one = history_.iterations[k];
    const Standing closed = one.closed == one.tested ? std::move(at) : stand(one.closed);
    if (closed.v.empty())
      return of_all("newton_closed", "-", fmt::format("iteration {}: velocities that invert a particle", k), 0.0, 0.0,
                    0.0);
    const Measured before = weighed(closed.R, closed.error, one.closed, one.holds);
    if (auto fault = judge_linear(k, closed, before)) return fault;

    const double share = std::pow(0.5, one.halvings);
    at = stand(tested(k + 1));
    if (at.v.empty())
      return of_all("newton_move", "-", fmt::format("iteration {}: inverts a particle", k), 0.0, 0.0, 0.0);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point v = at_node(at.v, n);
      if (one.holds[n].prescribed) continue;
      if (!one.holds[n].bodies.empty()) {
        if (auto fault = judge_gaps(n, v, one.holds[n], k)) return fault;
        continue;
      }
      const Point wanted = at_node(one.closed, n) + share * at_node(one.dv, n);
      const double off = (v - wanted).norm();
      const double bound = 4.0 * eps * (at_node(one.closed, n).norm() + share * at_node(one.dv, n).norm());
      if (!(off <= bound)) return of_node("newton_move", n, fmt::format("iteration {}: not along dv", k), off, bound);
    }
    const Measured after = weighed(at.R, at.error, at.v, one.holds);
    const double granted = rounding_of(at) + before.error + after.error;
    if (!(after.value <= before.value + granted))
      return of_all("newton_move", "kg^(1/2) m/s", fmt::format("iteration {}: what is left grows", k), before.value,
                    after.value, granted);
    counters_["halvings"] += one.halvings;
    for (int h = 0; h < one.halvings; ++h)
      if (auto fault = judge_longer(k, std::pow(0.5, h), before)) return fault;
    return std::nullopt;
  }

  /// A longer way that was not taken: it inverts a particle, or lowers what is left by less than a hundredth of what it
  /// promises.
  std::optional<SolveFault> judge_longer(std::size_t k, double share, const Measured& before) const {
    const NewtonIteration& one = history_.iterations[k];
    std::vector<double> v(one.closed.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point to = nodes_.close(n, one.holds[n], at_node(one.closed, n) + share * at_node(one.dv, n));
      for (std::size_t a = 0; a < d_; ++a) v[n * d_ + a] = to[static_cast<Eigen::Index>(a)];
    }
    const Standing there = stand(v);
    if (there.v.empty()) return std::nullopt;
    const Measured left = weighed(there.R, there.error, v, one.holds);
    const double least = (1.0 - 0.01 * share) * before.value;
    if (left.value + left.error + before.error >= least) return std::nullopt;
    return of_all("newton_move", "kg^(1/2) m/s",
                  fmt::format("iteration {}: {} of the way would have done", k, share), least, left.value,
                  left.error + before.error);
  }

  std::optional<SolveFault> judge_linear(std::size_t k, const Standing& closed, const Measured& before) {
    const NewtonIteration& one = history_.iterations[k];
    const std::vector<double> change = c_.change(one.closed, one.dv);
    Counters unused;
    const BalanceBounds bounds =
        balance_bounds({c_.scene, c_.arithmetic, c_.state, one.closed, 0.0, one.dv, c_.dt}, unused);
    std::vector<Point> left;
    std::vector<double> error;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Point dv = at_node(one.dv, n);
      const Point off = dv - free(n, dv, one.closed, one.holds[n]);
      if (!(off.norm() <= 1e-9 * dv.norm()))
        return of_node("gmres_residual", n, fmt::format("iteration {}: dv leaves the bodies", k), off.norm(),
                       1e-9 * dv.norm());
      left.push_back(mass_[n] * dv - at_node(change, n) + closed.R[n]);
      error.push_back(bounds.change[n] + closed.error[n] + c_.arithmetic.g(4.0) * mass_[n] * dv.norm());
    }
    if (one.gmres_iterations > options_.gmres_iterations)
      return of_all("gmres_residual", "-", fmt::format("iteration {}: more products than allowed", k),
                    options_.gmres_iterations, one.gmres_iterations, 0.0);
    if (!(before.value > 0.0)) return std::nullopt;
    const Measured formed = weighed(left, error, one.closed, one.holds);
    const double share = formed.value / before.value;
    const double bound = (formed.error + before.error * (1.0 + share)) / before.value;
    if (!(std::abs(share - one.linear_residual) <= bound))
      return of_all("gmres_residual", "-", fmt::format("iteration {}: what dv leaves of the linear system", k), share,
                    one.linear_residual, bound);
    if (bound < 0.1 * options_.gmres_tolerance) counters_["linear systems judged"] += 1.0;
    if (one.linear_residual > options_.gmres_tolerance && one.gmres_iterations < options_.gmres_iterations)
      return of_all("gmres_residual", "-",
                    fmt::format("iteration {}: stops above the tolerance after {} products", k, one.gmres_iterations),
                    options_.gmres_tolerance, one.linear_residual, 0.0);
    return std::nullopt;
  }

  const SolveContext& c_;
  const SolveHistory& history_;
  Counters& counters_;
  const ImplicitOptions& options_;
  std::size_t d_;
  SolveNodes nodes_;
  const std::vector<double>& mass_;
};

}  // namespace

std::optional<SolveFault> judge_solve(const SolveContext& context, const SolveHistory& history,
                                      Counters& counters) {
  return Judge(context, history, counters).judge();
}

}  // namespace repose::crosscheck
