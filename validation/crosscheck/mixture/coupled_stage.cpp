#include "validation/crosscheck/mixture/coupled_stage.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_probes.h"
#include "validation/crosscheck/mixture/coupled_parts.h"
#include "validation/crosscheck/mixture/coupling_bounds.h"
#include "validation/crosscheck/mixture/judge.h"
#include "validation/crosscheck/mpm/judge.h"

#include <utility>

namespace repose::crosscheck {

using mixture::Phase;

namespace {

FieldResult of_field(std::string_view name) {
  FieldResult result;
  result.field = name;
  return result;
}

}  // namespace

OfPhases CoupledStage::velocities(const Snapshot& at) const {
  OfPhases v{at.get(field::p_bar).value, at.get(field::p_bar_w).value};
  for (const Phase phase : mixture::phases) {
    const auto& mass = held_.get(named(field::m_i, phase)).value;
    for (std::size_t i = 0; i < nodes_ * d_; ++i) {
      double& one = v[index(phase)][i];
      one = mass[i / d_] > 0.0 ? one / mass[i / d_] : 0.0;
    }
  }
  return v;
}

OfPhases CoupledStage::drawn(double size, std::uint64_t seed) const {
  OfPhases v;
  for (const Phase phase : mixture::phases) {
    const PhaseBalance& own = of(phase);
    v[index(phase)] = own.spread(
        random_velocities(own.part.members.nodes.size() * d_, size, seed + 10 * index(phase)), d_, nodes_);
  }
  return v;
}

std::vector<double> CoupledStage::drag_of(const OfPhases& v) const {
  std::vector<double> j(nodes_ * d_);
  for (std::size_t i = 0; i < j.size(); ++i) j[i] = drag_[i / d_] * (v[0][i] - v[1][i]);
  return j;
}

bool CoupledStage::compare_probe(double reach) {
  const double per_reach = scene_.grid.h / dt_;
  const OfPhases v = drawn(reach * per_reach, 17), dv = drawn(0.01 * per_reach, 18);
  Snapshot plain = held_, expected = held_, got = held_;
  std::vector<FieldBound> both, by_quotients;
  for (const Phase phase : mixture::phases) {
    const PhaseBalance& own = of(phase);
    const BalanceProbe probe = probe_of(own, v, 0.0, own.own(dv[index(phase)], scene_.dim()));
    std::vector<double> quotient(own.part.members.nodes.size(), 0.0);
    if (auto impulses = own.plain.impulses(probe.v)) {
      PlainBalance::Change change = own.plain.change(probe.v, probe.dv);
      plain.set(
          node_field(named(impulse_field, phase), scene_.dim(), own.spread(impulses->impulse, d_, nodes_)));
      plain.set(node_field(named(impulse_change_field, phase), scene_.dim(),
                           own.spread(change.impulse, d_, nodes_)));
      quotient = std::move(change.error);
    }
    const BalanceBounds bounds = balance_bounds(probe, stage_.counters);
    both.push_back(node_bound(named(impulse_field, phase), own.spread(bounds.impulse, 1, nodes_), d_));
    by_quotients.push_back(both.back());
    both.push_back(node_bound(named(impulse_change_field, phase), own.spread(bounds.change, 1, nodes_), d_));
    by_quotients.push_back(both.back());
    const std::vector<double> of_quotients = own.spread(quotient, 1, nodes_);
    for (std::size_t i = 0; i < by_quotients.back().bound.size(); ++i)
      by_quotients.back().bound[i].carried = of_quotients[i / d_];
  }
  plain.set(node_field(drag_impulse_field, scene_.dim(), drag_of(v)));
  std::vector<double> of_drag;
  for (std::size_t n = 0; n < nodes_; ++n)
    of_drag.push_back(balance_arithmetic_.g(16.0) * drag_[n] * (speed(v[0], n) + speed(v[1], n)));
  both.push_back(node_bound(drag_impulse_field, of_drag, d_));
  by_quotients.push_back(both.back());

  const PhaseVelocities at{v[0], v[1]}, along{dv[0], dv[1]};
  for (const bool readable : {true, false}) {
    const Solver& solver = readable ? reference_ : candidate_;
    Snapshot& to = readable ? expected : got;
    PhaseImpulses impulses = impulses_at(solver, scene_.dim(), at, dt_);
    PhaseChanges changes = impulse_change(solver, scene_.dim(), at, along, dt_);
    to.set(node_field(impulse_field, scene_.dim(), std::move(impulses.sand.impulse)));
    to.set(node_field(of_water(impulse_field), scene_.dim(), std::move(impulses.water.impulse)));
    to.set(node_field(impulse_change_field, scene_.dim(), std::move(changes.sand)));
    to.set(node_field(of_water(impulse_change_field), scene_.dim(), std::move(changes.water)));
    to.set(node_field(drag_impulse_field, scene_.dim(), drag_impulse(solver, scene_.dim(), at, dt_)));
  }
  if (!stage_.compare(plain, expected, by_quotients, "the readable solver against the judge's own balance"))
    return false;
  return stage_.compare(expected, got, both, "");
}

bool CoupledStage::judge_history(const Solver& solver, SolveHistory& history) {
  const bool readable = &solver == &reference_;
  const std::string message = readable ? "the readable solver's solve" : "the candidate's solve";
  history = solver.solve_history(dt_);
  // What a solver takes for the reversible term is compared by itself: each is judged with its own.
  const std::vector<double> reversible = reversible_impulse(solver, dt_);
  const TwoPhaseBalance balance(scene_, balance_arithmetic_, held_, dt_, sand_, water_, reversible,
                                [&](const PhaseVelocities& v, const PhaseVelocities& dv) {
                                  return impulse_change(reference_, scene_.dim(), v, dv, dt_);
                                });
  const auto of_nodes = balance.of_nodes(history);
  if (!of_nodes)
    return stage_.differs(of_field("newton_error"), message + ": of other nodes than each phase's");
  Counters seen;
  const auto fault = judge_solve(balance, *of_nodes, seen);
  for (const auto& [name, times] : seen) stage_.counters[readable ? name : "candidate's " + name] += times;
  return !fault || stage_.differs(fault->field_result(scene_.grid), message);
}

bool CoupledStage::told_as_run(const Solver& solver, const SolveHistory& history, const StepReport& report) {
  constexpr std::string_view message = "the solve that is told is not the one that is run";
  Snapshot got = solver.save(boundary::collisions, false);
  Snapshot expected = got;
  std::vector<FieldBound> bounds;
  for (const Phase phase : mixture::phases) {
    const auto half = static_cast<std::ptrdiff_t>(history.v_bar.size() / 2);
    const auto first = history.v_bar.begin() + (phase == Phase::water ? half : 0);
    bounds.push_back(told_momentum(expected, named(field::p_bar, phase), {first, first + half},
                                   got.get(named(field::m_i, phase)).value, scene_.dim(), arithmetic_));
  }
  if (!stage_.compare(expected, got, bounds, message)) return false;
  if (auto count = told_otherwise(history, mixture_options(scene_).implicit, report))
    return stage_.differs(std::move(*count), message);
  return true;
}

void CoupledStage::count_solve(const StepReport& report) {
  count(mixture_judge(), stage_.counters, report);
  stage_.counters["contacts"] += static_cast<double>(report.counts[counter::contacts]);
  stage_.counters["newton iterations"] += static_cast<double>(report.counts[counter::newton_iterations]);
  stage_.counters["gmres iterations"] += static_cast<double>(report.counts[counter::gmres_iterations]);
  for (std::size_t n = 0; n < nodes_; ++n) {
    if (drag_[n] == 0.0) continue;
    const double m_s = held_.get(field::m_i).value[n], m_w = held_.get(field::m_i_w).value[n];
    stage_.counters["solved nodes with drag"] += 1.0;
    if (drag_[n] / m_s + drag_[n] / m_w >= stiff_drag) stage_.counters["stiff drag"] += 1.0;
  }
  for (std::size_t n = 0; n < nodes_; ++n)
    if (speed(reversible_, n) > 0.0) stage_.counters["nodes with the reversible term"] += 1.0;
}

bool CoupledStage::judge() {
  StepReport report_of_candidate;
  double left_by_candidate = 0.0, left_by_readable = 0.0;
  try {
    // Strains of the state itself, strains near those, and large ones.
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
  std::array<NodeImpulses, 2> at_candidate;
  OfPhases v;
  try {
    reversible_ = reversible_impulse(reference_, dt_);
    if (!stage_.candidate_error) {
      v = velocities(got);
      const PhaseImpulses both = impulses_at(reference_, scene_.dim(), {v[0], v[1]}, dt_);
      for (const Phase phase : mixture::phases) {
        const NodeImpulses& one = phase == Phase::water ? both.water : both.sand;
        at_candidate[index(phase)] = {of(phase).own(one.impulse, scene_.dim()),
                                      of(phase).own(one.magnitude, 1)};
      }
    }
    SolveHistory history;
    if (!judge_history(reference_, history)) return false;
    left_by_readable = history.error;
    const StepReport report = reference_.run(boundary::p2g, boundary::collisions, dt_);
    if (!told_as_run(reference_, history, report)) return false;
    if (!stage_.candidate_error)
      if (auto count = none_of_one(mixture_judge(), arithmetic_, report.counts, report_of_candidate.counts))
        return stage_.differs(std::move(*count), "none is none for both");
    count_solve(report);
  } catch (const SimulationError& error) {
    stage_.reference_error = error;
  }
  if (stage_.candidate_error || stage_.reference_error) return false;

  // The readable solver by the judge's own balances: momenta in double, three roundings.
  const Snapshot readable = reference_.save(boundary::collisions, false);
  const OfPhases v_readable = velocities(readable);
  std::array<NodeImpulses, 2> plain;
  for (const Phase phase : mixture::phases) {
    const PhaseBalance& own = of(phase);
    if (auto found = own.plain.impulses(own.own(v_readable[index(phase)], scene_.dim())))
      plain[index(phase)] = std::move(*found);
    else
      return stage_.differs(of_field(residual_field), "the readable solver's solve inverts a particle");
  }
  const std::vector<double> none(nodes_, 0.0);
  if (!judge_solution(v_readable, plain, balance_arithmetic_.g(3.0), none, left_by_readable, readable,
                      "the readable solver's solve"))
    return false;

  const Carried carried;
  const Stage solved{scene_, arithmetic_, dt_, held_, readable, reference_, carried};
  const PartStage water(solved, Phase::water);
  const FieldBound of_reversible = reversible_bound(solved, water);
  std::vector<double> given(nodes_, 0.0);
  for (std::size_t i = 0; i < of_reversible.bound.size(); ++i) {
    const Bound& one = of_reversible.bound[i];
    given[i / d_] += one.rounding + one.position + one.underflow + one.carried;
  }
  if (!judge_solution(v, at_candidate, arithmetic_.g(3.0), given, left_by_candidate, got, "")) return false;
  return judge_fields(v, at_candidate, got, of_reversible);
}

bool judge_coupled_stage(SolvedStage& stage) { return CoupledStage(stage).judge(); }

}  // namespace repose::crosscheck
