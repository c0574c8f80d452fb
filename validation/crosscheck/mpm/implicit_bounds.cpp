#include "validation/crosscheck/mpm/implicit_bounds.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/unilateral_bounds.h"
#include "validation/mechanics/cone.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"
#include "validation/mechanics/unilateral.h"
#include "validation/mechanics/water.h"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>

namespace repose::crosscheck {

namespace {

/// Roundings of a weight's gradient, as of other transfers: six per axis and one factor more.
double gradient_roundings(int dim) { return 6.0 * dim + 1.0; }

/// From a strain to P Fᵀ: the return (12), stress (d + 2), exponential, inverse and products of d×d matrices.
double law_roundings(int dim) { return 12.0 + dim + 2.0 + 4.0 + 6.0 * dim; }

/// A particle's stress, as far as bounds need it.
struct Stress {
  double size = 0.0;       ///< e ‖τ‖ [Pa]
  double operator_ = 0.0;  ///< C [Pa]
  double bend = 0.0;       ///< ‖dC‖ per strain error, case borders apart [Pa]
  double rounding = 0.0;   ///< of e τ, by forming the unilateral energy's multiplier [Pa]
  double of_change = 0.0;  ///< of C, by the same [Pa]
  bool undecided = false;
};

/// The sizes of what stays of a strain that the judge cannot follow: it is one of those that rounding allows.
struct Kept {
  StrainSizes strain;
  double error = 0.0;  ///< ‖δε‖
};

/// Where the strain that stays stands to the fall of the multiplier, at velocities at which solvers are asked.
void count_region(const Unilateral& of, double s_C, int dim, const StrainSizes& strain, Counters& counters) {
  const double z = mechanics::multiplier_place(of, s_C, dim, strain.trace, strain.shear, 0.0).z;
  counters[z <= 0.0 ? "probe region A" : z >= 1.0 ? "probe region C" : "probe region B"] += 1.0;
  for (const char* end : {"0", "1"}) {
    const double off = z - (*end == '0' ? 0.0 : 1.0);
    if (std::abs(off) <= 0.01)
      counters[std::string(off < 0.0 ? "probe below z = " : "probe above z = ") + end] += 1.0;
  }
}

/// What the law says of the strain that stays.
/// @param follows M  @param e largest exp(ε̂ − ε)
void take_law(const Arithmetic& arithmetic, const Material& material, const Unilateral* unilateral, int dim,
              double q, const Kept& kept, double follows, double e, double condition, Counters& counters,
              Stress& result) {
  const Lame modulus = lame(material);
  const double stiffness = 2.0 * modulus.mu + dim * std::abs(modulus.lambda);
  double magnitude = stiffness * kept.strain.norm, per_strain = stiffness, second = 0.0;
  if (unilateral != nullptr) {
    const Approximate s_C = multiplier_shift(arithmetic, material, dim, q);
    const UnilateralError of =
        unilateral_error(arithmetic, *unilateral, s_C, dim, kept.strain, kept.error, stiffness);
    count_region(*unilateral, s_C.value, dim, kept.strain, counters);
    magnitude = of.magnitude;
    per_strain = of.per_strain;
    second = of.bend;
    result.rounding = e * of.rounding;
    result.of_change = condition * e * (follows * of.of_change + (1.0 + follows) * of.rounding);
  }
  result.size = e * magnitude;
  result.operator_ = condition * (e * per_strain * follows + result.size * (1.0 + follows));
  // Smooth parts bend with few times their size; on the surface directions turn by 2 δε/‖dev ε̂‖.
  result.bend = 8.0 * condition * result.operator_ + 4.0 * condition * e * follows * follows * second;
}

/// Nothing yields: the stress is that of the shifted strain.
Stress unreturned_stress_at(const Arithmetic& arithmetic, const Material& material,
                            const Unilateral* unilateral, int dim, double q, double shift,
                            const Strain& trial, double strain_error, double follows, Counters& counters) {
  const double norm = trial.log.norm() + std::abs(shift);
  const double dev = (trial.log - trial.log.trace() / dim * identity(dim)).norm();
  Stress result;
  take_law(arithmetic, material, unilateral, dim, q, {{norm, trial.log.trace() + shift, dev}, strain_error},
           follows, 1.0, trial.condition, counters, result);
  return result;
}

Stress stress_at(const Arithmetic& arithmetic, const Scene& scene, const Material& material, double q,
                 double v_c, const Strain& trial, double strain_error, Counters& counters) {
  const int dim = scene.dim();
  const double d = dim;
  const Lame modulus = lame(material);
  const double cone = (d * modulus.lambda + 2.0 * modulus.mu) / (2.0 * modulus.mu);
  const bool elastic = material.kind == repose::MaterialKind::elastic;
  const Unilateral* unilateral =
      mpm_options(scene).energy == Energy::unilateral && !elastic ? &material.unilateral.value() : nullptr;
  const double alpha = elastic ? 0.0 : mechanics::cone_slope(mechanics::hardened_angle(material.friction, q));
  const double slope = cone * alpha;
  const double cohesion = elastic ? 0.0 : material.cohesion;
  const double shift = material.volume_correction && !elastic ? v_c : 0.0;
  const bool lagged = mpm_options(scene).integrator == Integrator::semi_implicit;
  if (elastic || lagged)
    return unreturned_stress_at(arithmetic, material, unilateral, dim, q, shift, trial, strain_error,
                                lagged ? 1.0 : 2.0, counters);
  const double trace = trial.log.trace() + shift;
  const double dev = (trial.log - trial.log.trace() / d * identity(dim)).norm();
  const double slip = dev + slope * trace - cohesion / (2.0 * modulus.mu);
  const double tip = mechanics::tip_trace(cohesion, alpha, d * modulus.lambda + 2.0 * modulus.mu);
  const double beyond = trace - tip;
  const double released = trial.log.norm() + std::abs(shift);  // ‖ε̂ − ε‖ at most
  const double follows = 2.0 + std::sqrt(d) * slope;           // M
  const double trace_error = std::sqrt(d) * strain_error;
  const double slip_error = strain_error + slope * trace_error;
  const bool may_tip = beyond > -trace_error;
  const bool may_stay = beyond <= trace_error && slip <= slip_error;
  const bool may_slip = beyond <= trace_error && slip > -slip_error;
  Stress result;
  result.undecided = (may_tip ? 1 : 0) + (may_stay ? 1 : 0) + (may_slip ? 1 : 0) > 1;

  // Hencky's energy is as stiff everywhere: the strain before the return does. The unilateral one has to be asked at that behind it;
  // cases meet where rounding decides, so that either strain is within the errors of what decides.
  Kept kept{{released, trace, dev}, follows * strain_error};
  if (unilateral != nullptr) {
    kept.error += result.undecided ? trace_error + slip_error : 0.0;
    if (may_tip)
      kept.strain = {tip / std::sqrt(d), tip, 0.0};
    else if (may_slip)
      kept.strain = {released, trace, std::max(0.0, dev - slip)};
  }
  take_law(arithmetic, material, unilateral, dim, q, kept, follows, std::exp(released), trial.condition,
           counters, result);
  if (may_slip) result.bend += 4.0 * result.operator_ / std::max(dev, 1e-300);
  counters[result.undecided ? "probe undecided"
           : may_tip        ? "probe tip"
           : may_stay       ? "probe inside"
                            : "probe surface"] += 1.0;
  return result;
}

/// What one particle gives along a gradient of weight 1, and what it may differ by [kg m/s · m].
struct Given {
  double impulse = 0.0, impulse_error = 0.0;
  double change = 0.0, change_error = 0.0;
  double modulus = 0.0;  ///< 2μ + dλ [Pa]
};

/// Stretches of one particle, with their errors.
struct Stretches {
  Tensor H = Tensor::Zero();  ///< Δt ∇v
  double H_error = 0.0;
  double dA = 0.0, dA_error = 0.0;  ///< ‖Δt ∇dv‖ at most
};

/// p(Ĵ) J of water moves by (γ k Ĵ^−γ) J with ln Ĵ; differences that form it, by some roundings of k (1 + Ĵ^−γ).
Given water_given(const Arithmetic& arithmetic, const Material& water, int dim, double scale, double J,
                  const Stretches& at) {
  const double d = dim, gamma = water.water_gamma, k = water.water_stiffness;
  const double stretch = 1.0 + at.H.trace();
  const double after = stretch * J;
  const double log_after = std::abs(std::log(after));
  const double of_log = std::sqrt(d) * at.H_error / stretch +
                        arithmetic.g(8.0) * (1.0 + std::abs(std::log(J)) + log_after + at.H.norm() / stretch);
  const double stiff = mechanics::water_stiffness(water, after);
  const double p = std::abs(mechanics::water_pressure(water, after));
  Given given;
  given.modulus = d * gamma * k;
  given.impulse = scale * J * p;
  given.impulse_error = scale * J *
                        (stiff * (of_log + arithmetic.g(24.0) * log_after) +
                         arithmetic.g(24.0) * (p + 2.0 * k + stiff / gamma));
  const double operator_ = scale * stiff / after * J * J;
  const bool at_rest = !water.water_tension && std::abs(after - 1.0) <= 2.0 * of_log;
  given.change = operator_ * at.dA * std::sqrt(d);
  given.change_error = operator_ * std::sqrt(d) *
                       (at.dA_error + at.dA * ((gamma + 1.0) * (of_log + arithmetic.g(24.0) * log_after) +
                                               arithmetic.g(24.0) + (at_rest ? 1.0 : 0.0)));
  return given;
}

Given solid_given(const Arithmetic& arithmetic, const Scene& scene, const Material& material,
                  const Snapshot& state, std::size_t p, double scale, const Stretches& at,
                  Counters& counters) {
  const int dim = scene.dim();
  Tensor A = Tensor::Identity() + at.H;
  const double shrink = A.inverse().norm();  // ‖A⁻¹‖
  if (dim < 3) A(2, 2) = 0.0;
  const Tensor F = tensor(state.get(field::F), p, dim);
  const Strain trial = strain(A * F, dim);
  const double strain_error =
      arithmetic.g(2.0 * strain_roundings(dim)) * std::max(trial.condition, strain(F, dim).condition) +
      shrink * at.H_error * trial.condition;
  const Stress law = stress_at(arithmetic, scene, material, state.get(field::q).value[p],
                               state.get(field::v_c).value[p], trial, strain_error, counters);
  const Lame modulus = lame(material);
  const double rounding = arithmetic.g(law_roundings(dim));
  Given given;
  given.modulus = 2.0 * modulus.mu + dim * modulus.lambda;
  given.impulse = scale * law.size * shrink;
  given.impulse_error = scale * shrink * (law.operator_ * strain_error + rounding * law.size + law.rounding) +
                        given.impulse * shrink * at.H_error;
  const double L = at.dA * shrink;
  const double operator_error =
      law.undecided ? 2.0 * law.operator_ : std::min(2.0 * law.operator_, law.bend * strain_error);
  const double K = scale * law.operator_ * L;
  const double K_error =
      scale * law.operator_ * (at.dA_error * shrink + L * shrink * at.H_error + 4.0 * rounding * L) +
      scale * (operator_error + law.of_change) * L;
  given.change = K * shrink;
  given.change_error = shrink * (K_error + K * shrink * at.H_error);
  return given;
}

}  // namespace

BalanceBounds balance_bounds(const BalanceProbe& probe, Counters& counters) {
  const Scene& scene = probe.scene;
  const int dim = scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const double h = scene.grid.h;
  const double dt = probe.dt;
  const Arithmetic& arithmetic = probe.arithmetic;
  const Snapshot& state = probe.state;
  const std::size_t nodes = state.count(Place::node);
  const auto places = node_places(state);
  const auto velocity = [&](const std::vector<double>& of, std::size_t n) {
    Point result = Point::Zero();
    for (std::size_t a = 0; a < d; ++a) result[static_cast<Eigen::Index>(a)] = of[n * d + a];
    return result;
  };
  // Change of ∇w over δx: second derivatives of a product of weights are at most 2/h² each, and what they leave out.
  const double moved = arithmetic.position * 2.0 * dim / (h * h) +
                       gradient_bend(mpm_options(scene).kernel, dim, arithmetic.position / h) / h;

  const std::vector<double> zero(nodes, 0.0);
  BalanceBounds result{zero, zero, zero, zero};
  std::vector<double> impulse_sum = zero, change_sum = zero, stiff_sum = zero, terms = zero;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Stencil s = stencil(scene, point(state.get(field::x), p));
    const auto size = static_cast<std::size_t>(s.size);
    constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
    std::array<std::size_t, std::tuple_size_v<decltype(s.node)>> place_of;
    for (std::size_t k = 0; k < size; ++k) {
      const auto place = places.find(s.node[k]);
      place_of[k] = place == places.end() ? nowhere : place->second;
    }
    const double roundings = static_cast<double>(size) + gradient_roundings(dim);
    Stretches at;
    for (std::size_t k = 0; k < size; ++k) {
      if (place_of[k] == nowhere) continue;
      const Point v = velocity(probe.v, place_of[k]);
      const double slope = s.grad[k].lpNorm<1>();
      at.H += dt * v * s.grad[k].transpose();
      at.H_error += dt * v.norm() * (slope * (arithmetic.g(roundings) + probe.v_error) + moved);
      if (probe.dv.empty()) continue;
      const double speed = velocity(probe.dv, place_of[k]).norm();
      at.dA += dt * speed * slope;
      at.dA_error += dt * speed * (slope * arithmetic.g(roundings) + moved);
    }
    const Material& material =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value.at(p)));
    const double scale = dt * state.get(field::volume).value.at(p);
    const Given given = material.kind == repose::MaterialKind::water
                            ? water_given(arithmetic, material, dim, scale, state.get(field::J).value[p], at)
                            : solid_given(arithmetic, scene, material, state, p, scale, at, counters);
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t n = place_of[k];
      if (n == nowhere) continue;
      const double slope = s.grad[k].lpNorm<1>();
      const double of_strain = scale * given.modulus;
      result.stiff[n] += of_strain * s.grad[k].norm();
      result.stiff_error[n] += of_strain * moved;
      stiff_sum[n] += of_strain * slope;
      result.impulse[n] += given.impulse_error * slope + given.impulse * moved;
      result.change[n] += given.change_error * slope + given.change * moved;
      impulse_sum[n] += given.impulse * slope;
      change_sum[n] += given.change * slope;
      terms[n] += 1.0;
    }
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    const double m = state.get(field::m_i).value[n];
    const double fall = m * dt * scene.gravity.norm();
    const double sum = arithmetic.g(terms[n] + gradient_roundings(dim));
    result.impulse[n] += sum * impulse_sum[n] + arithmetic.g(3.0) * fall + terms[n] * arithmetic.smallest;
    result.change[n] += sum * change_sum[n] + terms[n] * arithmetic.smallest;
    result.stiff_error[n] += sum * stiff_sum[n];
    // A solver may form m dv − dR: two roundings of m dv.
    if (!probe.dv.empty()) result.change[n] += arithmetic.g(2.0) * m * velocity(probe.dv, n).norm();
  }
  return result;
}

}  // namespace repose::crosscheck
