#include "validation/crosscheck/mpm/solve_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::crosscheck {

Measured SolveJudge::weighed(const std::vector<Point>& w, const std::vector<double>& error,
                             const std::vector<double>& v, const std::vector<NodeHold>& holds) const {
  double errors = 0.0;
  std::vector<Point> left;
  const auto of_node = [&](std::size_t n, const Point& one) { return free(n, one, v, holds[n]); };
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    errors += error[n] * error[n] / balance_.mass(n);  // drag makes no part of it larger
    left.push_back(of_node(n, w[n]));
  }
  const Measured sum = balance_.squared(left, of_node);
  const double value = std::sqrt(sum.value);
  return {value, std::sqrt(errors) + (value > 0.0 ? sum.error / value : 0.0)};
}

Point SolveJudge::free(std::size_t n, const Point& w, const std::vector<double>& v,
                       const NodeHold& hold) const {
  if (hold.prescribed) return Point::Zero();
  if (hold.bodies.empty()) return w;
  return SolveNodes::free_part(SolveNodes::held(nodes_.gaps(n, at_node(v, n)), hold), w);
}

double SolveJudge::rounding_of(const Standing& at) const {
  double sum = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    sum += std::pow(at.rounding[n] + balance_.mass(n) * nodes_.gap_rounding(), 2) / balance_.mass(n);
  return std::sqrt(sum);
}

std::optional<SolveFault> SolveJudge::judge_way(std::size_t k, Standing& at) {
  const NewtonIteration& one = history_.iterations[k];
  const Standing closed = one.closed == one.tested ? std::move(at) : balance_.stand(one.closed);
  if (closed.v.empty())
    return of_all("newton_closed", "-", fmt::format("iteration {}: velocities that invert a particle", k),
                  0.0, 0.0, 0.0);
  const Measured before = weighed(closed.R, closed.error, one.closed, one.holds);
  if (auto fault = judge_linear(k, closed, before)) return fault;
  const Measured slope = slope_along(k, closed);
  if (auto fault = judge_turn(k, before, slope)) return fault;

  const double share = std::pow(0.5, one.halvings);
  at = balance_.stand(tested(k + 1));
  if (at.v.empty())
    return of_all("newton_move", "-", fmt::format("iteration {}: inverts a particle", k), 0.0, 0.0, 0.0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point v = at_node(at.v, n);
    if (one.holds[n].prescribed) continue;
    const Point wanted = at_node(one.closed, n) + share * at_node(one.dv, n);
    if (!one.holds[n].bodies.empty()) {
      if (auto fault = judge_gaps(n, wanted, v, one.holds[n], k)) return fault;
      continue;
    }
    const double off = (v - wanted).norm();
    const double bound = 4.0 * eps * (at_node(one.closed, n).norm() + share * at_node(one.dv, n).norm());
    if (!(off <= bound))
      return of_node("newton_move", n, fmt::format("iteration {}: not along dv", k), off, bound);
  }
  if (auto fault = judge_descent(k, at, before)) return fault;
  counters_["halvings"] += one.halvings;
  if (one.turn != Turn::none) counters_["ways turned"] += 1.0;
  for (int h = 0; h < one.halvings; ++h)
    if (auto fault = judge_longer(k, std::pow(0.5, h), before, slope)) return fault;
  return std::nullopt;
}

std::optional<SolveFault> SolveJudge::judge_descent(std::size_t k, const Standing& at,
                                                    const Measured& before) const {
  const NewtonIteration& one = history_.iterations[k];
  if (balance_.has_energy()) {
    const Measured from = balance_.height(one.closed), to = balance_.height(at.v);
    const double granted = from.error + to.error;
    if (!(to.value <= from.value + granted))
      return of_all("newton_move", "J", fmt::format("iteration {}: the energy grows", k), from.value,
                    to.value, granted);
    return std::nullopt;
  }
  const Measured after = weighed(at.R, at.error, at.v, one.holds);
  const double granted = rounding_of(at) + before.error + after.error;
  if (!(after.value <= before.value + granted))
    return of_all("newton_move", "kg^(1/2) m/s", fmt::format("iteration {}: what is left grows", k),
                  before.value, after.value, granted);
  return std::nullopt;
}

std::optional<SolveFault> SolveJudge::judge_longer(std::size_t k, double share, const Measured& before,
                                                   const Measured& slope) const {
  const NewtonIteration& one = history_.iterations[k];
  std::vector<double> v(one.closed.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point to = nodes_.close(n, one.holds[n], at_node(one.closed, n) + share * at_node(one.dv, n));
    for (std::size_t a = 0; a < balance_.d(); ++a) v[n * balance_.d() + a] = to[static_cast<Eigen::Index>(a)];
  }
  const Standing there = balance_.stand(v);
  if (there.v.empty()) return std::nullopt;
  if (balance_.has_energy()) {
    const Measured from = balance_.height(one.closed), to = balance_.height(v);
    const double least = 0.01 * share * slope.value;  // < 0
    const double granted = from.error + to.error + 0.01 * share * slope.error;
    if (to.value - from.value >= least - granted) return std::nullopt;
    return of_all("newton_move", "J", fmt::format("iteration {}: {} of the way would have done", k, share),
                  least, to.value - from.value, granted);
  }
  const Measured left = weighed(there.R, there.error, v, one.holds);
  const double least = (1.0 - 0.01 * share) * before.value;
  if (left.value + left.error + before.error >= least) return std::nullopt;
  return of_all("newton_move", "kg^(1/2) m/s",
                fmt::format("iteration {}: {} of the way would have done", k, share), least, left.value,
                left.error + before.error);
}

