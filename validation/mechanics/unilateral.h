#pragma once

#include "reference/interface/scene/materials.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanics {

/// The judging side's own view of the unilateral energy: how a strain stands to the fall of its multiplier, in one number, and
/// how fast that number changes. All from two invariants, u = tr ε/(√d U) and v = ‖dev ε‖/U with U = `strain_unit`.
struct MultiplierPlace {
  double z =
      0.0;  ///< (u + c₀ v⁴/(1 + v³) − a − s_C)/(b − a), h = 1 below 0 and 0 above 1 [Tam17 Eq.8, Eq.10]
  double terms = 0.0;  ///< |u| + c₀ v⁴/(1 + v³) + |a| + |s_C|, what is summed for it
  double slope = 0.0;  ///< ‖∂z/∂ε‖ = √(1 + f′²)/((b − a) U)
  double bend = 0.0;   ///< ‖∂²z/∂ε²‖ at most, (max(|f″|, f′/v))/((b − a) U²)
  double width = 1.0;  ///< b − a
};

/// @param trace tr ε  @param shear ‖dev ε‖ [-]  @param near by how much either may be off: bounds hold in all of that
inline MultiplierPlace multiplier_place(const Unilateral& of, double s_C, int dim, double trace, double shear,
                                        double near) {
  const double unit = of.strain_unit;
  const double u = trace / std::sqrt(static_cast<double>(dim)) / unit;
  const double v = shear / unit, reach = v + near / unit;
  const auto opening = [&](double at) { return of.c0 * std::pow(at, 4) / (1.0 + std::pow(at, 3)); };
  // f′ = c₀ v³ (4 + v³)/(1 + v³)² ≤ 4 c₀ v³ and, being largest at v³ = 2, ≤ 4/3 c₀;
  // |f″| = 6 c₀ v² |2 − v³|/(1 + v³)³ and f′/v are at most 12 c₀ v² and 4 c₀ v², and 2.2 c₀ each.
  const double first = of.c0 * std::min(4.0 * std::pow(reach, 3), 4.0 / 3.0);
  const double second = of.c0 * std::min(12.0 * reach * reach, 2.2);
  MultiplierPlace place;
  place.width = of.b - of.a;
  place.z = (u + opening(v) - of.a - s_C) / place.width;
  place.terms = std::abs(u) + opening(v) + std::abs(of.a) + std::abs(s_C);
  place.slope = std::sqrt(1.0 + first * first) / (place.width * unit);
  place.bend = second / (place.width * unit * unit);
  return place;
}

///     h = 1 − 10z³ + 15z⁴ − 6z⁵ between 0 and 1                                            [Tam17 Eq.9]
inline double fall(double z) {
  if (z <= 0.0) return 1.0;
  if (z >= 1.0) return 0.0;
  return std::pow(1.0 - z, 3) * (1.0 + 3.0 * z + 6.0 * z * z);
}

/// Largest |h′| = 30 z² (1 − z)² over z ± around: largest next to ½.
inline double fall_slope(double z, double around) {
  const double at = std::clamp(0.5, z - around, z + around);
  return at <= 0.0 || at >= 1.0 ? 0.0 : 30.0 * at * at * (1.0 - at) * (1.0 - at);
}

/// No less than |h″| = 60 z (1 − z) |1 − 2z| anywhere in z ± around: the product's largest, next to ½, and the largest of the
/// last factor; 10/√3 is the largest of all.
inline double fall_bend(double z, double around) {
  const double at = std::clamp(0.5, z - around, z + around);
  if (at <= 0.0 || at >= 1.0) return 0.0;
  const double side = std::min(1.0, std::abs(1.0 - 2.0 * z) + 2.0 * around);
  return std::min(60.0 * at * (1.0 - at) * side, 10.0 / std::sqrt(3.0));
}

}  // namespace repose::mechanics
