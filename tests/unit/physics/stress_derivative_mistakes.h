#pragma once

#include "tests/unit/physics/stress_derivative_samples.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace repose::test {

/// Strain that returns to the cone.
template <int d>
Vec<d> shifted(const ReturnedStress<d>& stress, const Sand& sand) {
  Vec<d> eps = hencky_strain<d>(stress.svd);
  if (sand.material.volume_correction) eps += sand.v_c / d * Vec<d>::Ones();
  return eps;
}

/// The same stress with another derivative of the return in ∂P/∂σ.
template <int d>
ReturnedStress<d> with_return(ReturnedStress<d> stress, const Sand& sand, const Mat<d>& return_slope) {
  const Lame moduli = lame(sand.material);
  Vec<d> eps = shifted<d>(stress, sand);
  if (stress.part != Part::elastic) eps = return_to_cone<d>(eps, moduli, sand.cone()).eps;
  const Vec<d> stretch = eps.array().exp();
  const Vec<d> tau = principal_kirchhoff_stress<d>(eps, moduli);
  Mat<d> by_strain = Mat<d>::Constant(moduli.lambda);
  for (int i = 0; i < d; ++i) by_strain(i, i) += 2.0 * moduli.mu - tau[i];
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) {
      stress.dP_dsigma(i, j) = by_strain.row(i).dot(return_slope.col(j)) / (stretch[i] * stress.svd.sigma[j]);
    }
  return stress;
}

/// A sliding strain: ε = (e_c + k)/d 1 + ‖s‖ n, returned to (e_c + k)/d 1 − c k n.
template <int d>
struct Sliding {
  Sliding(const Vec<d>& eps, const Sand& sand)
      : k(eps.sum() - tip_trace<d>(lame(sand.material), sand.cone())),
        size((eps - eps.sum() / d * Vec<d>::Ones()).norm()),
        n((eps - eps.sum() / d * Vec<d>::Ones()) / size),
        per_alpha((d * lame(sand.material).lambda + 2.0 * lame(sand.material).mu) /
                  (2.0 * lame(sand.material).mu)) {}
  double k, size;
  Vec<d> n;
  double per_alpha;  ///< c/α
};

template <int d>
struct Planted {
  std::string mistake;
  Derivative<d> derivative;
};

template <int d>
std::vector<Planted<d>> planted() {
  const Mat<d> trace_free = Mat<d>::Identity() - Mat<d>::Ones() / d;
  return {
      {"δγ held constant",
       [=](const Mat<d>& F, const Sand& sand) {
         const ReturnedStress<d> stress = adopted<d>(F, sand);
         if (stress.part != Part::surface) return stress;
         const Sliding<d> at(shifted<d>(stress, sand), sand);
         const double delta_gamma = at.size + sand.alpha * at.per_alpha * at.k;
         const Mat<d> turning = trace_free - at.n * at.n.transpose();
         return with_return<d>(stress, sand, Mat<d>(Mat<d>::Identity() - delta_gamma / at.size * turning));
       }},
      {"the return left out of the Jacobian",
       [](const Mat<d>& F, const Sand& sand) {
         Sand elastic = sand;
         elastic.material.kind = MaterialKind::elastic;
         ReturnedStress<d> stress = adopted<d>(F, elastic);
         stress.part = adopted<d>(F, sand).part;
         return stress;
       }},
      {"equal stretches: limit of ln σ/σ without its 1",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         const Vec<d>& sigma = stress.svd.sigma;
         for (int i = 0; i < d; ++i)
           for (int j = 0; j < d; ++j) {
             if (i != j && std::abs(sigma[i] - sigma[j]) < 1e-7) stress.m(i, j) = -stress.P[i] / sigma[i];
           }
         return stress;
       }},
      {"equal stretches: difference of stretches kept above 10⁻⁶",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         const Vec<d>& sigma = stress.svd.sigma;
         for (int i = 0; i < d; ++i)
           for (int j = i + 1; j < d; ++j) {
             stress.m(i, j) = (stress.P[i] - stress.P[j]) / std::max(sigma[i] - sigma[j], 1e-6);
             stress.m(j, i) = stress.m(i, j);
           }
         return stress;
       }},
      {"equal stretches: difference of stresses over that of stretches",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         const Vec<d>& sigma = stress.svd.sigma;
         for (int i = 0; i < d; ++i)
           for (int j = i + 1; j < d; ++j) {
             if (sigma[i] == sigma[j]) continue;
             stress.m(i, j) = (stress.P[i] - stress.P[j]) / (sigma[i] - sigma[j]);
             stress.m(j, i) = stress.m(i, j);
           }
         return stress;
       }},
      {"hardening differentiated",
       [](const Mat<d>& F, const Sand& sand) {
         const ReturnedStress<d> stress = adopted<d>(F, sand);
         if (stress.part != Part::surface) return stress;
         const Vec<d> eps = shifted<d>(stress, sand);
         const Sliding<d> at(eps, sand);
         constexpr double alpha_by_q = 0.05;
         const Vec<d> q_by_strain = at.n + sand.alpha * at.per_alpha * Vec<d>::Ones();
         const Mat<d> right = return_derivative<d>(eps, lame(sand.material), sand.cone(), stress.part);
         return with_return<d>(
             stress, sand, Mat<d>(right - alpha_by_q * at.per_alpha * at.k * at.n * q_by_strain.transpose()));
       }},
      {"v_c in the stress, not in its derivative",
       [](const Mat<d>& F, const Sand& sand) {
         Sand without = sand;
         without.v_c = 0.0;
         ReturnedStress<d> stress = adopted<d>(F, without);
         const ReturnedStress<d> right = adopted<d>(F, sand);
         stress.part = right.part;
         stress.P = right.P;
         return stress;
       }},
      {"block of stretches transposed",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         stress.dP_dsigma.transposeInPlace();
         return stress;
       }},
      {"blocks of rotations transposed",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         stress.p *= -1.0;
         return stress;
       }},
      {"elastic m on the surface",
       [](const Mat<d>& F, const Sand& sand) {
         ReturnedStress<d> stress = adopted<d>(F, sand);
         if (stress.part != Part::surface) return stress;
         const Sliding<d> at(shifted<d>(stress, sand), sand);
         const Mat<d> m = stress.m * (at.size / (-sand.alpha * at.per_alpha * at.k));
         stress.m = m;
         return stress;
       }},
  };
}

}  // namespace repose::test
