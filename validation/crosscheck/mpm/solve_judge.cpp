#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/solve_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace repose::crosscheck {

std::optional<SolveFault> SolveJudge::judge() {
  const auto& all = history_.iterations;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const auto* v : {&all[k].tested, &all[k].closed, &all[k].dv})
      if (v->size() != balance_.d() * nodes_.size() || all[k].holds.size() != nodes_.size())
        return of_all("newton_error", "-", "an iteration that misses nodes", 0.0, static_cast<double>(k),
                      0.0);
  if (history_.v_bar.size() != balance_.d() * nodes_.size() || history_.holds.size() != nodes_.size())
    return of_all("newton_error", "-", "an end that misses nodes", 0.0, 0.0, 0.0);
  Standing at = balance_.stand(tested(0));
  if (at.v.empty())
    return of_all("newton_error", "-", "tested velocities that invert a particle", 0.0, 0.0, 0.0);
  if (auto fault = judge_start()) return fault;
  std::vector<NodeHold> before = first_guess();
  for (std::size_t k = 0; k <= all.size(); ++k) {
    if (auto fault = judge_error(k, at, before)) return fault;
    if (k == all.size()) break;
    if (auto fault = judge_closed(all[k].tested, all[k].closed, all[k].holds, k)) return fault;
    if (auto fault = judge_way(k, at)) return fault;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      counters_["holds changed"] += changes(before[n], all[k].holds[n]);
    before = all[k].holds;
    // judge_way() leaves the balance at the next velocities.
  }
  return std::nullopt;
}

std::vector<NodeHold> SolveJudge::first_guess() const {
  const std::vector<double> v_star = balance_.explicit_velocities();
  std::vector<NodeHold> result(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    result[n].prescribed = nodes_.sticks(n);
    if (v_star.empty()) continue;
    for (const auto& gap : nodes_.gaps(n, at_node(v_star, n)))
      if (!gap.separating || gap.rate < 0.0) result[n].bodies.push_back(gap.body);
  }
  return result;
}

std::optional<SolveFault> SolveJudge::judge_start() const {
  const std::vector<double>& v = tested(0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point here = at_node(v, n);
    const Point before = balance_.velocity_before(n);
    const double moved = (here - before).norm();
    if (moved <= close_to(here, before) || nodes_.sticks(n)) continue;
    bool on_body = false;
    for (const auto& gap : nodes_.gaps(n, here)) on_body = on_body || std::abs(gap.rate) <= slack(n, here);
    if (!on_body) return of_node("newton_start", n, "a node starts from other than its vⁿ", moved, 0.0);
  }
  return std::nullopt;
}

std::optional<SolveFault> SolveJudge::judge_closed(const std::vector<double>& from,
                                                   const std::vector<double>& to,
                                                   const std::vector<NodeHold>& holds, std::size_t k) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Point v = at_node(to, n);
    if (holds[n].prescribed != nodes_.sticks(n) && !nodes_.unsure(n))
      return of_node("newton_closed", n, fmt::format("iteration {}: who sticks", k), 1.0, 0.0);
    if (holds[n].prescribed) {
      double error = 0.0;
      const double off = (v - nodes_.prescribed(n, error)).norm();
      if (!(off <= error + slack(n, v)) && !nodes_.unsure(n))
        return of_node("newton_closed", n, fmt::format("iteration {}: not the sticky body's velocity", k),
                       off, error + slack(n, v));
      continue;
    }
    const double moved = (v - at_node(from, n)).norm();
    if (holds[n].bodies.empty()) {
      if (!(moved <= close_to(v, v)))
        return of_node("newton_closed", n, fmt::format("iteration {}: a free node moved", k), moved,
                       close_to(v, v));
      continue;
    }
    // Where it is, it was moved by the way before.
    if (moved == 0.0) continue;
    if (auto fault = judge_gaps(n, at_node(from, n), v, holds[n], k)) return fault;
  }
  return std::nullopt;
}

