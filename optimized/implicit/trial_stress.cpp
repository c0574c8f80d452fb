#include "optimized/implicit/trial_stress.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace repose::optimized {

namespace {

/// (exp(y) − 1)/y.
double exp_quotient(double y) { return y == 0.0 ? 1.0 : std::expm1(y) / y; }

/// A principal strain returned to the cone, and how it follows the trial strain.
template <int dim>
struct Kept {
  Vec<dim> eps;           ///< ε
  Vec<dim> lost;          ///< ε̂ − ε
  Mat<dim> derivative;    ///< ∂ε_i/∂ε̂_j
  double deviator = 1.0;  ///< r
};

template <int dim>
Kept<dim> keep(const Vec<dim>& trial, const LawRow<double>& law, double alpha, double v_c) {
  Kept<dim> kept{trial, Vec<dim>::Zero(), Mat<dim>::Identity(), 1.0};
  if (law.elastic != 0.0) return kept;
  const double shift = law.keeps_volume * v_c / dim;
  const double trace = trial.sum() + dim * shift;
  const Vec<dim> dev = trial.array() - trial.sum() / dim;
  const double norm = dev.norm();
  const double slope = law.cone * alpha;  // radius of the cone per −tr ε
  if (trace > 0.0) {
    kept.eps.setZero();
    kept.lost = trial;
    kept.derivative.setZero();
    kept.deviator = 0.0;
  } else if (norm + slope * trace <= 0.0) {  // [Klar16 Eq.27]
    kept.eps.array() += shift;
    kept.lost.setConstant(-shift);
  } else {
    // ε = tr/d + R(tr) n with the radius R = −slope · tr and n = dev/‖dev‖, both differentiated.
    const double radius = -slope * trace;
    const Vec<dim> n = dev / norm;
    kept.deviator = radius / norm;
    kept.eps = Vec<dim>::Constant(trace / dim) + radius * n;  // [Klar16 Eq.28]
    kept.lost = (1.0 - kept.deviator) * dev - Vec<dim>::Constant(shift);
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        kept.derivative(i, j) =
            1.0 / dim - slope * n[i] + kept.deviator * ((i == j ? 1.0 : 0.0) - 1.0 / dim - n[i] * n[j]);
  }
  return kept;
}

}  // namespace

double cone_slope(const LawRow<double>& law, double q) {
  const double phi = law.h0 + (law.h1 * q - law.h3) * std::exp(-law.h2 * q);  // [Klar16 Eq.30]
  const double sine = std::sin(phi);
  return std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);  // [Klar16 Eq.31]
}

LawRow<double> law_row(const Material& material, int dim) {
  const Lame l = lame(material);
  LawRow<double> row;
  row.two_mu = 2.0 * l.mu;
  row.lambda = l.lambda;
  row.cone = (dim * l.lambda + 2.0 * l.mu) / (2.0 * l.mu);
  row.h0 = material.friction.h0;
  row.h1 = material.friction.h1;
  row.h2 = material.friction.h2;
  row.h3 = material.friction.h3;
  row.keeps_volume = material.volume_correction ? 1.0 : 0.0;
  row.elastic = material.law == Law::elastic ? 1.0 : 0.0;
  const LawRow<double> constant{.h0 = row.h0};
  row.alpha = cone_slope(constant, 0.0);
  return row;
}

template <int dim>
bool set_trial_stress(const Mat<dim>& strain, const Mat<dim>& H, const LawRow<double>& law, double alpha,
                      double v_c, double scale, TrialStress<dim>& out) {
  const Mat<dim> A = Mat<dim>::Identity() + H;
  if (!(A.determinant() > 0.0) || !A.allFinite()) return false;
  // b̂ − 1: small strains keep their digits.
  const Mat<dim> trial = A * strain * A.transpose() + (H + H.transpose()) + H * H.transpose();
  const Mat<dim> symmetric = 0.5 * (trial + trial.transpose());
  if (!symmetric.allFinite()) return false;
  const Eigen::SelfAdjointEigenSolver<Mat<dim>> eigen(symmetric);
  const Vec<dim> hencky = 0.5 * eigen.eigenvalues().array().log1p();
  if (!hencky.allFinite()) return false;

  const Kept<dim> kept = keep<dim>(hencky, law, alpha, v_c);
  const Vec<dim> tau = (law.two_mu * kept.eps).array() + law.lambda * kept.eps.sum();  // [Klar16 Eq.26]
  const Vec<dim> factor = scale * kept.lost.array().exp();
  out.U = eigen.eigenvectors();
  out.W = A.inverse() * out.U;
  out.s = factor.cwiseProduct(tau);
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      const double stress = law.two_mu * kept.derivative(i, j) + law.lambda * kept.derivative.col(j).sum();
      out.normal(i, j) = factor[i] * (stress - tau[i] * kept.derivative(i, j));
      // s_i ∂ε̂_i/∂ε̂_j and what S Lᵀ takes cancel: only the returned strain is left.
      if (i == j) {
        out.shear(i, j) = 0.0;
        continue;
      }
      const double x = hencky[i] - hencky[j];
      const double released = 1.0 - kept.deviator;
      out.shear(i, j) = factor[j] *
                        (law.two_mu * kept.deviator + tau[i] * released * exp_quotient(released * x)) /
                        (2.0 * exp_quotient(2.0 * x));
    }
  }
  return out.s.allFinite() && out.normal.allFinite() && out.shear.allFinite() && out.W.allFinite();
}

template <int dim>
Mat<dim> TrialStress<dim>::change(const Mat<dim>& dA) const {
  const Mat<dim> L = U.transpose() * dA * W;
  Mat<dim> K;
  K.diagonal() = normal * L.diagonal();
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      if (i != j) K(i, j) = shear(i, j) * L(i, j) + (shear(j, i) - s[i]) * L(j, i);
  return U * K * W.transpose();
}

template <int dim>
Mat<dim> TrialStress<dim>::node_block(const Vec<dim>& grad_w) const {
  const Vec<dim> g = W.transpose() * grad_w;
  Mat<dim> N;
  for (int i = 0; i < dim; ++i) {
    double diagonal = normal(i, i) * g[i] * g[i];
    for (int j = 0; j < dim; ++j) {
      if (i == j) continue;
      diagonal += shear(i, j) * g[j] * g[j];
      N(i, j) = (normal(i, j) + shear(j, i) - s[i]) * g[i] * g[j];
    }
    N(i, i) = diagonal;
  }
  return U * N * U.transpose();
}

template bool set_trial_stress<2>(const Mat<2>&, const Mat<2>&, const LawRow<double>&, double, double, double,
                                  TrialStress<2>&);
template bool set_trial_stress<3>(const Mat<3>&, const Mat<3>&, const LawRow<double>&, double, double, double,
                                  TrialStress<3>&);
template struct TrialStress<2>;
template struct TrialStress<3>;

}  // namespace repose::optimized
