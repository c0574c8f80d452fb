#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/random.h"
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mpm/implicit_residual.h"
#include "validation/crosscheck/mpm/solve_judge.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

FieldBound node_bound(std::string_view name, const std::vector<double>& per_node, std::size_t components) {
  FieldBound result{.field = std::string(name), .bound = std::vector<Bound>(per_node.size() * components)};
  for (std::size_t i = 0; i < result.bound.size(); ++i) result.bound[i].rounding = per_node[i / components];
  return result;
}

Field node_field(std::string_view name, int components, std::vector<double> value) {
  return {std::string(name), "kg m/s", Place::node, components, std::move(value)};
}

/// Uniform in [−size, size].
std::vector<double> random_velocities(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> result(count);
  for (double& value : result) value = random.between(-size, size);
  return result;
}

}  // namespace

/// Impulses and their derivative at random velocities that move nodes by up to `reach` · h: the readable solver's against
/// the judge's own, then the candidate's against the readable solver's.
bool LockstepDriver::compare_probe(const Snapshot& held, double dt, double reach, const PlainBalance& balance,
                                   const Divergence& context, Lockstep& result) {
  const std::size_t count = held.node.size() * static_cast<std::size_t>(scene_.dim());
  const double per_reach = scene_.grid.h / dt;
  const BalanceProbe probe{scene_, balance_arithmetic_,
                           held,   random_velocities(count, reach * per_reach, 17),
                           0.0,    random_velocities(count, 0.01 * per_reach, 18),
                           dt};
  Snapshot plain = held;
  Snapshot expected = held;
  Snapshot got = held;
  std::vector<double> quotient(held.node.size(), 0.0);
  if (auto impulses = balance.impulses(probe.v)) {
    PlainBalance::Change change = balance.change(probe.v, probe.dv);
    plain.set(node_field(impulse_field, scene_.dim(), std::move(impulses->impulse)));
    plain.set(node_field(impulse_change_field, scene_.dim(), std::move(change.impulse)));
    quotient = std::move(change.error);
  }
  expected.set(node_field(impulse_field, scene_.dim(), reference_.impulses_at(probe.v, dt).impulse));
  got.set(node_field(impulse_field, scene_.dim(), candidate_.impulses_at(probe.v, dt).impulse));
  expected.set(
      node_field(impulse_change_field, scene_.dim(), reference_.impulse_change(probe.v, probe.dv, dt)));
  got.set(node_field(impulse_change_field, scene_.dim(), candidate_.impulse_change(probe.v, probe.dv, dt)));
  const BalanceBounds bounds = balance_bounds(probe, result.counters);
  const auto d = static_cast<std::size_t>(scene_.dim());
  const std::vector<FieldBound> both{node_bound(impulse_field, bounds.impulse, d),
                                     node_bound(impulse_change_field, bounds.change, d)};
  std::vector<FieldBound> by_quotients = both;
  for (std::size_t i = 0; i < by_quotients.back().bound.size(); ++i)
    by_quotients.back().bound[i].carried = quotient[i / d];
  if (!compare(plain, expected, by_quotients, boundary::collisions, context, result)) {
    result.divergence->message = "the readable solver against the judge's own balance";
    return false;
  }
  return compare(expected, got, both, boundary::collisions, context, result);
}

/// How one solver solves the step, judged by itself.
bool LockstepDriver::judge_history(const Solver& solver, const Snapshot& held, double dt,
                                   const PlainBalance& balance, const Divergence& context,
                                   SolveHistory& history, Lockstep& result) {
  const bool readable = &solver == &reference_;
  history = solver.solve_history(dt);
  Counters seen;
  const auto fault =
      judge_solve({scene_, balance_arithmetic_, held, dt, balance,
                   [&](const auto& v, const auto& dv) { return reference_.impulse_change(v, dv, dt); }},
                  history, seen);
  for (const NewtonIteration& one : history.iterations) seen["gmres iterations"] += one.gmres_iterations;
  if (!readable) seen["newton iterations"] += static_cast<double>(history.iterations.size());
  for (const auto& [name, times] : seen) result.counters[readable ? name : "candidate's " + name] += times;
  if (!fault) return true;
  FieldResult field;
  field.field = fault->field;
  field.unit = fault->unit;
  field.note = fault->what;
  field.place = Place::global;
  field.values = field.unequal = field.failing = 1;
  field.worst.expected = fault->expected;
  field.worst.got = fault->got;
  field.worst.bound.rounding = fault->bound;
  field.worst.ratio = ratio_to_bound(fault->expected, fault->got, fault->bound);
  if (fault->node >= 0) {
    field.place = Place::node;
    field.worst.id = fault->node;
    field.worst.position = scene_.grid.node_position(fault->node);
  }
  return differs(std::move(field), boundary::collisions,
                 readable ? "the readable solver's solve" : "the candidate's solve", context, result);
}

