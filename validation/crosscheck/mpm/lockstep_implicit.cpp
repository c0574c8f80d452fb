#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mpm/implicit_parts.h"
#include "validation/crosscheck/mpm/judge.h"
#include "validation/crosscheck/mpm/solve_judge.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <algorithm>

namespace repose::crosscheck {

namespace {

/// Forces and collisions of an implicit step: one solve.
class ImplicitStage {
 public:
  explicit ImplicitStage(SolvedStage& stage)
      : stage_(stage),
        scene_(stage.scene),
        candidate_(stage.candidate),
        reference_(stage.reference),
        arithmetic_(stage.arithmetic),
        balance_arithmetic_(arithmetic(stage.scene, stage.reference.rounding(), stage.reference.rounding())),
        held_(stage.held),
        dt_(stage.dt),
        balance_(stage.scene, stage.held, stage.dt) {}

  bool judge();

 private:
  bool compare_probe(double reach);
  bool judge_readable(const SolveHistory& history);
  bool judge_history(const Solver& solver, SolveHistory& history);
  bool told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report);

  SolvedStage& stage_;
  const Scene& scene_;
  Solver& candidate_;
  Solver& reference_;
  const Arithmetic& arithmetic_;
  /// Of the balance: in double, of a state that both hold but for one exchange.
  Arithmetic balance_arithmetic_;
  const Snapshot& held_;
  double dt_;
  PlainBalance balance_;
};

/// Impulses and their derivative at random velocities that move nodes by up to `reach` · h: the readable solver's against
/// the judge's own, then the candidate's against the readable solver's.
bool ImplicitStage::compare_probe(double reach) {
  const std::size_t count = held_.count(Place::node) * static_cast<std::size_t>(scene_.dim());
  const double per_reach = scene_.grid.h / dt_;
  const BalanceProbe probe{scene_, balance_arithmetic_,
                           held_,  random_velocities(count, reach * per_reach, 17),
                           0.0,    random_velocities(count, 0.01 * per_reach, 18),
                           dt_};
  Snapshot plain = held_;
  Snapshot expected = held_;
  Snapshot got = held_;
  std::vector<double> quotient(held_.count(Place::node), 0.0);
  if (auto impulses = balance_.impulses(probe.v)) {
    PlainBalance::Change change = balance_.change(probe.v, probe.dv);
    plain.set(node_field(impulse_field, scene_.dim(), std::move(impulses->impulse)));
    plain.set(node_field(impulse_change_field, scene_.dim(), std::move(change.impulse)));
    quotient = std::move(change.error);
  }
  expected.set(
      node_field(impulse_field, scene_.dim(), impulses_at(reference_, scene_.dim(), probe.v, dt_).impulse));
  got.set(
      node_field(impulse_field, scene_.dim(), impulses_at(candidate_, scene_.dim(), probe.v, dt_).impulse));
  expected.set(node_field(impulse_change_field, scene_.dim(),
                          impulse_change(reference_, scene_.dim(), probe.v, probe.dv, dt_)));
  got.set(node_field(impulse_change_field, scene_.dim(),
                     impulse_change(candidate_, scene_.dim(), probe.v, probe.dv, dt_)));
  const BalanceBounds bounds = balance_bounds(probe, stage_.counters);
  const auto d = static_cast<std::size_t>(scene_.dim());
  const std::vector<FieldBound> both{node_bound(impulse_field, bounds.impulse, d),
                                     node_bound(impulse_change_field, bounds.change, d)};
  std::vector<FieldBound> by_quotients = both;
  for (std::size_t i = 0; i < by_quotients.back().bound.size(); ++i)
    by_quotients.back().bound[i].carried = quotient[i / d];
  if (!stage_.compare(plain, expected, by_quotients, "the readable solver against the judge's own balance"))
    return false;
  return stage_.compare(expected, got, both, "");
}

/// How one solver solves the step, judged by itself.
bool ImplicitStage::judge_history(const Solver& solver, SolveHistory& history) {
  const bool readable = &solver == &reference_;
  history = solver.solve_history(dt_);
  Counters seen;
  const auto change = [&](const auto& v, const auto& dv) {
    return impulse_change(reference_, scene_.dim(), v, dv, dt_);
  };
  const auto fault =
      judge_solve(OnePhaseBalance(scene_, balance_arithmetic_, held_, dt_, balance_, change), history, seen);
  for (const NewtonIteration& one : history.iterations) seen["gmres iterations"] += one.gmres_iterations;
  if (!readable) seen["newton iterations"] += static_cast<double>(history.iterations.size());
  for (const auto& [name, times] : seen) stage_.counters[readable ? name : "candidate's " + name] += times;
  if (!fault) return true;
  return stage_.differs(fault->field_result(scene_.grid),
                        readable ? "the readable solver's solve" : "the candidate's solve");
}

/// The history is that of the step: as many iterations and contacts, and the velocities that the solver holds, which went through a
/// momentum and maybe a shorter number.
bool ImplicitStage::told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report) {
  Snapshot got = solver.save(boundary::collisions, false);
  Snapshot expected = got;
  const FieldBound bound = told_momentum(expected, field::p_bar, history.v_bar, got.get(field::m_i).value,
                                         scene_.dim(), arithmetic_);
  if (!stage_.compare(expected, got, {bound}, "the solve that is told is not the one that is run"))
    return false;
  if (auto field = told_otherwise(history, mpm_options(scene_).implicit, report))
    return stage_.differs(std::move(*field), "the solve that is told is not the one that is run");
  return true;
}

