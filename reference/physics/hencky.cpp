#include "reference/physics/hencky.h"

#include <cmath>

namespace repose {

template <int d>
Vec<d> hencky_strain(const Svd<d>& svd) {
  // std::log of a negative stretch is nan: an inverted element does not pass for an upright one.
  return svd.sigma.unaryExpr([](double sigma) { return std::log(sigma); });
}

template <int d>
double hencky_energy(const Vec<d>& eps, const Lame& lame) {
  const double trace = eps.sum();
  return lame.mu * eps.squaredNorm() + 0.5 * lame.lambda * trace * trace;  // [Klar16 Eq.25]
}

template <int d>
Vec<d> principal_kirchhoff_stress(const Vec<d>& eps, const Lame& lame) {
  return 2.0 * lame.mu * eps + lame.lambda * eps.sum() * Vec<d>::Ones();  // [Klar16 Eq.26]
}

template <int d>
Mat<d> kirchhoff_stress(const Svd<d>& svd, const Vec<d>& tau) {
  return svd.U * tau.asDiagonal() * svd.U.transpose();
}

template <int d>
Mat<d> kirchhoff_stress(const Mat<d>& F, const Lame& lame) {
  const Svd<d> svd = decompose<d>(F);
  return kirchhoff_stress<d>(svd, principal_kirchhoff_stress<d>(hencky_strain<d>(svd), lame));
}

template Vec<2> hencky_strain<2>(const Svd<2>&);
template Vec<3> hencky_strain<3>(const Svd<3>&);
template double hencky_energy<2>(const Vec<2>&, const Lame&);
template double hencky_energy<3>(const Vec<3>&, const Lame&);
template Vec<2> principal_kirchhoff_stress<2>(const Vec<2>&, const Lame&);
template Vec<3> principal_kirchhoff_stress<3>(const Vec<3>&, const Lame&);
template Mat<2> kirchhoff_stress<2>(const Svd<2>&, const Vec<2>&);
template Mat<3> kirchhoff_stress<3>(const Svd<3>&, const Vec<3>&);
template Mat<2> kirchhoff_stress<2>(const Mat<2>&, const Lame&);
template Mat<3> kirchhoff_stress<3>(const Mat<3>&, const Lame&);

}  // namespace repose