/// What ImplicitOptions lets a converged solve leave, per node.
FieldBound stated_tolerance(const BalanceProbe& probe, const NodeImpulses& balanced,
                            const BalanceBounds& bounds, const Unsolved& left) {
  const Scene& scene = probe.scene;
  const auto d = static_cast<std::size_t>(scene.dim());
  const auto length = [&](const std::vector<double>& of, std::size_t n) {
    double squared = 0.0;
    for (std::size_t a = n * d; a < (n + 1) * d; ++a) squared += of[a] * of[a];
    return std::sqrt(squared);
  };
  double fastest = 0.0;
  for (std::size_t n = 0; n < probe.state.node.size(); ++n) fastest = std::max(fastest, length(probe.v, n));
  const double strain = 1.0 + probe.dt * fastest / scene.grid.h;
  const double reach =
      std::max(scene.grid.domain_min.cwiseAbs().maxCoeff(), scene.grid.domain_max().cwiseAbs().maxCoeff());
  const double gap = scene.colliders.empty() ? 0.0 : 16.0 * reach / probe.dt;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  FieldBound result{.field = std::string(residual_field),
                    .bound = std::vector<Bound>(probe.state.node.size())};
  for (std::size_t n = 0; n < result.bound.size(); ++n) {
    const double m = probe.state.get(field::m_i).value[n];
    const double magnitude = balanced.magnitude[n] + bounds.impulse[n];
    const double carried = m * length(probe.v, n) + length(probe.state.get(field::p_i).value, n);
    result.bound[n].carried = scene.implicit.newton_tolerance * magnitude +
                              eps * (64.0 * (carried + magnitude + strain * bounds.stiff[n]) + m * gap);
    result.bound[n].rounding = left.rounding[n];
  }
  return result;
}

/// The history is that of the step: as many iterations and contacts, and the velocities that the solver holds, which went through a
/// momentum and maybe a shorter number.
bool LockstepDriver::told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report,
                                 const Divergence& context, Lockstep& result) {
  std::uint64_t products = 0;
  for (const NewtonIteration& one : history.iterations)
    products += static_cast<std::uint64_t>(one.gmres_iterations);
  const bool as_many =
      report.newton_iterations == history.iterations.size() && report.gmres_iterations == products;
  Snapshot got = solver.save(boundary::collisions, false);
  Snapshot expected = got;
  std::vector<double> momentum = history.v_bar;
  FieldBound bound{.field = std::string(field::p_bar), .bound = std::vector<Bound>(momentum.size())};
  const auto d = static_cast<std::size_t>(scene_.dim());
  for (std::size_t i = 0; i < momentum.size(); ++i) {
    momentum[i] *= got.get(field::m_i).value[i / d];
    bound.bound[i].rounding = arithmetic_.g(3.0) * std::abs(momentum[i]);
    bound.bound[i].underflow = arithmetic_.smallest;
  }
  expected.set(node_field(field::p_bar, scene_.dim(), std::move(momentum)));
  if (!compare(expected, got, {bound}, boundary::collisions, context, result)) {
    result.divergence->message = "the solve that is told is not the one that is run";
    return false;
  }
  std::uint64_t pairs = 0;
  for (const NodeHold& hold : history.holds) pairs += hold.bodies.size() + (hold.prescribed ? 1U : 0U);
  if (as_many && report.contacts == pairs) return true;
  FieldResult field;
  field.field = as_many ? "report contacts" : "report newton_iterations";
  field.unit = "-";
  field.place = Place::global;
  field.values = field.unequal = field.failing = 1;
  field.worst.expected = static_cast<double>(as_many ? pairs : history.iterations.size());
  field.worst.got = static_cast<double>(as_many ? report.contacts : report.newton_iterations);
  field.worst.ratio = std::numeric_limits<double>::infinity();
  return differs(std::move(field), boundary::collisions, "the solve that is told is not the one that is run",
                 context, result);
}

/// What the readable solver's own velocities leave of the judge's balance.
bool LockstepDriver::judge_readable(const Snapshot& held, double dt, const std::vector<double>& v,
                                    const PlainBalance& balance, const Divergence& context,
                                    Lockstep& result) {
  const BalanceProbe probe{scene_, balance_arithmetic_, held, v, 0.0, {}, dt};
  const auto impulses = balance.impulses(probe.v);
  Counters unused;
  const BalanceBounds bounds = balance_bounds(probe, unused);
  const Unsolved left = impulses ? unsolved(probe, impulses->impulse, bounds, unused) : Unsolved{};
  Snapshot expected = held;
  Snapshot reached = held;
  expected.set(node_field(residual_field, 1, std::vector<double>(held.node.size(), 0.0)));
  std::vector<FieldBound> allowed;
  if (impulses) {
    reached.set(node_field(residual_field, 1, left.residual));
    allowed.push_back(stated_tolerance(probe, *impulses, bounds, left));
  } else {
    allowed.push_back(node_bound(residual_field, std::vector<double>(held.node.size(), 0.0), 1));
  }
  if (compare(expected, reached, allowed, boundary::collisions, context, result)) return true;
  result.divergence->message = "the readable solver's solve";
  return false;
}

