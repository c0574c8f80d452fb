#include "validation/crosscheck/mixture/coupled_stage.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_probes.h"
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/crosscheck/mixture/coupling_bounds.h"
#include "validation/crosscheck/mixture/judge.h"
#include "validation/crosscheck/mixture/part_stage.h"
#include "validation/crosscheck/mpm/implicit_parts.h"
#include "validation/crosscheck/mpm/judge.h"
#include "validation/crosscheck/mpm/plain_balance.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace repose::crosscheck {

namespace {

using mixture::Phase;

/// Of each phase, d per node of both, or one.
using OfPhases = std::array<std::vector<double>, 2>;

std::size_t index(Phase phase) { return phase == Phase::water ? 1 : 0; }
std::string named(std::string_view name, Phase phase) {
  return phase == Phase::water ? of_water(name) : std::string(name);
}

/// One phase in front of the stage, and its balance.
struct PhaseBalance {
  PhaseBalance(const SolvedStage& stage, Phase of)
      : phase(of), part(stage.held, stage.scene, of), plain(part.scene, part.state, stage.dt) {}

  std::vector<double> own(const std::vector<double>& of_all, int components) const {
    return mixture::picked(of_all, components, part.members.nodes);
  }
  /// @param values of this phase's nodes  @param nodes of both
  std::vector<double> spread(const std::vector<double>& values, std::size_t components,
                             std::size_t nodes) const {
    std::vector<double> all(nodes * components, 0.0);
    for (std::size_t n = 0; n < part.members.nodes.size(); ++n)
      for (std::size_t a = 0; a < components; ++a)
        all[part.members.nodes[n] * components + a] = values[n * components + a];
    return all;
  }

  Phase phase;
  PartState part;
  PlainBalance plain;
};

class CoupledStage {
 public:
  explicit CoupledStage(SolvedStage& stage)
      : stage_(stage),
        scene_(stage.scene),
        candidate_(stage.candidate),
        reference_(stage.reference),
        arithmetic_(stage.arithmetic),
        balance_arithmetic_(arithmetic(stage.scene, stage.reference.rounding(), stage.reference.rounding())),
        held_(stage.held),
        dt_(stage.dt),
        d_(static_cast<std::size_t>(stage.scene.dim())),
        nodes_(stage.held.count(Place::node)),
        sand_(stage, Phase::solid),
        water_(stage, Phase::water) {
    for (std::size_t n = 0; n < nodes_; ++n) drag_.push_back(dt_ * coefficient(n));
  }

  bool judge();

 private:
  const PhaseBalance& of(Phase phase) const { return phase == Phase::water ? water_ : sand_; }
  /// What a phase balances at velocities of both. @param dv of the phase alone
  BalanceProbe probe_of(const PhaseBalance& own, const OfPhases& v, double v_error,
                        std::vector<double> dv = {}) const {
    return {own.part.scene,
            balance_arithmetic_,
            own.part.state,
            own.own(v[index(own.phase)], scene_.dim()),
            v_error,
            std::move(dv),
            dt_};
  }
  /// d_i as published [kg/s].
  double coefficient(std::size_t n) const {
    const double m_s = held_.get(field::m_i).value[n], m_w = held_.get(field::m_i_w).value[n];
    if (!(m_s > 0.0 && m_w > 0.0)) return 0.0;
    const MixtureOptions& options = mixture_options(scene_);
    if (options.drag == Drag::printed) return options.c_E * m_s * m_w;  // [Tam17 Eq.20]
    return options.drag == Drag::mesh_consistent ? options.kappa * std::pow(scene_.grid.h, scene_.dim())
                                                 : 0.0;
  }
  double speed(const std::vector<double>& v, std::size_t n) const {
    double squared = 0.0;
    for (std::size_t a = 0; a < d_; ++a) squared += v[n * d_ + a] * v[n * d_ + a];
    return std::sqrt(squared);
  }
  /// v̄ of a state at collisions; 0 where a phase is not.
  OfPhases velocities(const Snapshot& at) const;
  /// Random ones, 0 where a phase is not.
  OfPhases drawn(double size, std::uint64_t seed) const;
  std::vector<double> drag_of(const OfPhases& v) const;
  bool compare_probe(double reach);
  /// Judges v by what each phase leaves. @param impulses Δt f of each phase at its own nodes
  /// @param given bound of the reversible impulse per node
  bool judge_solution(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses, double v_error,
                      const std::vector<double>& given, const Snapshot& got, std::string_view message);
  bool judge_fields(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses, const Snapshot& got,
                    const FieldBound& of_reversible);
  void count_solve(const StepReport& report);

