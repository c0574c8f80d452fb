#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_drawn_materials.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace repose::crosscheck {

namespace {

/// h0 ≥ h3 and a largest angle of 80°: h1 (q − h3/h1) exp(−h2 q) ≤ h1/(e h2) for q ≥ 0.
FrictionLaw draw_friction(Random& random) {
  FrictionLaw law;
  if (chance(random, 0.15)) return law;
  const double largest =
      (chance(random, 0.4) ? random.between(45.0, 80.0) : random.between(8.0, 45.0)) * degree;
  const bool grows = chance(random, 0.5);
  const bool starts_lower = chance(random, 0.6);
  law.h2 = grows || starts_lower ? random.between(0.1, 1.0) : 0.0;
  const double share = random.between(0.1, 0.6);
  law.h1 = grows ? share * largest * std::numbers::e * law.h2 : 0.0;
  law.h0 = grows ? (1.0 - share) * largest : largest;
  const double lower = random.between(0.1, 0.9);
  law.h3 = starts_lower ? lower * law.h0 : 0.0;
  // Without an asymptote: only h1.
  if (grows && chance(random, 0.3)) law.h0 = law.h3 = 0.0;
  return law;
}

}  // namespace

Material draw_material(Random& random, bool elastic) {
  Material m;
  m.density = random.between(900.0, 3000.0);
  m.youngs_modulus = 1e5 * std::pow(10.0, random.between(0.0, 0.7));
  m.poisson_ratio = random.between(0.05, 0.45);
  m.kind = elastic ? MaterialKind::elastic : MaterialKind::sand;
  if (elastic) return m;
  m.friction = draw_friction(random);
  m.volume_correction = chance(random, 0.5);
  return m;
}

void draw_cohesion(Case& c, Random& random) {
  const bool unilateral = chance(random, 0.4);
  if (unilateral) mpm_options(c.scene).energy = Energy::unilateral;
  for (Material& m : c.scene.materials) {
    if (m.kind == MaterialKind::elastic) continue;
    const bool wet = chance(random, 0.4);
    const double tip = 1e-4 * std::pow(10.0, random.between(0.0, 1.0));
    m.cohesion = 1.0;
    const auto unit = tip_before_hardening(m, c.setup.dim);
    m.cohesion = wet && unit ? tip / unit->trace : 0.0;
    if (chance(random, 0.4)) m.hardening_apart = HardeningApart::opening_and_closing;
    if (!unilateral) continue;
    Unilateral& of = m.unilateral.emplace();
    of.strain_unit = chance(random, 0.5) ? 0.01 : 1.0;
    const double size = random.between(0.002, 0.03) / of.strain_unit;
    of.a = -size;
    of.b = random.between(0.0, 0.2) * size;
    of.c0 = random.between(0.0, 1.0);
    const double shift = random.between(-0.3, 0.3) * size;
    if (chance(random, 0.4)) of.s_C = shift;
  }
}

void draw_strains(Case& c, const Point& inward, Random& random) {
  mix_strains(c, inward.isZero(0.0) ? random.between(0.005, 0.05) : 0.003, 3);
  randomize(c, field::q, 0.0, 3.0, 5);
  if (chance(random, 0.3)) randomize(c, field::q, 0.0, 1e-3, 5);
  const double volumes = random.between(0.002, 0.02);
  Field& material = c.start.get(field::material);
  Field& v_c = c.start.get(field::v_c);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const auto k =
        static_cast<std::size_t>(random.between(0.0, static_cast<double>(c.scene.materials.size())));
    material.value[p] = static_cast<double>(k);
    const double gained = random.between(0.0, volumes);
    if (c.scene.materials[k].volume_correction) v_c.value[p] = gained;
  }
}

void need_yield(Case& c) {
  bool corrected = false;
  for (std::size_t k = 0; k < c.scene.materials.size(); ++k) {
    const bool elastic = c.scene.materials[k].kind == MaterialKind::elastic;
    corrected = corrected || c.scene.materials[k].volume_correction;
    if (elastic) {
      c.needs.push_back({fmt::format("material {} elastic", k), 20});
    } else {
      c.needs.push_back({fmt::format("material {} surface", k), 3});
      c.needs.push_back({fmt::format("material {} tip", k), 3});
    }
  }
  if (corrected) c.needs.push_back({"volume correction", 20});
}

}  // namespace repose::crosscheck
