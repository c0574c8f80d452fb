#pragma once

#include "reference/interface/scene/materials.h"
#include "reference/physics/drucker_prager.h"

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include <Eigen/Core>

namespace repose::test {

/// Numbers of fifty decimal digits.
using Fifty =
    boost::multiprecision::number<boost::multiprecision::cpp_dec_float<50>, boost::multiprecision::et_off>;
template <int d>
using FiftyVec = Eigen::Matrix<Fifty, d, 1>;
template <int d>
using FiftyMat = Eigen::Matrix<Fifty, d, d>;

template <int d>
FiftyMat<d> in_fifty(const Mat<d>& matrix) {
  return matrix.template cast<Fifty>();
}

/// Eigenvalues and vectors of a symmetric matrix by Jacobi's rotations.
template <int d>
void diagonalize(FiftyMat<d> S, FiftyVec<d>& value, FiftyMat<d>& vector) {
  vector.setIdentity();
  const Fifty small = Fifty("1e-48") * S.norm();
  for (;;) {
    Fifty off = 0;
    for (int i = 0; i < d; ++i)
      for (int j = i + 1; j < d; ++j) off += S(i, j) * S(i, j);
    if (sqrt(off) <= small) break;
    for (int i = 0; i < d; ++i) {
      for (int j = i + 1; j < d; ++j) {
        if (S(i, j) == 0) continue;
        const Fifty theta = (S(j, j) - S(i, i)) / (2 * S(i, j));
        const Fifty root = abs(theta) + sqrt(theta * theta + 1);
        const Fifty t = (theta < 0 ? Fifty(-1) : Fifty(1)) / root;
        const Fifty c = 1 / sqrt(t * t + 1);
        FiftyMat<d> turn = FiftyMat<d>::Identity();
        turn(i, i) = c;
        turn(j, j) = c;
        turn(i, j) = t * c;
        turn(j, i) = -t * c;
        S = (turn.transpose() * S * turn).eval();
        vector = (vector * turn).eval();
      }
    }
  }
  value = S.diagonal();
}

/// What the stress of a trial deformation depends on besides that deformation.
struct Sand {
  Material material;
  double alpha = 0.0;
  double v_c = 0.0;

  Cone cone() const { return {alpha, material.cohesion}; }
};

/// P(Z(F̂)) in fifty digits and the case. From b = F̂ F̂ᵀ, as Σ_i P_i/σ_i u_i u_iᵀ F̂: without singular value
/// decomposition and frame V, and with the shear strain scaled to what the pressure carries instead of δγ subtracted.
template <int d>
struct FiftyStress {
  FiftyMat<d> P;
  Part part = Part::elastic;
};

template <int d>
FiftyStress<d> fifty_stress(const FiftyMat<d>& F, const Sand& sand) {
  FiftyVec<d> stretch_squared;
  FiftyMat<d> u;
  diagonalize<d>(F * F.transpose(), stretch_squared, u);

  const Fifty E = sand.material.youngs_modulus;
  const Fifty nu = sand.material.poisson_ratio;
  const Fifty mu = E / (2 * (1 + nu));
  const Fifty lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  FiftyVec<d> eps;
  for (int i = 0; i < d; ++i) eps[i] = log(stretch_squared[i]) / 2;

  FiftyStress<d> result;
  if (sand.material.kind == MaterialKind::sand) {
    if (sand.material.volume_correction)
      for (int i = 0; i < d; ++i) eps[i] += Fifty(sand.v_c) / d;
    Fifty trace = 0;
    for (int i = 0; i < d; ++i) trace += eps[i];
    FiftyVec<d> shear = eps;
    Fifty squared = 0;
    for (int i = 0; i < d; ++i) {
      shear[i] -= trace / d;
      squared += shear[i] * shear[i];
    }
    // Of shear, by pressure and cohesion.
    const Fifty c_C = sand.material.cohesion;
    const Fifty carried = (c_C - trace * Fifty(sand.alpha) * (d * lambda + 2 * mu)) / (2 * mu);
    result.part = carried < 0 || (carried == 0 && trace > 0) || (c_C == 0 && trace > 0) ? Part::tip
                  : sqrt(squared) <= carried                                            ? Part::inside
                                                                                        : Part::surface;
    if (result.part == Part::tip)
      for (int i = 0; i < d; ++i)
        eps[i] = c_C == 0 ? Fifty(0) : c_C / (Fifty(sand.alpha) * (d * lambda + 2 * mu)) / d;
    if (result.part == Part::surface)
      for (int i = 0; i < d; ++i) eps[i] = trace / d + carried / sqrt(squared) * shear[i];
  }

  Fifty trace = 0;
  for (int i = 0; i < d; ++i) trace += eps[i];
  FiftyMat<d> left = FiftyMat<d>::Zero();
  for (int i = 0; i < d; ++i) {
    const Fifty P_i = (2 * mu * eps[i] + lambda * trace) * exp(-eps[i]);
    left += P_i / sqrt(stretch_squared[i]) * u.col(i) * u.col(i).transpose();
  }
  result.P = left * F;
  return result;
}

/// Derivative of the above along dF: a central difference, or a one-sided one where only one side has the wanted
/// case. The step of 10⁻¹⁷ leaves errors near 10⁻³³ (central) or 10⁻¹⁷ (one-sided), far below double's rounding, and
/// is far below the distances to a border that the tests use.
/// @returns false if neither side has the wanted case
template <int d>
bool fifty_derivative(const Mat<d>& F, const Mat<d>& dF, const Sand& sand, Part wanted, Mat<d>& dP) {
  const Fifty step("1e-17");
  const FiftyMat<d> F50 = in_fifty<d>(F);
  const FiftyMat<d> way = step * in_fifty<d>(dF);
  const FiftyStress<d> ahead = fifty_stress<d>(F50 + way, sand);
  const FiftyStress<d> behind = fifty_stress<d>(F50 - way, sand);
  FiftyMat<d> slope;
  if (ahead.part == wanted && behind.part == wanted) {
    slope = (ahead.P - behind.P) / (2 * step);
  } else if (ahead.part == wanted) {
    slope = (ahead.P - fifty_stress<d>(F50, sand).P) / step;
  } else if (behind.part == wanted) {
    slope = (fifty_stress<d>(F50, sand).P - behind.P) / step;
  } else {
    return false;
  }
  dP = slope.template cast<double>();
  return true;
}

}  // namespace repose::test
