#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include "reference/interface/scene/materials.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace repose::invariants {

namespace {

/// λ and μ by the experiments that define E and ν: a bar pulled along one axis, 2μ ε + λ tr ε = σ, has the stress E ε along
/// it and none across; and by the speed of plane waves, whose modulus is E (1 − ν)/((1 + ν)(1 − 2ν)).
void moduli(int, Ledger& ledger) {
  ledger.needs("negative Poisson's ratios", 20);
  ledger.needs("Poisson's ratios over 0.4", 10);
  Dice dice(31);
  for (int n = 0; n < 200; ++n) {
    Material m;
    m.youngs_modulus = std::exp(dice.between(0.0, 25.0));
    m.poisson_ratio = dice.between(-0.9, 0.49);
    m.density = std::exp(dice.between(0.0, 10.0));
    const double E = m.youngs_modulus, nu = m.poisson_ratio;
    if (nu < 0.0) ledger.saw("negative Poisson's ratios");
    if (nu > 0.4) ledger.saw("Poisson's ratios over 0.4");
    const Lame got = lame(m);
    // Strain 1 along the bar and −ν across. Terms up to λ, each rounded some ten times.
    const double trace = 1.0 - 2.0 * nu;
    const double rounding = 20.0 * 0x1p-53 * (std::abs(got.lambda) + 2.0 * got.mu) / E;
    ledger.near("stress along a pulled bar", (2.0 * got.mu + got.lambda * trace) / E, 1.0, rounding);
    ledger.near("stress across a pulled bar", (-2.0 * got.mu * nu + got.lambda * trace) / E, 0.0, rounding);
    const double modulus = E * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
    const double c = wave_speed(m);
    ledger.near("density times speed squared over the modulus", m.density * c * c / modulus, 1.0,
                40.0 * rounding);
  }
}

/// The largest friction angle over q, by walking along q: φ changes by at most (h1 + h2 (h1 q + h3)) Δq between two
/// places, and near its top only by half the curvature times Δq².
void largest_angle(int, Ledger& ledger) {
  for (const char* kind : {"tops between", "asymptotes", "constant angles"}) ledger.needs(kind, 10);
  Dice dice(32);
  for (int n = 0; n < 90; ++n) {
    FrictionLaw law{.h0 = dice.between(0.3, 0.8),
                    .h1 = dice.between(0.05, 0.3),
                    .h2 = dice.between(0.1, 1.0),
                    .h3 = dice.between(0.0, 0.25)};
    if (n % 3 == 1) law.h1 = 0.0;
    if (n % 3 == 2) law.h1 = law.h2 = law.h3 = 0.0;
    ledger.saw(n % 3 == 0 ? "tops between" : n % 3 == 1 ? "asymptotes" : "constant angles");
    constexpr int steps = 20000;
    const double end = law.h2 == 0.0 ? 1.0 : 60.0 / law.h2;  // there the exponential has fallen to 10⁻²⁶
    const double dq = end / steps;
    double top = 0.0;
    for (int i = 0; i <= steps; ++i) {
      const double q = dq * i;
      top = std::max(top, law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q));
    }
    // |φ''| ≤ h2 (2 h1 + h2 (h1 q + h3)) exp(−h2 q) < h2 (3 h1 + h2 h3).
    const double curvature = law.h2 * (3.0 * law.h1 + law.h2 * law.h3);
    ledger.near("largest friction angle", largest_friction_angle(law), top, curvature * dq * dq + 1e-14);
  }
  ledger.holds("an angle without bound",
               std::isinf(largest_friction_angle({.h0 = 0.5, .h1 = 0.1, .h2 = 0.0, .h3 = 0.1})));
}

}  // namespace

void add_laws(std::vector<Invariant>& all) {
  all.push_back({"moduli",
                 "Lame's parameters by a pulled bar, the speed of waves by their modulus",
                 "materials",
                 {},
                 moduli});
  all.push_back(
      {"largest_angle", "the largest friction angle, by walking along q", "materials", {}, largest_angle});
}

}  // namespace repose::invariants