/// What the readable solver's own velocities leave of the judge's balance.
bool ImplicitStage::judge_readable(const SolveHistory& history) {
  const std::vector<double>& v = history.v_bar;
  const BalanceProbe probe{scene_, balance_arithmetic_, held_, v, 0.0, {}, dt_};
  const auto impulses = balance_.impulses(probe.v);
  Counters unused;
  const BalanceBounds bounds = balance_bounds(probe, unused);
  const Unsolved left = impulses ? unsolved(probe, impulses->impulse, bounds, unused) : Unsolved{};
  Snapshot expected = held_;
  Snapshot reached = held_;
  expected.set(node_field(residual_field, 1, std::vector<double>(held_.count(Place::node), 0.0)));
  std::vector<FieldBound> allowed;
  if (impulses) {
    reached.set(node_field(residual_field, 1, left.residual));
    allowed.push_back(stated_tolerance(probe, *impulses, bounds, left, history.error));
  } else {
    allowed.push_back(node_bound(residual_field, std::vector<double>(held_.count(Place::node), 0.0), 1));
  }
  return stage_.compare(expected, reached, allowed, "the readable solver's solve");
}

bool ImplicitStage::judge() {
  StepReport report_of_candidate;
  double left_by_candidate = 0.0;
  try {
    // Strains of the state itself, with the equal stretches among them, near those, and large ones.
    for (const double reach : {0.0, 1e-3, 0.1})
      if (!compare_probe(reach)) return false;
    SolveHistory history;
    if (!judge_history(candidate_, history)) return false;
    left_by_candidate = history.error;
    report_of_candidate = candidate_.run(boundary::p2g, boundary::collisions, dt_);
    if (!told_as_run(candidate_, history, report_of_candidate)) return false;
  } catch (const SimulationError& error) {
    stage_.candidate_error = error;
  }
  const Snapshot got = stage_.candidate_error ? held_ : candidate_.save(boundary::collisions, false);
  const auto d = static_cast<std::size_t>(scene_.dim());
  NodeImpulses balanced;
  BalanceProbe probe{scene_, balance_arithmetic_, held_, {}, arithmetic_.g(3.0), {}, dt_};
  try {
    if (!stage_.candidate_error) {
      // The velocity went through a momentum and maybe a shorter number: three roundings.
      probe.v = got.get(field::p_bar).value;
      for (std::size_t i = 0; i < probe.v.size(); ++i) probe.v[i] /= got.get(field::m_i).value[i / d];
      balanced = impulses_at(reference_, scene_.dim(), probe.v, dt_);
    }
    SolveHistory history;
    if (!judge_history(reference_, history)) return false;
    if (!judge_readable(history)) return false;
    const StepReport report = reference_.run(boundary::p2g, boundary::collisions, dt_);
    if (!told_as_run(reference_, history, report)) return false;
    if (!stage_.candidate_error)
      if (auto count = none_of_one(mpm_judge(), arithmetic_, report.counts, report_of_candidate.counts))
        return stage_.differs(std::move(*count), "none is none for both");
    count(mpm_judge(), stage_.counters, report);
    stage_.counters["contacts"] += static_cast<double>(report.counts[counter::contacts]);
    double& unknowns = stage_.counters["unknowns"];
    unknowns = std::max(unknowns, static_cast<double>(d * held_.count(Place::node)));
    stage_.counters["newton iterations"] += static_cast<double>(report.counts[counter::newton_iterations]);
  } catch (const SimulationError& error) {
    stage_.reference_error = error;
  }
  if (stage_.candidate_error || stage_.reference_error) return false;

  Counters unused;
  const BalanceBounds bounds = balance_bounds(probe, unused);
  const Unsolved left = unsolved(probe, balanced.impulse, bounds, stage_.counters);
  const FieldBound residual = stated_tolerance(probe, balanced, bounds, left, left_by_candidate);
  Snapshot expected = held_;
  Snapshot reached = got;
  expected.set(node_field(residual_field, 1, std::vector<double>(left.residual.size(), 0.0)));
  reached.set(node_field(residual_field, 1, left.residual));

  // p* = p + Δt f(v̄) of the candidate's own v̄.
  std::vector<double> star = held_.get(field::p_i).value;
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
  for (const Field& field : held_.fields) {
    const bool own = field.name.rfind(field::native_prefix, 0) == 0 || field.name == field::plastic_case;
    if (!own) allowed.push_back(stored_bound(scene_, arithmetic_, field));
  }
  return stage_.compare(expected, reached, allowed, "");
}

}  // namespace

bool judge_implicit_stage(SolvedStage& stage) { return ImplicitStage(stage).judge(); }

}  // namespace repose::crosscheck
