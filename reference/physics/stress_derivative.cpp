#include "reference/physics/stress_derivative.h"

#include "reference/physics/hencky.h"
#include "reference/physics/unilateral.h"

#include <cmath>
#include <stdexcept>

namespace repose {

namespace {

/// ln(1 + t)/t with its limit 1 at t = 0.
double log1p_quotient(double t) { return t == 0.0 ? 1.0 : std::log1p(t) / t; }

/// (exp(x) − 1)/x with its limit 1 at x = 0.
double expm1_quotient(double x) { return x == 0.0 ? 1.0 : std::expm1(x) / x; }

/// α (dλ + 2μ)/(2μ): the shear strain carried per compressive volume strain.
template <int d>
double shear_per_compression(const Lame& lame, double alpha) {
  return alpha * (d * lame.lambda + 2.0 * lame.mu) / (2.0 * lame.mu);
}

template <int d>
Vec<d> deviator(const Vec<d>& eps) {
  return eps - eps.sum() / d * Vec<d>::Ones();
}

/// ‖dev ε‖/‖dev ε_trial‖. On the surface from the trace: 1 − δγ/‖dev ε_trial‖ would cancel near the tip.
template <int d>
double kept_shear(const Vec<d>& eps_trial, const Lame& lame, const Cone& cone, Part part) {
  switch (part) {
    case Part::elastic:
    case Part::inside:
      return 1.0;
    case Part::tip:
      return 0.0;
    case Part::surface:
      break;
  }
  const double e_c = tip_trace<d>(lame, cone);
  const double carried = std::isfinite(e_c)
                             ? -shear_per_compression<d>(lame, cone.alpha) * (eps_trial.sum() - e_c)
                             : cone.cohesion / (2.0 * lame.mu);
  return carried / deviator<d>(eps_trial).norm();
}

/// @throws std::invalid_argument where F̂ is singular or inverted
template <int d>
Vec<d> trial_strain(const Svd<d>& svd) {
  const Vec<d> eps = hencky_strain<d>(svd);
  if (!eps.allFinite()) throw std::invalid_argument("trial strain is not finite");
  return eps;
}

/// What an energy says of a strain.
template <int d>
struct Response {
  double psi = 0.0;  ///< [Pa]
  Vec<d> tau;        ///< principal Kirchhoff stresses [Pa]
  /// σ_i ∂P_i/∂ε_j = ∂τ_i/∂ε_j − δ_ij τ_i of P_i = τ_i/σ_i, σ_i = exp(ε_i) [Pa]
  Mat<d> dP_deps;
  double shear = 0.0;  ///< (τ_i − τ_j)/(ε_i − ε_j) [Pa]
};

template <int d>
Response<d> respond(const Vec<d>& eps, const Lame& lame, const Cone& cone, const Unilateral* of) {
  if (of != nullptr) {
    const OfStrain<d> psi = unilateral_energy<d>(eps, lame, *of, multiplier_shift<d>(*of, lame, cone));
    Response<d> response{psi.value, psi.slope, psi.curvature, psi.shear};
    response.dP_deps.diagonal() -= psi.slope;
    return response;
  }
  Response<d> response{hencky_energy<d>(eps, lame), principal_kirchhoff_stress<d>(eps, lame),
                       Mat<d>::Constant(lame.lambda), 2.0 * lame.mu};
  response.dP_deps.diagonal().array() += 2.0 * lame.mu - response.tau.array();
  return response;
}

/// Stress and derivative from what stays of the strain.
/// @param shrink      one over the stretches by which the stress is divided
/// @param eps_by_trial derivative of what stays by the trial strain
/// @param r           share of the shear strain that stays
template <int d>
void complete(ReturnedStress<d>& stress, const Response<d>& response, const Vec<d>& shrink,
              const Mat<d>& eps_by_trial, double r) {
  const Vec<d>& sigma = stress.svd.sigma;
  const Vec<d>& tau = response.tau;
  stress.psi = response.psi;
  stress.P = tau.cwiseProduct(shrink);  // [Klar16 Eq.26]
  // ∂P_i/∂σ_j = Σ_k ∂P_i/∂ε_k ∂ε_k/∂ln σ_j /σ_j
  stress.dP_dsigma =
      shrink.asDiagonal() * response.dP_deps * eps_by_trial * sigma.cwiseInverse().asDiagonal();

  for (int i = 0; i < d; ++i) {
    for (int j = i + 1; j < d; ++j) {
      const double t = (sigma[i] - sigma[j]) / sigma[j];
      const double delta = r * std::log1p(t);
      stress.m(i, j) =
          r * shrink[i] / sigma[j] * log1p_quotient(t) * (response.shear - tau[j] * expm1_quotient(delta));
      stress.p(i, j) = (stress.P[i] + stress.P[j]) / (sigma[i] + sigma[j]);
      stress.m(j, i) = stress.m(i, j);
      stress.p(j, i) = stress.p(i, j);
    }
  }
}

}  // namespace

template <int d>
Mat<d> return_derivative(const Vec<d>& eps_trial, const Lame& lame, const Cone& cone, Part part) {
  if (part == Part::elastic || part == Part::inside) return Mat<d>::Identity();
  if (part == Part::tip) return Mat<d>::Zero();

  const Vec<d> n = deviator<d>(eps_trial).normalized();
  const double c = shear_per_compression<d>(lame, cone.alpha);
  const double r = kept_shear<d>(eps_trial, lame, cone, part);
  const Vec<d> one = Vec<d>::Ones();
  const Mat<d> mean = one * one.transpose() / d;
  return mean - c * n * one.transpose() + r * (Mat<d>::Identity() - mean - n * n.transpose());
}

template <int d>
ReturnedStress<d> returned_stress(const Mat<d>& F_trial, const Material& material, const Cone& cone,
                                  double v_c, const Unilateral* of) {
  ReturnedStress<d> stress;
  stress.svd = decompose<d>(F_trial);
  const Lame moduli = lame(material);

  Vec<d> eps_s = trial_strain<d>(stress.svd);
  Vec<d> eps = eps_s;
  if (material.kind == MaterialKind::sand) {
    const PlasticUpdate<d> returned = return_with_memory<d>(eps_s, v_c, material, cone);
    if (material.volume_correction) eps_s += v_c / d * Vec<d>::Ones();  // [Tam17 Eq.27]
    eps = returned.eps;
    stress.part = returned.part;
  }

  const Vec<d> shrink = (-eps).array().exp();  // 1/σ of what stays
  complete<d>(stress, respond<d>(eps, moduli, cone, of), shrink,
              return_derivative<d>(eps_s, moduli, cone, stress.part),
              kept_shear<d>(eps_s, moduli, cone, stress.part));
  return stress;
}

template <int d>
ReturnedStress<d> lagged_stress(const Mat<d>& F_trial, const Material& material, const Cone& cone, double v_c,
                                const Unilateral* of) {
  ReturnedStress<d> stress;
  stress.svd = decompose<d>(F_trial);
  Vec<d> eps = trial_strain<d>(stress.svd);
  if (material.kind == MaterialKind::sand && material.volume_correction)
    eps += v_c / d * Vec<d>::Ones();  // [Tam17 Eq.27]
  complete<d>(stress, respond<d>(eps, lame(material), cone, of), stress.svd.sigma.cwiseInverse(),
              Mat<d>::Identity(), 1.0);
  return stress;
}

template <int d>
Mat<d> piola_stress(const ReturnedStress<d>& stress) {
  return stress.svd.U * stress.P.asDiagonal() * stress.svd.V.transpose();
}

template <int d>
Mat<d> stress_change(const ReturnedStress<d>& stress, const Mat<d>& dF) {
  const Mat<d> A = stress.svd.U.transpose() * dF * stress.svd.V;
  const Mat<d> A_T = A.transpose();
  Mat<d> B = 0.5 * ((stress.m + stress.p).cwiseProduct(A) + (stress.m - stress.p).cwiseProduct(A_T));
  B.diagonal() = stress.dP_dsigma * A.diagonal();
  return stress.svd.U * B * stress.svd.V.transpose();
}

template Mat<2> return_derivative<2>(const Vec<2>&, const Lame&, const Cone&, Part);
template Mat<3> return_derivative<3>(const Vec<3>&, const Lame&, const Cone&, Part);
template ReturnedStress<2> returned_stress<2>(const Mat<2>&, const Material&, const Cone&, double,
                                              const Unilateral*);
template ReturnedStress<3> returned_stress<3>(const Mat<3>&, const Material&, const Cone&, double,
                                              const Unilateral*);
template ReturnedStress<2> lagged_stress<2>(const Mat<2>&, const Material&, const Cone&, double,
                                            const Unilateral*);
template ReturnedStress<3> lagged_stress<3>(const Mat<3>&, const Material&, const Cone&, double,
                                            const Unilateral*);
template Mat<2> piola_stress<2>(const ReturnedStress<2>&);
template Mat<3> piola_stress<3>(const ReturnedStress<3>&);
template Mat<2> stress_change<2>(const ReturnedStress<2>&, const Mat<2>&);
template Mat<3> stress_change<3>(const ReturnedStress<3>&, const Mat<3>&);

}  // namespace repose
