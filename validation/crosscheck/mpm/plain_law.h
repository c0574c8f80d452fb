#pragma once

#include "reference/interface/scene/scene.h"
#include "validation/mechanics/cone.h"
#include "validation/mechanics/principal.h"
#include "validation/mechanics/unilateral.h"

#include <Eigen/LU>

#include <cmath>
#include <optional>

namespace repose::crosscheck {

/// Where the strain of a particle came to lie.
enum class PlainCase : unsigned char { elastic, inside, tip, surface };

template <class T>
using Square = Eigen::Matrix<T, 3, 3>;
template <class T>
using Column = Eigen::Matrix<T, 3, 1>;

/// What the stress of one particle at the end of a step depends on, its deformation apart.
struct PlainLaw {
  const Material* material = nullptr;
  int dim = 3;
  bool lagged = false;                     ///< nothing returns to the cone before the step's end
  const Unilateral* unilateral = nullptr;  ///< null: Hencky's energy
  double q = 0.0, v_c = 0.0;
};

/// Which of the law's formulas was taken.
struct PlainBranch {
  PlainCase part = PlainCase::elastic;
  mechanics::Region region = mechanics::Region::whole;
};

/// The trial strain of one particle, what stays of it, and the stress of that.
template <class T>
struct PlainResponse {
  Square<T> axes;                  ///< U
  Column<T> trial;                 ///< ε̂, without the volume correction
  Column<T> kept;                  ///< ε
  Column<T> tau;                   ///< principal Kirchhoff stresses of ε [Pa]
  T psi = T(0);                    ///< energy of ε [Pa]
  T shear = T(0);                  ///< ‖dev ε̂‖
  T two_mu = T(0), lambda = T(0);  ///< [Pa]
  double s_C = 0.0;                ///< shift of the multiplier
  bool lagged = false;
  PlainBranch branch;

  /// P F^T of the step's balance: with P = τ/σ, by the stretches of what stays, or of F̂ itself where nothing yields.
  Square<T> stress(const Square<T>& A) const {
    Column<T> factor = Column<T>::Ones();
    if (!lagged) factor = (trial - kept).array().exp();
    return axes * (factor.cwiseProduct(tau)).asDiagonal() * axes.transpose() * A.inverse().transpose();
  }
};

/// Trial and return of one particle. In two dimensions the third row and column of A are those of 1: ε̂_3 = 0, and is left out
/// of traces.
/// @param branch the one whose formulas are taken, where it is given: its own otherwise
template <class T>
PlainResponse<T> plain_response(const PlainLaw& law, const Square<T>& A, const Square<T>& F,
                                std::optional<PlainBranch> branch) {
  const Square<T> trial = A * F;
  const auto found = mechanics::principal<T, 3>(trial);
  PlainResponse<T> result;
  result.lagged = law.lagged;
  result.axes = found.axes;
  result.trial = found.strain();
  // 1 where an axis belongs to the dimensions at hand.
  Column<T> in = Column<T>::Ones();
  if (law.dim < 3) {
    Eigen::Index across = 0;
    result.axes.row(2).cwiseAbs().maxCoeff(&across);
    in[across] = T(0);
    result.trial[across] = T(0);
  }
  const T d = static_cast<T>(law.dim);
  const Material& material = *law.material;
  const Lame modulus = lame(material);
  result.two_mu = static_cast<T>(2.0 * modulus.mu);
  result.lambda = static_cast<T>(modulus.lambda);
  result.kept = result.trial;
  const T mean = result.trial.sum() / d;
  const Column<T> dev = result.trial - mean * in;
  result.shear = dev.norm();
  T tip = T(0);
  if (material.kind != repose::MaterialKind::elastic) {
    const T alpha =
        mechanics::cone_slope(mechanics::hardened_angle(material.friction, static_cast<T>(law.q)));
    const T shift = material.volume_correction ? static_cast<T>(law.v_c) : T(0);
    const T trace = result.trial.sum() + shift;
    const T stiffness = d * result.lambda + result.two_mu;
    const T cohesion = static_cast<T>(material.cohesion);
    tip = mechanics::tip_trace(cohesion, alpha, stiffness);
    result.kept = dev + trace / d * in;  // [Tam17 Eq.27]
    if (!law.lagged) {
      const T slip = result.shear + stiffness / result.two_mu * alpha * trace - cohesion / result.two_mu;
      PlainCase& part = result.branch.part;
      part = branch        ? branch->part
             : trace > tip ? PlainCase::tip
             : slip > T(0) ? PlainCase::surface
                           : PlainCase::inside;
      if (part == PlainCase::tip) result.kept = tip / d * in;
      if (part == PlainCase::surface)
        result.kept -= slip / result.shear * dev;  // [Klar16 Eq.27, Eq.28] [Tam17 Eq.6]
    }
  }
  const T kept_trace = result.kept.sum();
  result.tau = mechanics::kirchhoff_stress(result.kept, result.two_mu, result.lambda);
  result.psi = T(0.5) * (result.two_mu * result.kept.squaredNorm() + result.lambda * kept_trace * kept_trace);
  if (law.unilateral != nullptr) {
    const Unilateral& of = *law.unilateral;
    const T s_C = of.s_C ? static_cast<T>(*of.s_C) : tip / (std::sqrt(d) * static_cast<T>(of.strain_unit));
    const auto unilateral = mechanics::unilateral_response<T, 3>(
        of, s_C, result.kept, in, result.psi, result.tau,
        branch ? std::optional(branch->region) : std::optional<mechanics::Region>());
    result.s_C = static_cast<double>(s_C);
    result.psi = unilateral.psi;
    result.tau = unilateral.tau;
    result.branch.region = unilateral.region;
  }
  return result;
}

}  // namespace repose::crosscheck