std::optional<SolveFault> SolveJudge::judge_gaps(std::size_t n, const Point& from, const Point& v,
                                                 const NodeHold& hold, std::size_t k) {
  const auto held = SolveNodes::held(nodes_.gaps(n, v), hold);
  if (held.size() != hold.bodies.size() && !nodes_.unsure(n))
    return of_node("newton_closed", n, fmt::format("iteration {}: held by a body that cannot", k), 1.0, 0.0);
  // Of several bodies with one normal one counts: the others keep their distance.
  const bool all = SolveNodes::rank(held) == static_cast<int>(held.size());
  double bound = slack(n, v);
  if (hold.bodies.size() > 1) {
    // Corners of planes close at once. Those of curved bodies close pass by pass, each leaving about the square of what
    // was open: one pass leaves some hundredth, four less than a millionth. Where an edge lies in the way none may close.
    const Point closed = nodes_.close(n, hold, from);
    for (const auto& gap : SolveNodes::held(nodes_.gaps(n, closed), hold))
      if (all && std::abs(gap.rate) > bound) {
        counters_["corners that do not close"] += 1.0;
        return std::nullopt;
      }
    bound += 1e-6 * (v - from).norm();
  }
  for (const auto& gap : held) {
    const double open = all ? std::abs(gap.rate) : gap.separating ? -gap.rate : 0.0;
    if (!(open <= bound))
      return of_node("newton_closed", n, fmt::format("iteration {}: not on the body that holds it", k), open,
                     bound);
  }
  return std::nullopt;
}

Range SolveJudge::lack(std::size_t n, const Standing& at, const NodeHold& before, const NodeHold& now,
                       double& error) const {
  const double m = balance_.mass(n);
  const Point v = at_node(at.v, n);
  const auto gaps = nodes_.gaps(n, v);
  const double of_normal = 16.0 * eps + nodes_.gap_rounding() * balance_.dt() / balance_.scene().grid.h;
  Range range{std::numeric_limits<double>::infinity(), 0.0};
  const auto may_be = [&](double w) { range = {std::min(range.low, w), std::max(range.high, w)}; };
  const auto count = [&](const std::vector<SolveNodes::Gap>& counted) {
    const double skew = SolveNodes::skewness(counted);
    error =
        std::max(error, skew * (at.error[n] + m * slack(n, v)) + skew * skew * of_normal * at.R[n].norm());
  };
  for (const auto& counted : SolveNodes::choices(SolveNodes::held(gaps, before))) {
    count(counted);
    NodeHold holding{false, {}};
    for (const SolveNodes::Gap& one : counted) holding.bodies.push_back(one.body);
    // How far the bodies that hold are: along their normals here, or as far as they move the node in the end.
    const double tangent = SolveNodes::closing(counted).norm();
    const double whole = (nodes_.close(n, holding, v) - v).norm();
    const double signs = SolveNodes::violation(gaps, before, counted, at.R[n] / m);
    const double left = SolveNodes::free_part(counted, at.R[n]).norm();
    for (const double open : {tangent, whole}) may_be(std::hypot(left, m * std::hypot(signs, open)));
  }
  for (const auto& counted : SolveNodes::choices(SolveNodes::held(gaps, now))) {
    count(counted);
    may_be(
        std::hypot(SolveNodes::free_part(counted, at.R[n]).norm(), m * SolveNodes::closing(counted).norm()));
  }
  return range;
}

Range SolveJudge::measure(std::size_t n, const Standing& at, const NodeHold& before,
                          const NodeHold& now) const {
  const double m = balance_.mass(n);
  const bool nothing_near = nodes_.gaps(n, at_node(at.v, n)).empty();
  double error = at.error[n];
  Range w;
  if (before.prescribed || nodes_.sticks(n)) {
    double v_error = 0.0;
    const Point v = at_node(at.v, n);
    // A solver that has such a node at its place from the start need not ask again.
    w.high = m * (v - nodes_.prescribed(n, v_error)).norm();
    error = m * (v_error + slack(n, v));
  } else if (nothing_near) {
    w.low = w.high = at.R[n].norm();
  } else {
    w = lack(n, at, before, now, error);
  }
  const double per = 1.0 / options_.newton_tolerance;
  const double off = at.magnitude_error[n] + per * at.rounding_error[n];
  const double balanced = at.magnitude[n] + per * at.rounding[n];
  const double most = balanced + per * m * nodes_.gap_rounding();
  // At a node that nothing can hold positions of bodies need not be granted.
  const double least = std::max((nothing_near ? balanced : most) - off, 0.0);
  return {w.low > error ? (w.low - error) / (most + off) : 0.0,
          w.high + error > 0.0 ? (w.high + error) / least : 0.0};
}

