#include "reference/mpm/stress.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/cohesion.h"
#include "reference/physics/hencky.h"
#include "reference/physics/unilateral.h"
#include "reference/physics/water.h"

#include <cmath>

namespace repose {

template <int d>
ElasticStress<d> elastic_stress(const Particle<d>& p, const Scene& scene) {
  const Material& material = scene.materials[static_cast<std::size_t>(p.material)];
  if (material.kind == MaterialKind::water) {
    const OfVolume law = water_law(p.J, material);
    return {Mat<d>(-law.pressure * p.J * Mat<d>::Identity()), law.products * p.J};  // [ERRATA T14]
  }
  const Lame moduli = lame(material);
  const Svd<d> svd = decompose<d>(p.F);
  const Vec<d> eps = hencky_strain<d>(svd);
  const double hencky = (2.0 * moduli.mu + d * std::abs(moduli.lambda)) * eps.norm();
  if (material.kind == MaterialKind::elastic || mpm_options(scene).energy == Energy::hencky)
    return {kirchhoff_stress<d>(svd, principal_kirchhoff_stress<d>(eps, moduli)), hencky};

  const Unilateral& of = material.unilateral.value();
  const double s_C = multiplier_shift<d>(of, moduli, cone_of<d>(material, p));
  const OfStrain<d> psi = unilateral_energy<d>(eps, moduli, of, s_C);
  const OfStrain<d> h = multiplier<d>(eps, of, s_C);
  const double trace = eps.sum();
  const double full = moduli.mu * eps.squaredNorm() + 0.5 * std::abs(moduli.lambda) * trace * trace;
  return {kirchhoff_stress<d>(svd, psi.slope), h.value * hencky + full * h.slope.norm()};
}

template ElasticStress<2> elastic_stress<2>(const Particle<2>&, const Scene&);
template ElasticStress<3> elastic_stress<3>(const Particle<3>&, const Scene&);

}  // namespace repose
