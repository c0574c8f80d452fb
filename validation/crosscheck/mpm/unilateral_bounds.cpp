#include "validation/crosscheck/mpm/unilateral_bounds.h"

#include "validation/mechanics/unilateral.h"

#include <cmath>

namespace repose::crosscheck {

Approximate multiplier_shift(const Arithmetic& arithmetic, const Material& material, int dim, double q) {
  if (material.unilateral->s_C) return {*material.unilateral->s_C, 0.0};
  const Approximate alpha = friction_slope(arithmetic, material.friction, q, 0.0);
  const Approximate e_c = tip_trace(arithmetic, material, alpha, dim);
  const double per = std::sqrt(static_cast<double>(dim)) * material.unilateral->strain_unit;
  return {e_c.value / per, (e_c.error + arithmetic.g(3.0) * e_c.value) / per};
}

UnilateralError unilateral_error(const Arithmetic& arithmetic, const Unilateral& of, const Approximate& s_C,
                                 int dim, const StrainSizes& strain, double strain_error, double stiffness) {
  const double d = dim;
  const double norm = strain.norm;
  const double farthest = norm + strain_error;
  const auto at = mechanics::multiplier_place(of, s_C.value, dim, strain.trace, strain.shear,
                                              strain_error + arithmetic.g(2.0 * d + 2.0) * norm);
  const double ends = (std::abs(of.a) + std::abs(of.b)) / at.width;
  const double z_rounding = arithmetic.g(10.0) * at.terms / at.width +
                            arithmetic.g(2.0 * d + 2.0) * at.slope * norm +
                            arithmetic.g(2.0) * std::abs(at.z) * ends +
                            arithmetic.g(4.0) * (std::abs(at.z) + 1.0) + s_C.error / at.width;
  const double around = z_rounding + at.slope * strain_error;
  const double slope = mechanics::fall_slope(at.z, around), bend = mechanics::fall_bend(at.z, around);
  const double twist = mechanics::fall_twist(at.z, around);
  const bool falls = slope > 0.0;
  const double h = mechanics::fall(at.z - around);
  const double tau = stiffness * farthest, psi = 0.5 * stiffness * farthest * farthest;

  const double h1 = slope * at.slope;
  const double h2 = bend * at.slope * at.slope + slope * at.bend;
  const double h3 = twist * std::pow(at.slope, 3) + 3.0 * bend * at.slope * at.bend + slope * at.twist;
  const double h_rounding = falls ? slope * z_rounding + 32.0 * arithmetic.g(12.0) : 0.0;
  const double relative = arithmetic.g(2.0 * d + 24.0) + arithmetic.g(2.0) * ends;
  const double grad_rounding = at.slope * (bend * z_rounding + slope * relative) +
                               slope * at.bend * arithmetic.g(2.0 * d + 2.0) * norm;
  UnilateralError result;
  result.magnitude = h * tau + psi * slope * at.slope;
  result.per_strain = stiffness * h + 2.0 * tau * slope * at.slope + psi * h2;
  result.bend = 3.0 * stiffness * h1 + 3.0 * tau * h2 + psi * h3;
  result.rounding = h_rounding * tau + grad_rounding * psi;
  if (falls)
    result.of_change =
        result.bend * z_rounding / at.slope +
        (arithmetic.g(4.0 * d + 36.0) + arithmetic.g(4.0) * ends) *
            (32.0 * stiffness + 4.0 * tau * at.slope + psi * (60.0 * at.slope * at.slope + 2.0 * at.bend));
  return result;
}

}  // namespace repose::crosscheck
