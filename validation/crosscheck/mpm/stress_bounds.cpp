#include "validation/crosscheck/mpm/stress_bounds.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/unilateral_bounds.h"
#include "validation/crosscheck/mpm/water_bounds.h"
#include "validation/mechanics/unilateral.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

const Material& material_of(const Scene& scene, const Snapshot& particles, std::size_t p) {
  return scene.materials.at(static_cast<std::size_t>(particles.get(field::material).value.at(p)));
}

bool is_unilateral(const Scene& scene, const Material& material) {
  return material.kind == repose::MaterialKind::sand && mpm_options(scene).energy == Energy::unilateral;
}

double shear_of(const Tensor& log, int dim) { return (log - log.trace() / dim * identity(dim)).norm(); }

}  // namespace

StressError stress_error(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& particles,
                         std::size_t p) {
  const int dim = scene.dim();
  const Material& material = material_of(scene, particles, p);
  if (material.kind == repose::MaterialKind::water)
    return water_stress_error(arithmetic, material, particles.get(field::J).value.at(p));
  const Lame modulus = lame(material);
  const Tensor F = tensor(particles.get(field::F), p, dim);
  const Strain s = strain(F, dim);
  const double scale = 2.0 * modulus.mu + dim * std::abs(modulus.lambda);
  const double strain_error = error_of_forming(arithmetic, F, s, dim);
  if (!is_unilateral(scene, material))
    return {.magnitude = scale * s.log.norm(), .error = scale * strain_error};
  const UnilateralError of =
      unilateral_error(arithmetic, *material.unilateral,
                       multiplier_shift(arithmetic, material, dim, particles.get(field::q).value.at(p)), dim,
                       {s.log.norm(), s.log.trace(), shear_of(s.log, dim)}, strain_error, scale);
  return {.magnitude = of.magnitude, .error = of.per_strain * strain_error + of.rounding};
}

double multiplier_place(const Scene& scene, const Snapshot& particles, std::size_t p) {
  const Material& material = material_of(scene, particles, p);
  if (!is_unilateral(scene, material)) return -1.0;
  const int dim = scene.dim();
  const Tensor log = strain(tensor(particles.get(field::F), p, dim), dim).log;
  const Approximate s_C = multiplier_shift({}, material, dim, particles.get(field::q).value.at(p));
  return mechanics::multiplier_place(*material.unilateral, s_C.value, dim, log.trace(), shear_of(log, dim),
                                     0.0)
      .z;
}

}  // namespace repose::crosscheck
