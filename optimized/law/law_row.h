#pragma once

#include "reference/interface/scene/materials.h"

#include <cstddef>

namespace repose::optimized {

/// One material as numbers for the lanes.
template <class T>
struct LawRow {
  static constexpr std::size_t values = 10;
  T two_mu = 0;  ///< 2μ [Pa]
  T lambda = 0;  ///< λ [Pa]
  T cone = 0;    ///< (dλ + 2μ)/(2μ) [-]
  T h0 = 0, h1 = 0, h2 = 0, h3 = 0;
  T keeps_volume = 0;  ///< 1: volume correction
  T elastic = 0;       ///< 1: no plasticity
  T alpha = 0;         ///< α of a material without hardening [-]
};

/// α(φ(q)) = √(2/3) · 2 sin φ/(3 − sin φ), φ = h₀ + (h₁ q − h₃) exp(−h₂ q)                 [Klar16 Eq.30, Eq.31]
double cone_slope(const LawRow<double>& law, double q);

/// A material as numbers of type double.
LawRow<double> law_row(const Material& material, int dim);

}  // namespace repose::optimized