std::optional<SolveFault> SolveJudge::judge_linear(std::size_t k, const Standing& closed,
                                                   const Measured& before) {
  const NewtonIteration& one = history_.iterations[k];
  const std::vector<double> found = solution(k);
  const SolveBalance::Change change = balance_.change(one.closed, found);
  std::vector<Point> left;
  std::vector<double> error;
  double largest = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    largest = std::max(largest, std::sqrt(balance_.mass(n)) * at_node(one.dv, n).norm());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point dv = at_node(one.dv, n);
    // Roundings of a vector that is as long as the largest, in √m v.
    const double off = (dv - free(n, dv, one.closed, one.holds[n])).norm();
    const double bound = 64.0 * eps * (dv.norm() + largest / std::sqrt(balance_.mass(n)));
    if (!(off <= bound))
      return of_node("gmres_residual", n, fmt::format("iteration {}: dv leaves the bodies", k), off, bound);
    left.emplace_back(change.of_R[n] + closed.R[n]);
    error.push_back(change.error[n] + closed.error[n]);
  }
  if (!balance_.has_energy() && one.gmres_iterations > options_.gmres_restart)
    counters_["gmres restarts"] += 1.0;
  if (one.gmres_iterations > options_.gmres_iterations)
    return of_all("gmres_residual", "-", fmt::format("iteration {}: more products than allowed", k),
                  options_.gmres_iterations, one.gmres_iterations, 0.0);
  // Where bodies leave nothing free, T R is rounding, and nothing was solved.
  if (!(before.value > before.error) || one.turn == Turn::slope) return std::nullopt;
  const Measured formed = weighed(left, error, one.closed, one.holds);
  const double share = formed.value / before.value;
  const double bound = (formed.error + before.error * (1.0 + share)) / before.value;
  if (!(std::abs(share - one.linear_residual) <= bound))
    return of_all("gmres_residual", "-", fmt::format("iteration {}: what dv leaves of the linear system", k),
                  share, one.linear_residual, bound);
  if (bound < 0.1 * options_.gmres_tolerance) counters_["linear systems judged"] += 1.0;
  if (one.linear_residual > options_.gmres_tolerance && one.gmres_iterations < options_.gmres_iterations)
    return of_all(
        "gmres_residual", "-",
        fmt::format("iteration {}: stops above the tolerance after {} products", k, one.gmres_iterations),
        options_.gmres_tolerance, one.linear_residual, 0.0);
  return std::nullopt;
}

std::vector<double> SolveJudge::solution(std::size_t k) const {
  std::vector<double> dv = history_.iterations[k].dv;
  if (history_.iterations[k].turn == Turn::reversed)
    for (double& one : dv) one = -one;
  return dv;
}

Measured SolveJudge::slope_along(std::size_t k, const Standing& closed) const {
  const NewtonIteration& one = history_.iterations[k];
  Measured sum;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point dv = at_node(one.dv, n);
    sum.value += free(n, closed.R[n], one.closed, one.holds[n]).dot(dv);
    sum.error += (closed.error[n] + 64.0 * eps * closed.R[n].norm()) * dv.norm();
  }
  return sum;
}

std::optional<SolveFault> SolveJudge::judge_turn(std::size_t k, const Measured& before,
                                                 const Measured& slope) const {
  const NewtonIteration& one = history_.iterations[k];
  if (!balance_.has_energy()) {
    if (one.turn == Turn::none) return std::nullopt;
    return of_all("newton_move", "-", fmt::format("iteration {}: a way that is turned", k), 0.0, 1.0, 0.0);
  }
  if (!(before.value > 0.0)) return std::nullopt;
  if (!(slope.value <= slope.error))
    return of_all("newton_move", "J", fmt::format("iteration {}: dv leads uphill", k), 0.0, slope.value,
                  slope.error);
  if (one.turn != Turn::slope) return std::nullopt;
  // In √m v it lies along −T R/√m: none of it across.
  const double along = std::sqrt(balance_.squared_length(one.dv)), due = -slope.value / before.value;
  const double granted = slope.error / before.value + along * (before.error / before.value + 1e-12);
  if (std::abs(along - due) <= granted) return std::nullopt;
  return of_all("newton_move", "kg^(1/2) m/s", fmt::format("iteration {}: dv is not along the slope", k),
                along, due, granted);
}

}  // namespace repose::crosscheck