std::optional<SolveFault> SolveJudge::judge_error(std::size_t k, const Standing& at,
                                                  const std::vector<NodeHold>& before) const {
  const bool last = k == history_.iterations.size();
  const double said = last ? history_.error : history_.iterations[k].error;
  const auto& now = last ? history_.holds : history_.iterations[k].holds;
  double low = 0.0, high = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Range of_node = measure(n, at, before[n], now[n]);
    low = std::max(low, of_node.low);
    high = std::max(high, of_node.high);
  }
  // Ten roundings of each.
  const double slip = 16.0 * eps;
  if (!(said >= low * (1.0 - slip) && said <= high * (1.0 + slip)))
    return of_all(
        "newton_error", "-",
        fmt::format("test {}: a residual between {:.6g} and {:.6g} said to be {:.6g}", k, low, high, said),
        said < low ? low : high, said, 0.0);
  const double tolerance = options_.newton_tolerance;
  const bool out_of_iterations = k >= static_cast<std::size_t>(options_.newton_iterations);
  const bool kept = out_of_iterations && options_.unconverged == Unconverged::keep;
  if (last && !(said <= tolerance || kept))
    return of_all("newton_error", "-", "stops above the tolerance", tolerance, said, 0.0);
  if (last && said > tolerance) counters_["solves kept"] += 1.0;
  if (!last && !(said > tolerance))
    return of_all("newton_error", "-", fmt::format("goes on from test {} below the tolerance", k), tolerance,
                  said, 0.0);
  if (!last && out_of_iterations)
    return of_all("newton_error", "-", "takes more iterations than it may", options_.newton_iterations,
                  static_cast<double>(k + 1), 0.0);
  return std::nullopt;
}

FieldResult SolveFault::field_result(const Grid& grid) const {
  FieldResult result;
  result.field = field;
  result.unit = unit;
  result.note = what;
  result.place = Place::scene;
  result.values = result.unequal = result.failing = 1;
  result.worst.expected = expected;
  result.worst.got = got;
  result.worst.bound.rounding = bound;
  result.worst.ratio = ratio_to_bound(expected, got, bound);
  if (node >= 0) {
    result.place = Place::node;
    result.worst.id = node;
    result.worst.position = grid.node_position(node);
  }
  return result;
}

std::optional<FieldResult> told_otherwise(const SolveHistory& history, const ImplicitOptions& options,
                                          const StepReport& report) {
  std::uint64_t products = 0, pairs = 0;
  for (const NewtonIteration& one : history.iterations)
    products += static_cast<std::uint64_t>(one.gmres_iterations);
  for (const NodeHold& hold : history.holds) pairs += hold.bodies.size() + (hold.prescribed ? 1U : 0U);
  const struct {
    std::string_view name;
    std::uint64_t told, run;
  } counts[] = {
      {"newton_iterations", history.iterations.size(), report.counts[counter::newton_iterations]},
      {"gmres_iterations", products, report.counts[counter::gmres_iterations]},
      {"contacts", pairs, report.counts[counter::contacts]},
      {"unconverged", history.error > options.newton_tolerance ? 1U : 0U,
       report.counts[counter::unconverged]},
  };
  for (const auto& one : counts)
    if (one.told != one.run) return unequal_count(one.name, one.told, one.run);
  return std::nullopt;
}

std::optional<SolveFault> judge_solve(const SolveBalance& balance, const SolveHistory& history,
                                      Counters& counters) {
  return SolveJudge(balance, history, counters).judge();
}

}  // namespace repose::crosscheck
