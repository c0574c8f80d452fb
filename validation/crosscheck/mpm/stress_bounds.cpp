#include "validation/crosscheck/mpm/stress_bounds.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/return_bounds.h"
#include "validation/mechanics/unilateral.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

const Material& material_of(const Scene& scene, const Snapshot& particles, std::size_t p) {
  return scene.materials.at(static_cast<std::size_t>(particles.get(field::material).value.at(p)));
}

bool is_unilateral(const Scene& scene, const Material& material) {
  return material.kind != repose::MaterialKind::elastic && mpm_options(scene).energy == Energy::unilateral;
}

/// s_C, given or from the tip of the particle's own cone.
Approximate shift_of(const Arithmetic& arithmetic, const Material& material, int dim, double q) {
  if (material.unilateral->s_C) return {*material.unilateral->s_C, 0.0};
  const Approximate alpha = friction_slope(arithmetic, material.friction, q, 0.0);
  const Approximate e_c = tip_trace(arithmetic, material, alpha, dim);
  const double per = std::sqrt(static_cast<double>(dim)) * material.unilateral->strain_unit;
  return {e_c.value / per, (e_c.error + arithmetic.g(3.0) * e_c.value) / per};
}

double shear_of(const Tensor& log, int dim) { return (log - log.trace() / dim * identity(dim)).norm(); }

/// The parts of the table above that differ from Hencky's.
StressError unilateral_error(const Arithmetic& arithmetic, const Material& material, int dim, double q,
                             const Strain& s, double strain_error, double stiffness) {
  const Unilateral& of = *material.unilateral;
  const Approximate s_C = shift_of(arithmetic, material, dim, q);
  const double d = dim;
  const double norm = s.log.norm();
  const double farthest = norm + strain_error;
  const auto at = mechanics::multiplier_place(of, s_C.value, dim, s.log.trace(), shear_of(s.log, dim),
                                              strain_error + arithmetic.g(2.0 * d + 2.0) * norm);
  const double ends = (std::abs(of.a) + std::abs(of.b)) / at.width;
  const double z_rounding = arithmetic.g(10.0) * at.terms / at.width +
                            arithmetic.g(2.0 * d + 2.0) * at.slope * norm +
                            arithmetic.g(2.0) * std::abs(at.z) * ends +
                            arithmetic.g(4.0) * (std::abs(at.z) + 1.0) + s_C.error / at.width;
  const double around = z_rounding + at.slope * strain_error;
  const double slope = mechanics::fall_slope(at.z, around), bend = mechanics::fall_bend(at.z, around);
  const bool falls = slope > 0.0;
  const double h = mechanics::fall(at.z - around);
  const double tau = stiffness * farthest, psi = 0.5 * stiffness * farthest * farthest;

  const double per_strain =
      stiffness * h + 2.0 * tau * slope * at.slope + psi * (bend * at.slope * at.slope + slope * at.bend);
  const double h_rounding = falls ? slope * z_rounding + 32.0 * arithmetic.g(12.0) : 0.0;
  const double relative = arithmetic.g(2.0 * d + 24.0) + arithmetic.g(2.0) * ends;
  const double grad_rounding = at.slope * (bend * z_rounding + slope * relative) +
                               slope * at.bend * arithmetic.g(2.0 * d + 2.0) * norm;
  return {.magnitude = h * tau + psi * slope * at.slope,
          .error = per_strain * strain_error + h_rounding * tau + grad_rounding * psi};
}

}  // namespace

StressError stress_error(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& particles,
                         std::size_t p) {
  const int dim = scene.dim();
  const Material& material = material_of(scene, particles, p);
  const Lame modulus = lame(material);
  const Tensor F = tensor(particles.get(field::F), p, dim);
  const Strain s = strain(F, dim);
  const double scale = 2.0 * modulus.mu + dim * std::abs(modulus.lambda);
  const double strain_error = error_of_forming(arithmetic, F, s, dim);
  if (!is_unilateral(scene, material))
    return {.magnitude = scale * s.log.norm(), .error = scale * strain_error};
  return unilateral_error(arithmetic, material, dim, particles.get(field::q).value.at(p), s, strain_error,
                          scale);
}

double multiplier_place(const Scene& scene, const Snapshot& particles, std::size_t p) {
  const Material& material = material_of(scene, particles, p);
  if (!is_unilateral(scene, material)) return -1.0;
  const int dim = scene.dim();
  const Tensor log = strain(tensor(particles.get(field::F), p, dim), dim).log;
  const Approximate s_C = shift_of({}, material, dim, particles.get(field::q).value.at(p));
  return mechanics::multiplier_place(*material.unilateral, s_C.value, dim, log.trace(), shear_of(log, dim),
                                     0.0)
      .z;
}

}  // namespace repose::crosscheck
