#pragma once

#include "optimized/mpm/kernels.h"
#include "reference/interface/materials.h"

namespace repose::optimized {

/// α(φ(q)) = √(2/3) · 2 sin φ/(3 − sin φ), φ = h₀ + (h₁ q − h₃) exp(−h₂ q)                 [Klar16 Eq.30, Eq.31]
double cone_slope(const LawRow<double>& law, double q);

/// A material as numbers of type double.
LawRow<double> law_row(const Material& material, int dim);

}  // namespace repose::optimized
