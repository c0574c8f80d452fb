#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/materials.h"

#include <cstddef>

namespace repose::optimized {

/// One material as numbers for the lanes.
template <class T>
struct LawRow {
  static constexpr std::size_t values = 19;
  T two_mu = 0;  ///< 2μ [Pa]
  T lambda = 0;  ///< λ [Pa]
  T cone = 0;    ///< (dλ + 2μ)/(2μ) [-]
  T h0 = 0, h1 = 0, h2 = 0, h3 = 0;
  T keeps_volume = 0;  ///< 1: volume correction of sand
  T elastic = 0;       ///< 1: no plasticity, which a cone of infinite radius and tip says as well
  T alpha = 0;         ///< α of a material without hardening [-]
  T radius = 0;        ///< c_C/(2μ): ‖dev ε‖ that the cone allows at tr ε = 0 [-]
  T tip = 0;           ///< e_c of a material without hardening [-]; infinite where the cone has no tip
  T hardens_above = 0;  ///< tr ε from which grains that are apart harden, if that is below e_c: −∞, or ∞
  // The unilateral energy of sand. Where the material has none they are zeros: h = 1 for every strain.
  T per_unit = 0;     ///< 1/(unit of strain)
  T opening = 0;      ///< c₀
  T start = 0;        ///< a + s_C, without an s_C that follows the tip
  T follows_tip = 0;  ///< s_C per e_c where s_C follows the tip
  T per_width = 0;    ///< 1/(b − a)
  T cohesion = 0;     ///< c_C [Pa]
};

/// What depends on q in some material of a scene.
struct Hardening {
  bool slope = false;  ///< α
  bool tip = false;    ///< e_c
};

/// α(φ(q)) = √(2/3) · 2 sin φ/(3 − sin φ), φ = h₀ + (h₁ q − h₃) exp(−h₂ q)                 [Klar16 Eq.30, Eq.31]
double cone_slope(const LawRow<double>& law, double q);

/// e_c = c_C/(α (dλ + 2μ)): tr ε at the tip of a cone of slope α. Infinite where α is 0: cohesion then bounds shear stress
/// alone.                                                                              [Tam17 Eq.6; ERRATA T18]
double tip_strain(const LawRow<double>& law, double alpha);

/// A material as numbers of type double.
/// @param energy of sand; elastic bodies have Hencky's
LawRow<double> law_row(const Material& material, int dim, Energy energy);

}  // namespace repose::optimized
