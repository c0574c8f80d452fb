#include "reference/physics/unilateral.h"

#include "reference/physics/drucker_prager.h"
#include "reference/physics/hencky.h"

#include <cmath>
#include <stdexcept>

namespace repose {

Fall fall(double z, double complement) {
  if (z < 0.0) return {1.0, 0.0, 0.0};
  if (complement < 0.0) return {0.0, 0.0, 0.0};
  const double product = z * complement;
  return {complement * complement * complement * (1.0 + z * (3.0 + 6.0 * z)),
          -30.0 * product * product,  // [Tam17 Eq.9]
          -60.0 * product * (complement - z)};
}

template <int d>
OfStrain<d> multiplier(const Vec<d>& eps, const Unilateral& of, double s_C) {
  const Vec<d> e = eps / of.strain_unit;
  const Vec<d> o = Vec<d>::Constant(1.0 / std::sqrt(static_cast<double>(d)));
  const double u = e.dot(o);
  const Vec<d> w = e - e.sum() / d * Vec<d>::Ones();
  const double v = w.norm();
  const double v3 = v * v * v;
  const double down = 1.0 + v3;
  const double f = of.c0 * v * v3 / down;  // [Tam17 Eq.8]
  const double f_per_v = of.c0 * v * v * (4.0 + v3) / (down * down);
  const double bend = of.c0 * (8.0 - v3 * (11.0 + v3)) / (down * down * down);

  const double width = of.b - of.a;
  const double z = (u + f - of.a - s_C) / width;  // [Tam17 Eq.10]
  const Fall h = fall(z, (of.b + s_C - u - f) / width);

  // By ε = U e.
  const Vec<d> dz = (o + f_per_v * w) / (width * of.strain_unit);
  const Mat<d> across = Mat<d>::Identity() - o * o.transpose();
  const Mat<d> ddz =
      (f_per_v * across + bend * w * w.transpose()) / (width * of.strain_unit * of.strain_unit);
  return {h.value, h.slope * dz, h.curvature * dz * dz.transpose() + h.slope * ddz,
          h.slope * f_per_v / (width * of.strain_unit * of.strain_unit)};
}

template <int d>
OfStrain<d> unilateral_energy(const Vec<d>& eps, const Lame& lame, const Unilateral& of, double s_C) {
  const OfStrain<d> h = multiplier<d>(eps, of, s_C);
  const double psi = hencky_energy<d>(eps, lame);
  const Vec<d> tau = principal_kirchhoff_stress<d>(eps, lame);
  Mat<d> stiffness = Mat<d>::Constant(lame.lambda);
  stiffness.diagonal().array() += 2.0 * lame.mu;
  const Mat<d> mixed = h.slope * tau.transpose();
  return {h.value * psi,  // [Tam17 Eq.7]
          h.value * tau + psi * h.slope, h.value * stiffness + mixed + mixed.transpose() + psi * h.curvature,
          2.0 * lame.mu * h.value + psi * h.shear};
}

template <int d>
double multiplier_shift(const Unilateral& of, const Lame& lame, const Cone& cone) {
  if (of.s_C) return *of.s_C;
  const double e_c = tip_trace<d>(lame, cone);
  if (!std::isfinite(e_c)) throw std::invalid_argument("a cone without a tip shifts no multiplier");
  return e_c / (std::sqrt(static_cast<double>(d)) * of.strain_unit);
}

template OfStrain<2> multiplier<2>(const Vec<2>&, const Unilateral&, double);
template OfStrain<3> multiplier<3>(const Vec<3>&, const Unilateral&, double);
template OfStrain<2> unilateral_energy<2>(const Vec<2>&, const Lame&, const Unilateral&, double);
template OfStrain<3> unilateral_energy<3>(const Vec<3>&, const Lame&, const Unilateral&, double);
template double multiplier_shift<2>(const Unilateral&, const Lame&, const Cone&);
template double multiplier_shift<3>(const Unilateral&, const Lame&, const Cone&);

}  // namespace repose
