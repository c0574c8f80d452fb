#include "optimized/law/law_row.h"

#include <cmath>

namespace repose::optimized {

double cone_slope(const LawRow<double>& law, double q) {
  const double phi = law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q);  // [Klar16 Eq.30]
  const double sine = std::sin(phi);
  return std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);  // [Klar16 Eq.31]
}

LawRow<double> law_row(const Material& material, int dim) {
  const Lame l = lame(material);
  LawRow<double> row;
  row.two_mu = 2.0 * l.mu;
  row.lambda = l.lambda;
  row.cone = (dim * l.lambda + 2.0 * l.mu) / (2.0 * l.mu);
  row.h0 = material.friction.h0;
  row.h1 = material.friction.h1;
  row.h2 = material.friction.h2;
  row.h3 = material.friction.h3;
  row.keeps_volume = material.volume_correction ? 1.0 : 0.0;
  row.elastic = material.kind == MaterialKind::elastic ? 1.0 : 0.0;
  const LawRow<double> constant{.h0 = row.h0};
  row.alpha = cone_slope(constant, 0.0);
  return row;
}

}  // namespace repose::optimized
