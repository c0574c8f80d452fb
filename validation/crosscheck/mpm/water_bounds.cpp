#include "validation/crosscheck/mpm/water_bounds.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/strain.h"
#include "validation/mechanics/water.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// |δ ln J| of a J that is handed from one solver to the other.
double exchanged(const Arithmetic& arithmetic, double log_J) {
  return arithmetic.from_F(4.0) * (1.0 + std::abs(log_J));
}

}  // namespace

Bound stored_volume_bound(const Arithmetic& arithmetic, double J) {
  if (J == 1.0) return {};
  const double log_J = std::log(J);
  Bound bound;
  bound.rounding = J * arithmetic.of_strain(1.0) * std::abs(log_J);
  bound.carried = J * exchanged(arithmetic, log_J);
  return bound;
}

StressError water_stress_error(const Arithmetic& arithmetic, const Material& water, double J) {
  if (J == 1.0) return {};
  const double p = std::abs(mechanics::water_pressure(water, J));
  const double stiff = mechanics::water_stiffness(water, J);
  const double k = water.water_stiffness;
  const double apart = exchanged(arithmetic, std::log(J));
  return {.magnitude = p * J, .error = J * ((p + stiff) * apart + arithmetic.of_F(4.0) * (p + 2.0 * k))};
}

FieldBound volume_bounds(const Stage& stage) {
  const Field& J = stage.before.get(field::J);
  const Field& grad_v = stage.before.get(field::grad_v);
  const Arithmetic& arithmetic = stage.arithmetic;
  const int dim = stage.scene.dim();
  FieldBound result{.field = std::string(field::J), .bound = std::vector<Bound>(J.value.size())};
  if (!is_water(stage.scene)) return result;
  for (std::size_t p = 0; p < J.value.size(); ++p) {
    const Tensor step = stage.dt * tensor(grad_v, p, dim);
    const double A = step.trace();
    const double after = (1.0 + A) * J.value[p];
    const double log_before = std::abs(std::log(J.value[p])), log_after = std::abs(std::log(after));
    const double formed = arithmetic.g(dim + 1.0) * step.diagonal().cwiseAbs().sum() / (1.0 + A);
    const double rounded = arithmetic.of_F(3.0) + arithmetic.of_strain(8.0) * std::abs(std::log1p(A)) +
                           arithmetic.of_strain(1.0) * log_before + arithmetic.of_strain(2.0) * log_after;
    const double grad_error = stage.dt * carried_norm(stage.carried, field::grad_v, p, dim * dim);
    Bound& bound = result.bound[p];
    bound.rounding = after * (formed + rounded);
    bound.carried = after * (exchanged(arithmetic, log_before) + exchanged(arithmetic, log_after)) +
                    J.value[p] * std::sqrt(static_cast<double>(dim)) * grad_error +
                    (1.0 + A) * carried_norm(stage.carried, field::J, p, 1);
  }
  return result;
}

}  // namespace repose::crosscheck