/// Forces and collisions of an implicit step.
bool LockstepDriver::solve_stretch(const Snapshot& state, double dt, Lockstep& result) {
  Divergence context = context_of(state, boundary::p2g, dt);
  Snapshot held;
  if (!exchange(state, boundary::p2g, context, held, result)) return false;

  std::optional<SimulationError> candidate_error, reference_error;
  StepReport report_of_candidate;
  const PlainBalance balance(scene_, held, dt);
  try {
    // Strains of the state itself, with the equal stretches among them, near those, and large ones.
    for (const double reach : {0.0, 1e-3, 0.1})
      if (!compare_probe(held, dt, reach, balance, context, result)) return false;
    SolveHistory history;
    if (!judge_history(candidate_, held, dt, balance, context, history, result)) return false;
    report_of_candidate = candidate_.run(boundary::p2g, boundary::collisions, dt);
    if (!told_as_run(candidate_, history, report_of_candidate, context, result)) return false;
  } catch (const SimulationError& error) {
    candidate_error = error;
  }
  const Snapshot got = candidate_error ? held : candidate_.save(boundary::collisions, false);
  const auto d = static_cast<std::size_t>(scene_.dim());
  NodeImpulses balanced;
  BalanceProbe probe{scene_, balance_arithmetic_, held, {}, arithmetic_.g(3.0), {}, dt};
  try {
    if (!candidate_error) {
      // The velocity went through a momentum and maybe a shorter number: three roundings.
      probe.v = got.get(field::p_bar).value;
      for (std::size_t i = 0; i < probe.v.size(); ++i) probe.v[i] /= got.get(field::m_i).value[i / d];
      balanced = reference_.impulses_at(probe.v, dt);
    }
    SolveHistory history;
    if (!judge_history(reference_, held, dt, balance, context, history, result)) return false;
    if (!judge_readable(held, dt, history.v_bar, balance, context, result)) return false;
    const StepReport report = reference_.run(boundary::p2g, boundary::collisions, dt);
    if (!told_as_run(reference_, history, report, context, result)) return false;
    if (!candidate_error &&
        !same_massless(report, report_of_candidate, boundary::collisions, context, result))
      return false;
    count(result.counters, report);
    result.counters["contacts"] += static_cast<double>(report.contacts);
    double& unknowns = result.counters["unknowns"];
    unknowns = std::max(unknowns, static_cast<double>(d * held.node.size()));
    result.counters["newton iterations"] += static_cast<double>(report.newton_iterations);
  } catch (const SimulationError& error) {
    reference_error = error;
  }
  if (candidate_error || reference_error) {
    judge_errors(candidate_error, reference_error, std::move(context), result);
    return false;
  }

  Counters unused;
  const BalanceBounds bounds = balance_bounds(probe, unused);
  const Unsolved left = unsolved(probe, balanced.impulse, bounds, result.counters);
  const FieldBound residual = stated_tolerance(probe, balanced, bounds, left);
  Snapshot expected = held;
  Snapshot reached = got;
  expected.set(node_field(residual_field, 1, std::vector<double>(left.residual.size(), 0.0)));
  reached.set(node_field(residual_field, 1, left.residual));

  // p* = p + Δt f(v̄) of the candidate's own v̄.
  std::vector<double> star = held.get(field::p_i).value;
  FieldBound star_bound{.field = std::string(field::p_star), .bound = std::vector<Bound>(star.size())};
  for (std::size_t i = 0; i < star.size(); ++i) {
    star_bound.bound[i].rounding =
        bounds.impulse[i / d] + arithmetic_.g(3.0) * (std::abs(star[i]) + std::abs(balanced.impulse[i]));
    star_bound.bound[i].underflow = arithmetic_.smallest;
    star[i] += balanced.impulse[i];
  }
  expected.set(node_field(field::p_star, scene_.dim(), std::move(star)));
  std::vector<FieldBound> allowed{residual, star_bound};
  // All else only went through storage.
  for (const Field& field : held.fields) {
    const bool own = field.name.rfind(field::native_prefix, 0) == 0 || field.name == field::plastic_case;
    if (!own) allowed.push_back(stored_bound(scene_, arithmetic_, field));
  }
  return compare(expected, reached, allowed, boundary::collisions, context, result);
}

}  // namespace repose::crosscheck
