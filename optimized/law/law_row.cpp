#include "optimized/law/law_row.h"

#include <cmath>
#include <limits>

namespace repose::optimized {

namespace {

void set_multiplier(const Unilateral& of, int dim, LawRow<double>& row) {
  row.per_unit = 1.0 / of.strain_unit;
  row.opening = of.c0;
  row.start = of.a + of.s_C.value_or(0.0);
  row.follows_tip = of.s_C ? 0.0 : row.per_unit / std::sqrt(static_cast<double>(dim));
  row.per_width = 1.0 / (of.b - of.a);
}

}  // namespace

double cone_slope(const LawRow<double>& law, double q) {
  const double phi = law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q);  // [Klar16 Eq.30]
  const double sine = std::sin(phi);
  return std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);  // [Klar16 Eq.31]
}

double tip_strain(const LawRow<double>& law, double alpha) {
  return law.radius > 0.0 ? law.radius / (law.cone * alpha) : 0.0;
}

LawRow<double> law_row(const Material& material, int dim, Energy energy) {
  LawRow<double> row;
  if (material.kind == MaterialKind::water) return row;  // its numbers are those of WaterRow
  const Lame l = lame(material);
  row.two_mu = 2.0 * l.mu;
  row.lambda = l.lambda;
  row.cone = (dim * l.lambda + 2.0 * l.mu) / (2.0 * l.mu);
  row.h0 = material.friction.h0;
  row.h1 = material.friction.h1;
  row.h2 = material.friction.h2;
  row.h3 = material.friction.h3;
  const LawRow<double> constant{.h0 = row.h0};
  row.alpha = cone_slope(constant, 0.0);
  row.cohesion = material.cohesion;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (material.kind == MaterialKind::elastic) {
    row.elastic = 1.0;
    row.radius = row.tip = infinity;
    return row;
  }
  row.keeps_volume = material.volume_correction ? 1.0 : 0.0;
  row.radius = material.cohesion / (2.0 * l.mu);
  row.tip = tip_strain(row, row.alpha);
  row.hardens_above = material.hardening_apart == HardeningApart::opening_and_closing ? -infinity : infinity;
  if (energy == Energy::unilateral) set_multiplier(material.unilateral.value(), dim, row);
  return row;
}

}  // namespace repose::optimized
