#include "reference/interface/methods/mixture.h"
#include "validation/crosscheck/mixture/coupled_parts.h"
#include "validation/crosscheck/mpm/judge.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <cmath>
#include <limits>
#include <utility>

namespace repose::crosscheck {

using mixture::Phase;

bool CoupledStage::judge_solution(const OfPhases& v, const std::array<NodeImpulses, 2>& impulses,
                                  double v_error, const std::vector<double>& given, double left_of_all,
                                  const Snapshot& got, std::string_view message) {
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
    Counters held;
    const Unsolved left = unsolved(probe, balanced.impulse, bounds, held);
    count_phase(phase, held, stage_.counters);
    FieldBound residual = stated_tolerance(probe, balanced, bounds, left, left_of_all);
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
      const double speeds = drag_[i / d_] * (speed(v[0], i / d_) + speed(v[1], i / d_));
      of_drag.bound[i].rounding += (v_error + arithmetic_.g(4.0)) * speeds + arithmetic_.g(2.0) * size;
      // A solver may add drag back to an impulse that contains it, in double: two roundings of the drag, which is the larger by far
      // at light nodes of which a body holds one phase and lets the other slip.
      of_star.bound[i].rounding += balance_arithmetic_.g(2.0) * speeds;
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

}  // namespace repose::crosscheck
