#include "experiments/picture/mpm/look.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "validation/mechanics/water.h"
#include "validation/metrics/elastic_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace repose::experiments {

namespace {

/// Where a particle's stress lies.
enum StressCase : std::size_t { elastic, inside, surface, tip, water };

const Material& material_of(const Snapshot& state, const Scene& scene, std::size_t particle) {
  return scene.materials[material_index(state, scene, particle)];
}

PrincipalStrain strain_of(const Snapshot& state, const Scene& scene, std::size_t particle) {
  drawn_values(state, field::F, scene.dim() * scene.dim());
  try {
    return principal_strain(state.get(field::F), particle, scene.dim());
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("particle {}: {}", particle, error.what()));
  }
}

std::size_t stress_case(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const Material& material = material_of(state, scene, particle);
  if (material.kind == MaterialKind::elastic) return elastic;
  if (material.kind == MaterialKind::water) return water;
  // Strains of single precision are known to some 10⁻⁷; the return leaves exactly the identity at the tip.
  constexpr double rounding = 1e-6;
  const PrincipalStrain strain = strain_of(state, scene, particle);
  if (std::abs(strain.trace()) <= rounding && strain.deviator_norm() <= rounding) return tip;
  const double alpha =
      cone_slope(hardened_angle(material.friction, drawn_values(state, field::q, 1)[particle]));
  const double outside = yield_residual(strain, lame(material), alpha);
  return outside >= -(rounding + 1e-3 * strain.deviator_norm()) ? surface : inside;
}

bool has_material_of(const Scene& scene, std::size_t stress_case) {
  const MaterialKind kind = stress_case == elastic ? MaterialKind::elastic
                            : stress_case == water ? MaterialKind::water
                                                   : MaterialKind::sand;
  const auto is_it = [&](const Material& material) { return material.kind == kind; };
  return std::any_of(scene.materials.begin(), scene.materials.end(), is_it);
}

double hardening(const Snapshot& state, const Scene&, std::size_t particle) {
  return drawn_values(state, field::q, 1)[particle];
}

double pressure_kpa(const Snapshot& state, const Scene& scene, std::size_t particle) {
  const Material& material = material_of(state, scene, particle);
  if (material.kind == MaterialKind::water) {
    const double J = drawn_values(state, field::J, 1)[particle];
    return 1e-3 * J * mechanics::water_pressure(material, J);
  }
  const auto tau = kirchhoff_stress(strain_of(state, scene, particle), lame(material));
  return -1e-3 * (tau[0] + tau[1] + tau[2]) / scene.dim();
}

}  // namespace

Look mpm_look() {
  return {.method = method::mpm.name,
          .velocity = field::v,
          .material = field::material,
          .volume = field::volume,
          .scales = {{"hardening", "hardening state q [1]", true, hardening},
                     {"pressure", "pressure [kPa]", false, pressure_kpa}},
          .words = {{"case",
                     "whether the stress lies within the yield cone, on it, or at its tip",
                     {{{0.55F, 0.55F, 0.58F}, "elastic material"},
                      {{0.18F, 0.55F, 0.24F}, "inside the cone: sticks"},
                      {{0.16F, 0.36F, 0.69F}, "on the cone: slips"},
                      {{0.78F, 0.20F, 0.17F}, "at the tip: free of stress"},
                      {{0.20F, 0.50F, 0.78F}, "water"}},
                     has_material_of,
                     stress_case}}};
}

}  // namespace repose::experiments
