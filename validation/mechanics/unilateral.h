#pragma once

#include "reference/interface/scene/materials.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <optional>

namespace repose::mechanics {

/// The judging side's own view of the unilateral energy: how a strain stands to the fall of its multiplier, in one number, and
/// how fast that number changes. All from two invariants, u = tr ε/(√d U) and v = ‖dev ε‖/U with U = `strain_unit`.
struct MultiplierPlace {
  double z =
      0.0;  ///< (u + c₀ v⁴/(1 + v³) − a − s_C)/(b − a), h = 1 below 0 and 0 above 1 [Tam17 Eq.8, Eq.10]
  double terms = 0.0;  ///< |u| + c₀ v⁴/(1 + v³) + |a| + |s_C|, what is summed for it
  double slope = 0.0;  ///< ‖∂z/∂ε‖ = √(1 + f′²)/((b − a) U)
  double bend = 0.0;   ///< ‖∂²z/∂ε²‖ at most, (max(|f″|, f′/v))/((b − a) U²)
  double twist = 0.0;  ///< ‖∂³z/∂ε³‖ at most, (|f‴| + 3 |f″/v − f′/v²|)/((b − a) U³)
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
  // |f‴| = c₀ v |24 − 114v³ + 24v⁶|/(1 + v³)⁴ and f″/v − f′/v² = c₀ v (8 − 11v³ − v⁶)/(1 + v³)³ are at most 24 c₀ v and 8 c₀ v,
  // and 6 c₀ and 3 c₀.
  place.twist = of.c0 * std::min(48.0 * reach, 15.0) / (place.width * unit * unit * unit);
  return place;
}

///     h = 1 − 10z³ + 15z⁴ − 6z⁵ between 0 and 1                                            [Tam17 Eq.9]
inline double fall(double z) {
  if (z <= 0.0) return 1.0;
  if (z >= 1.0) return 0.0;
  return std::pow(1.0 - z, 3) * (1.0 + 3.0 * z + 6.0 * z * z);
}

/// Before the fall of the multiplier (A), in it (B) or behind it (C).
enum class Region : unsigned char { whole, falling, none };

/// The unilateral energy of d principal strains and its slope, in the arithmetic of T.
///
///     ψ^U = h ψ,   τ = h (2μ ε + λ Σε 1) + ψ h′ ∇z,   ∇z = (1/√d 1 + (f′/v) dev ε/U)/((b − a) U)          [Tam17 Eq.7]
template <class T, int n>
struct UnilateralResponse {
  T psi = T(0);
  Eigen::Matrix<T, n, 1> tau;
  Region region = Region::whole;
};

/// @param eps  principal strains; what dimensions beyond d hold is 0
/// @param in   1 for each axis of the d dimensions, 0 beyond
/// @param psi, tau  Hencky's
/// @param region the one whose formula is taken, where it is given: also beside it, so that differences meet no border
template <class T, int n>
UnilateralResponse<T, n> unilateral_response(const Unilateral& of, T s_C, const Eigen::Matrix<T, n, 1>& eps,
                                             const Eigen::Matrix<T, n, 1>& in, T psi,
                                             const Eigen::Matrix<T, n, 1>& tau,
                                             std::optional<Region> region) {
  const T d = in.sum(), unit = static_cast<T>(of.strain_unit), c0 = static_cast<T>(of.c0);
  const T width = static_cast<T>(of.b) - static_cast<T>(of.a);
  const T trace = eps.sum();
  const Eigen::Matrix<T, n, 1> dev = eps - trace / d * in;
  const T v = dev.norm() / unit, cube = v * v * v;
  const T z =
      (trace / (std::sqrt(d) * unit) + c0 * v * cube / (T(1) + cube) - static_cast<T>(of.a) - s_C) / width;
  UnilateralResponse<T, n> result;
  result.region = region ? *region : z <= T(0) ? Region::whole : z >= T(1) ? Region::none : Region::falling;
  result.tau = Eigen::Matrix<T, n, 1>::Zero();
  if (result.region == Region::none) return result;
  result.psi = psi;
  result.tau = tau;
  if (result.region == Region::whole) return result;
  const T left = T(1) - z;
  const T h = left * left * left * (T(1) + z * (T(3) + T(6) * z));
  const T opening = c0 * v * v * (T(4) + cube) / ((T(1) + cube) * (T(1) + cube));  // f′/v
  const Eigen::Matrix<T, n, 1> slope = (in / std::sqrt(d) + opening / unit * dev) / (width * unit);
  result.psi = h * psi;
  result.tau = h * tau - T(30) * z * z * left * left * psi * slope;
  return result;
}

/// Largest |h′| = 30 z² (1 − z)² over z ± around: largest next to ½.
inline double fall_slope(double z, double around) {
  const double at = std::clamp(0.5, z - around, z + around);
  return at <= 0.0 || at >= 1.0 ? 0.0 : 30.0 * at * at * (1.0 - at) * (1.0 - at);
}

/// The same of |h‴| = 60 |1 − 6z + 6z²|.
inline double fall_twist(double z, double around) {
  return z + around <= 0.0 || z - around >= 1.0 ? 0.0 : 60.0;
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