  SolvedStage& stage_;
  const Scene& scene_;
  Solver& candidate_;
  Solver& reference_;
  const Arithmetic& arithmetic_;
  Arithmetic balance_arithmetic_;  ///< double against double
  const Snapshot& held_;
  double dt_;
  std::size_t d_, nodes_;
  PhaseBalance sand_, water_;
  std::vector<double> drag_;        ///< Δt d_i per node [kg]
  std::vector<double> reversible_;  ///< the readable solver's impulse on sand [kg m/s]
};

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

bool CoupledStage::judge_solution(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses,
                                  double v_error, const std::vector<double>& given, const Snapshot& got,
                                  std::string_view message) {
  const std::vector<double> j = drag_of(v);
  Snapshot expected = held_, reached = got;
  std::vector<FieldBound> allowed;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (const Phase phase : mixture::phases) {
    const PhaseBalance& own = of(phase);
    const double sign = phase == Phase::water ? -1.0 : 1.0;
    const BalanceProbe probe = probe_of(own, v, v_error);
    Counters unused;
    BalanceBounds bounds = balance_bounds(probe, unused);
    NodeImpulses balanced = impulses[index(phase)];
    const auto& places = own.part.members.nodes;
    std::vector<double> granted(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::size_t n = places[k];
      for (std::size_t a = 0; a < d_; ++a)
        balanced.impulse[k * d_ + a] += sign * (reversible_[n * d_ + a] - j[n * d_ + a]);
      const double speeds = drag_[n] * (speed(v[0], n) + speed(v[1], n)), r = speed(reversible_, n);
      balanced.magnitude[k] += speed(j, n) + r;
      bounds.impulse[k] += given[n] + (balance_arithmetic_.g(8.0) + v_error) * speeds;
      granted[k] = 64.0 * eps * speeds;
    }
    const Unsolved left = unsolved(probe, balanced.impulse, bounds, stage_.counters);
    FieldBound residual = stated_tolerance(probe, balanced, bounds, left);
    FieldBound whole{named(residual_field, phase), std::vector<Bound>(nodes_)};
    for (std::size_t k = 0; k < places.size(); ++k) {
      whole.bound[places[k]] = residual.bound[k];
      whole.bound[places[k]].carried += granted[k];
    }
    allowed.push_back(std::move(whole));
    expected.set(node_field(named(residual_field, phase), 1, std::vector<double>(nodes_, 0.0)));
    reached.set(node_field(named(residual_field, phase), 1, own.spread(left.residual, 1, nodes_)));
  }
  return stage_.compare(expected, reached, allowed, message);
}

/// p* = p + Δt f(v̄) ± r and p_drag of the candidate's own v̄; all else only went through storage.
bool CoupledStage::judge_fields(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses,
                                const Snapshot& got, const FieldBound& of_reversible) {
  const std::vector<double> j = drag_of(v);
  const double v_error = arithmetic_.g(3.0);
  Snapshot expected = held_;
  std::vector<FieldBound> allowed{of_reversible};
  expected.set(node_field(field::reversible, scene_.dim(), reversible_));
  for (const Phase phase : mixture::phases) {
    const PhaseBalance& own = of(phase);
    const double sign = phase == Phase::water ? -1.0 : 1.0;
    const BalanceProbe probe = probe_of(own, v, v_error);
    Counters unused;
    const std::vector<double> errors = own.spread(balance_bounds(probe, unused).impulse, 1, nodes_);
    const std::vector<double> f = own.spread(impulses[index(phase)].impulse, d_, nodes_);
    std::vector<double> star = held_.get(named(field::p_i, phase)).value, dragged = star;
    FieldBound of_star{named(field::p_star, phase), std::vector<Bound>(star.size())};
    FieldBound of_drag{named(field::p_drag, phase), of_star.bound};
    for (std::size_t i = 0; i < star.size(); ++i) {
      const double size = std::abs(star[i]) + std::abs(f[i]) + std::abs(reversible_[i]);
      of_star.bound[i] = of_reversible.bound[i];
      of_star.bound[i].rounding += errors[i / d_] + arithmetic_.g(4.0) * size;
      of_star.bound[i].underflow += arithmetic_.smallest;
      of_drag.bound[i] = of_star.bound[i];
      const double speeds = speed(v[0], i / d_) + speed(v[1], i / d_);
      of_drag.bound[i].rounding +=
          drag_[i / d_] * (v_error + arithmetic_.g(4.0)) * speeds + arithmetic_.g(2.0) * size;
      star[i] += f[i] + sign * reversible_[i];
      dragged[i] = star[i] - sign * j[i];
    }
    expected.set(node_field(named(field::p_star, phase), scene_.dim(), std::move(star)));
    expected.set(node_field(named(field::p_drag, phase), scene_.dim(), std::move(dragged)));
    allowed.push_back(std::move(of_star));
    allowed.push_back(std::move(of_drag));
  }
  for (const Field& field : held_.fields) {
    const bool native = field.name.rfind(field::native_prefix, 0) == 0 || field.name == field::plastic_case;
    if (!native) allowed.push_back(stored_bound(scene_, arithmetic_, field));
  }
  return stage_.compare(expected, got, allowed, "");
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
    if (drag_[n] / m_s + drag_[n] / m_w > 10.0) stage_.counters["stiff drag"] += 1.0;
  }
  for (std::size_t n = 0; n < nodes_; ++n)
    if (speed(reversible_, n) > 0.0) stage_.counters["nodes with the reversible term"] += 1.0;
}

bool CoupledStage::judge() {
  StepReport report_of_candidate;
  try {
    // Strains of the state itself, strains near those, and large ones.
    for (const double reach : {0.0, 1e-3, 0.1})
      if (!compare_probe(reach)) return false;
    report_of_candidate = candidate_.run(boundary::p2g, boundary::collisions, dt_);
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
    const StepReport report = reference_.run(boundary::p2g, boundary::collisions, dt_);
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
      return stage_.differs({.field = std::string(residual_field)},
                            "the readable solver's solve inverts a particle");
  }
  const std::vector<double> none(nodes_, 0.0);
  if (!judge_solution(v_readable, plain, balance_arithmetic_.g(3.0), none, readable,
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
  if (!judge_solution(v, at_candidate, arithmetic_.g(3.0), given, got, "")) return false;
  return judge_fields(v, at_candidate, got, of_reversible);
}

}  // namespace

bool judge_coupled_stage(SolvedStage& stage) { return CoupledStage(stage).judge(); }

}  // namespace repose::crosscheck
