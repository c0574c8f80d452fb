#include "validation/crosscheck/mpm/return_bounds.h"

#include "validation/mechanics/cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

Approximate friction_slope(const Arithmetic& arithmetic, const FrictionLaw& law, double q, double q_error) {
  const double decay = std::exp(-law.h2 * q);
  const double amplitude = std::abs(law.h1 * q) + std::abs(law.h3);
  const double phi_error =
      arithmetic.g(5.0) * (std::abs(law.h0) + amplitude * decay * (1.0 + std::abs(law.h2 * q))) +
      q_error * (std::abs(law.h1) + amplitude * std::abs(law.h2)) * decay;
  const double alpha = mechanics::cone_slope(mechanics::hardened_angle(law, q));
  return {alpha, 1.5 * std::sqrt(2.0 / 3.0) * phi_error + arithmetic.g(6.0) * std::abs(alpha)};
}

Approximate tip_trace(const Arithmetic& arithmetic, const Material& material, const Approximate& alpha,
                      int dim) {
  if (material.cohesion == 0.0) return {};
  const Lame modulus = lame(material);
  const double value =
      mechanics::tip_trace(material.cohesion, alpha.value, dim * modulus.lambda + 2.0 * modulus.mu);
  if (!std::isfinite(value)) return {value, 0.0};
  return {value, value * (2.0 * alpha.error / alpha.value + arithmetic.g(6.0))};
}

ReturnBound return_bound(const Arithmetic& arithmetic, const Material& material, const TrialState& trial,
                         int dim) {
  const double d = static_cast<double>(dim);
  const Lame modulus = lame(material);
  const double k = (d * modulus.lambda + 2.0 * modulus.mu) / (2.0 * modulus.mu);
  const Approximate alpha = friction_slope(arithmetic, material.friction, trial.q, trial.q_error);
  const Approximate e_c = tip_trace(arithmetic, material, alpha, dim);
  const double cohesive = material.cohesion / (2.0 * modulus.mu);  // ‖dev ε‖ on the cone at tr ε = 0

  const double eps = trial.formed + trial.strain_error;
  const double shift = material.volume_correction ? trial.v_c : 0.0;
  const Tensor shifted = trial.strain.log + (shift / d) * identity(dim);
  const double norm = trial.strain.log.norm();
  const double trace = shifted.trace();
  const Tensor deviator = shifted - (trace / d) * identity(dim);
  const double dev = deviator.norm();
  const double scale = norm + std::abs(shift);
  const double trace_error = std::sqrt(d) * eps + trial.v_c_error + arithmetic.g(2.0 * d) * scale;
  const double dev_error = eps + arithmetic.g(2.0 * d + 2.0) * scale;
  // How far beyond the tip; e_c and the trace are subtracted, or compared, which is one rounding of either.
  const double beyond = trace - e_c.value;
  const double beyond_error = trace_error + e_c.error + (e_c.value > 0.0 ? arithmetic.g(1.0) * scale : 0.0);
  const double slip = dev + k * trace * alpha.value - cohesive;  // δγ
  const double slip_error = dev_error + k * (std::abs(trace) * alpha.error + alpha.value * trace_error) +
                            arithmetic.g(8.0) * (dev + k * std::abs(trace) * alpha.value + cohesive);

  // Every case that rounding allows contributes.
  const bool may_tip = beyond > -beyond_error;
  const bool may_stay = beyond <= beyond_error && slip <= slip_error;
  const bool may_slip = beyond <= beyond_error && slip > -slip_error;
  ReturnBound result;
  result.undecided = (may_tip ? 1 : 0) + (may_stay ? 1 : 0) + (may_slip ? 1 : 0) > 1;
  result.strainless = result.undecided && norm <= eps;
  double out_error = 0.0;
  double q_error = 0.0;
  double q_low = 1e300;
  double q_high = 0.0;
  const auto take = [&](double strain_error, double hardening, double hardening_error) {
    out_error = std::max(out_error, strain_error);
    q_error = std::max(q_error, hardening_error);
    q_low = std::min(q_low, hardening);
    q_high = std::max(q_high, hardening);
  };
  bool either = false;  // both ways of hardening at the tip
  if (may_tip) {
    // ε = e_c/d 1, of length e_c/√d; hardened by the distance of the unshifted trial from it.
    const double tip = e_c.value / std::sqrt(d);
    const double way = (trial.strain.log - (e_c.value / d) * identity(dim)).norm();
    const double way_error =
        eps + e_c.error / std::sqrt(d) + arithmetic.g(d * d) * way + arithmetic.g(3.0) * tip;
    // With a shift the unshifted trial may lie on this side of the tip: the gap closes. Without one it is what decided.
    const double opened = trial.strain.log.trace() - e_c.value;
    const double opened_error = std::sqrt(d) * eps + e_c.error + arithmetic.g(2.0 * d) * (norm + e_c.value);
    const bool shifted_at_all = material.volume_correction && (trial.v_c != 0.0 || trial.v_c_error != 0.0);
    const bool asks = shifted_at_all && material.hardening_apart == HardeningApart::opening;
    const bool may_open = !asks || opened > -opened_error;
    const bool may_close = asks && opened <= opened_error;
    either = may_open && may_close;
    result.undecided_hardening =
        either && way > way_error;  // what does not strain a particle hardens it by rounding alone
    if (may_open) take(e_c.error / std::sqrt(d) + arithmetic.g(3.0) * tip, way, way_error);
    if (may_close) take(e_c.error / std::sqrt(d) + arithmetic.g(3.0) * tip, 0.0, 0.0);
  }
  if (may_stay) take(eps + std::abs(trial.v_c_error) + arithmetic.g(2.0) * scale, 0.0, 0.0);
  if (may_slip) {
    // On the cone the deviator has length r = c_C/2μ − k α tr, its direction the trial's: it turns by at most 2 δdev/dev, and
    // r ≤ dev. The derivative with the trace is 1/√d along the axis and k α across it. Of r's two terms, where the trace is
    // not negative, the first is the larger one.
    const double radius = std::max(0.0, cohesive - k * alpha.value * trace);
    const double turn = dev > 0.0 ? std::min(2.0, 2.0 * dev_error / dev) : 2.0;
    const double strain_error = trace_error / std::sqrt(d) +
                                k * (alpha.value * trace_error + std::abs(trace) * alpha.error) +
                                radius * turn + arithmetic.g(12.0) * scale + arithmetic.g(8.0) * cohesive;
    take(strain_error, std::max(0.0, slip), slip_error);
  }
  // Where cases meet the strain is continuous: neither side is further from the border than the errors.
  const double border = result.undecided ? beyond_error * (1.0 + k * alpha.value) + slip_error : 0.0;
  // The new strain is made F again, stored or handed out; a stored one has its roundings among those above.
  const double spread = std::exp(2.0 * (2.0 * norm + std::abs(shift)));
  result.strain.carried = out_error;
  result.strain.rounding =
      arithmetic.from_F(strain_roundings(dim)) * std::min(spread, trial.strain.condition);
  result.strain.tie = border;
  result.q.carried = q_error + trial.q_error;
  result.q.rounding = arithmetic.g(2.0) * (std::abs(trial.q) + q_high);
  result.q.tie = result.undecided || either ? q_high - q_low : 0.0;
  if (material.volume_correction && may_tip) {
    result.v_c.carried = beyond_error;
    result.v_c.rounding = arithmetic.g(4.0) * scale;
  }
  return result;
}

}  // namespace repose::crosscheck
