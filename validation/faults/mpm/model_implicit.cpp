#include "reference/interface/base/error.h"
#include "reference/interface/base/symmetric_eigen.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/faults/mpm/model_stages.h"

#include <Eigen/LU>

#include <unordered_map>

namespace repose::faults {

namespace {

/// α and dα/dq [Klar16 Eq.30, Eq.31].
std::pair<double, double> cone(const FrictionLaw& law, double q) {
  const double decay = std::exp(-law.h2 * q);
  const double amplitude = law.h1 * q - law.h3;
  const double phi = law.h0 + amplitude * decay;
  const double slope = (law.h1 - law.h2 * amplitude) * decay;
  const double factor = std::sqrt(2.0 / 3.0) * 2.0;
  const double below = 3.0 - std::sin(phi);
  return {factor * std::sin(phi) / below, factor * 3.0 * std::cos(phi) / (below * below) * slope};
}

/// P(Z(F̂)) Fᵀ of one particle in the axes of b̂, and its derivative there.
template <int dim>
struct Response {
  Mat<dim> U, to_axes;  ///< axes; Uᵀ A⁻ᵀ
  Vec<dim> s;
  Mat<dim> normal, shear;  ///< ∂s_i/∂ε̂_j; (s_i − s_j)/(b̂_i − b̂_j) b̂_j

  Mat<dim> stress() const { return U * s.asDiagonal() * to_axes; }
  Mat<dim> change(const Mat<dim>& dA) const {
    const Mat<dim> L = U.transpose() * dA * to_axes.transpose();
    Mat<dim> K;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) {
        K(i, j) = shear(i, j) * L(i, j) + shear(j, i) * L(j, i);
        if (i == j) K(i, i) = normal.row(i).dot(L.diagonal());
        K(i, j) -= s[i] * L(j, i);
      }
    return U * K * to_axes;
  }
};

/// Principal Kirchhoff stresses, their derivative by the strains, and (τ_i − τ_j)/(ε_i − ε_j).
template <int dim>
struct Law {
  Vec<dim> tau;
  Mat<dim> stiffness;
  double shear = 0.0;
};

template <int dim>
Law<dim> hencky_law(const Lame& modulus, const Vec<dim>& eps) {
  Law<dim> law;
  law.tau = (2.0 * modulus.mu * eps).array() + modulus.lambda * eps.sum();
  law.stiffness = Mat<dim>::Constant(modulus.lambda) + 2.0 * modulus.mu * Mat<dim>::Identity();
  law.shear = 2.0 * modulus.mu;
  return law;
}

/// [Tam17 Eq.7–10], or what a mistake makes of it.
template <int dim>
Law<dim> unilateral_law(Mistake mistake, const Material& material, double q, const Vec<dim>& eps) {
  const Unilateral& of = *material.unilateral;
  const Lame modulus = lame(material);
  const Law<dim> hencky = hencky_law<dim>(modulus, eps);
  const double root = std::sqrt(static_cast<double>(dim)), unit = of.strain_unit, width = of.b - of.a;
  double shift = of.s_C.value_or(0.0);
  if (!of.s_C && material.cohesion > 0.0)
    shift = material.cohesion /
            (cone(material.friction, q).first * (dim * modulus.lambda + 2.0 * modulus.mu) * root * unit);
  const Vec<dim> w = (eps.array() - eps.sum() / dim) / unit;
  const double v = w.norm(), v3 = v * v * v, down = 1.0 + v3;
  const double z = (eps.sum() / (root * unit) + of.c0 * v * v3 / down - of.a - shift) / width;
  if (z <= 0.0) return hencky;
  if (z >= 1.0) return {Vec<dim>::Zero(), Mat<dim>::Zero(), 0.0};
  const double rest = 1.0 - z;
  const double h = rest * rest * rest * (1.0 + z * (3.0 + 6.0 * z));
  const double h_z = -30.0 * z * z * rest * rest, h_zz = -60.0 * z * rest * (rest - z);
  const double per_v = of.c0 * v * v * (4.0 + v3) / (down * down);
  const double bend = of.c0 * (8.0 - v3 * (11.0 + v3)) / (down * down * down);
  const Vec<dim> z_eps = (Vec<dim>::Constant(1.0 / root) + per_v * w) / (width * unit);
  const Mat<dim> z_twice =
      (per_v * (Mat<dim>::Identity() - Mat<dim>::Constant(1.0 / dim)) + bend * w * w.transpose()) /
      (width * unit * unit);
  const double psi = modulus.mu * eps.squaredNorm() + 0.5 * modulus.lambda * eps.sum() * eps.sum();
  Law<dim> law;
  law.tau = h * hencky.tau;
  if (mistake != Mistake::multiplier_slope_kept) law.tau += psi * h_z * z_eps;
  const Mat<dim> mixed = h_z * z_eps * hencky.tau.transpose();
  law.stiffness = h * hencky.stiffness + psi * (h_zz * z_eps * z_eps.transpose() + h_z * z_twice);
  if (mistake != Mistake::multiplier_outer_product_missing) law.stiffness += mixed + mixed.transpose();
  law.shear = 2.0 * modulus.mu * h;
  if (mistake != Mistake::multiplier_shear_missing) law.shear += psi * h_z * per_v / (width * unit * unit);
  return law;
}

/// @param lagged the strain does not return
template <int dim>
Response<dim> response(Mistake mistake, const Material& material, const Mat<dim>& F, const Mat<dim>& A,
                       double q, double v_c, bool lagged, bool unilateral) {
  using M = Mat<dim>;
  using V = Vec<dim>;
  const M trial = A * F;
  const M b = trial * trial.transpose();
  const Eigen::SelfAdjointEigenSolver<M> eigen(b);
  const V hencky = 0.5 * eigen.eigenvalues().array().log();
  Response<dim> out{eigen.eigenvectors(), eigen.eigenvectors().transpose() * A.inverse().transpose(),
                    V::Zero(), M::Zero(), M::Zero()};
  const Lame modulus = lame(material);
  const double two_mu = 2.0 * modulus.mu;
  const double lambda = modulus.lambda;
  const bool sand = material.kind != repose::MaterialKind::elastic;

  V eps = hencky;
  double r = 1.0;             // share of the deviator that stays
  M follows = M::Identity();  // ∂ε/∂ε̂
  if (sand && material.volume_correction) eps.array() += v_c / dim;
  if (sand && !lagged) {
    const auto [alpha, hardening] = cone(material.friction, q);
    const double c = (dim * lambda + two_mu) / two_mu;
    const double trace = eps.sum();
    const V dev = eps.array() - trace / dim;
    const double norm = dev.norm();
    const double cohesive = material.cohesion / two_mu;
    const double slip = norm + c * alpha * trace - cohesive;  // [Klar16 Eq.27] [Tam17 Eq.6]
    if (c * alpha * trace > cohesive || (cohesive == 0.0 && trace > 0.0)) {
      eps.setConstant(cohesive > 0.0 ? cohesive / (c * alpha * dim) : 0.0);
      r = 0.0;
      follows.setZero();
    } else if (slip > 0.0) {
      const V n = dev / norm;
      eps -= slip * n;
      r = (cohesive - c * alpha * trace) / norm;
      // ε = ε̂ − δγ n: the length of the way changes, and its direction.
      V slip_change = n + V::Constant(c * alpha);
      if (mistake == Mistake::hardening_differentiated) slip_change *= 1.0 + c * trace * hardening;
      const M turn = (M::Identity() - M::Constant(1.0 / dim) - n * n.transpose()) / norm;
      if (mistake != Mistake::slip_derivative_missing) follows -= n * slip_change.transpose();
      follows -= slip * turn;
      if (mistake == Mistake::return_block_transposed) follows.transposeInPlace();
    }
  }
  const Law<dim> law =
      sand && unilateral ? unilateral_law<dim>(mistake, material, q, eps) : hencky_law<dim>(modulus, eps);
  const V& tau = law.tau;
  const V lost = lagged ? V(V::Zero()) : V(hencky - eps);
  const V factor = lost.array().exp();
  out.s = factor.cwiseProduct(tau);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) {
      const double identity = i == j ? 1.0 : 0.0;
      out.normal(i, j) =
          factor[i] * (law.stiffness.row(i).dot(follows.col(j)) + tau[i] * (identity - follows(i, j)));
      if (i == j) continue;
      const double x = hencky[i] - hencky[j];
      const auto quotient = [](double y) { return y == 0.0 ? 1.0 : std::expm1(y) / y; };
      out.shear(i, j) = factor[j] * (law.shear * r + tau[i] * (1.0 - r) * quotient((1.0 - r) * x)) /
                        (2.0 * quotient(2.0 * x));
      // The difference quotient of equal numbers taken for zero.
      if (mistake == Mistake::equal_stretches_limit && std::abs(x) < 1e-5) out.shear(i, j) = 0.0;
    }
  return out;
}

/// Node velocities seen by a particle, and what it gives its nodes.
template <int dim>
class Stencils {
 public:
  Stencils(const Scene& scene, const Snapshot& state) : scene_(scene), state_(state) {
    for (std::size_t n = 0; n < state.count(Place::node); ++n) place_.emplace(state.ids(Place::node)[n], n);
  }

  /// Calls per_particle(p, gradient of v, gradient of dv, stencil).
  template <class Visit>
  void each(std::span<const double> v, std::span<const double> dv, Visit&& per_particle) const {
    for (std::size_t p = 0; p < state_.particles(); ++p) {
      const auto near =
          neighbourhood<double>(scene_, Mistake::none, read_vector<double>(state_.get(field::x), p));
      Mat<dim> first = Mat<dim>::Zero(), second = first;
      for (std::size_t k = 0; k < static_cast<std::size_t>(near.size); ++k) {
        const auto found = place_.find(near.node[k]);
        if (found == place_.end()) continue;
        const auto at = [&](std::span<const double> from) {
          Vec<dim> value = Vec<dim>::Zero();
          for (std::size_t a = 0; a < dim && !from.empty(); ++a)
            value[static_cast<Eigen::Index>(a)] = from[found->second * dim + a];
          return value;
        };
        const auto slope = near.grad[k].template head<dim>().transpose();
        first += at(v) * slope;
        second += at(dv) * slope;
      }
      per_particle(p, first, second, near);
    }
  }

  template <class Visit>
  void nodes(const Neighbourhood<double>& near, Visit&& per_node) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(near.size); ++k)
      if (const auto found = place_.find(near.node[k]); found != place_.end())
        per_node(found->second, Vec<dim>(near.grad[k].template head<dim>()));
  }

 private:
  const Scene& scene_;
  const Snapshot& state_;
  std::unordered_map<std::int64_t, std::size_t> place_;
};

/// −p J of one drop at Ĵ, or its change [Pa].                                            [Tam17 Eq.17]
template <int dim>
double water_response(Mistake mistake, const Material& water, double J, double dt, const Mat<dim>& grad_v,
                      const Mat<dim>* grad_dv) {
  const Mat<dim> A = Mat<dim>::Identity() + dt * grad_v;
  double after = (1.0 + dt * grad_v.trace()) * J;
  if (mistake == Mistake::solved_by_determinant) after = A.determinant() * J;
  if (mistake == Mistake::solved_by_last_volume && grad_dv == nullptr) after = J;
  if (after > 1.0 && !water.water_tension) return 0.0;
  const double k = water.water_stiffness, gamma = water.water_gamma;
  if (grad_dv == nullptr) return -k * J * std::expm1(-gamma * std::log(after));
  const double factor = mistake == Mistake::softened_water ? 1.0 : gamma;
  return k * factor * std::pow(after, -gamma - 1.0) * J * J * dt * grad_dv->trace();
}

template <int dim>
std::vector<double> impulses(const Scene& scene, Mistake mistake, double dt, const Snapshot& state,
                             std::span<const double> v, std::span<const double> dv) {
  const Stencils<dim> stencils(scene, state);
  std::vector<Vec<dim>> sum(state.count(Place::node), Vec<dim>::Zero());
  stencils.each(v, dv, [&](std::size_t p, const auto& grad_v, const auto& grad_dv, const auto& near) {
    const Mat<dim> A = Mat<dim>::Identity() + dt * grad_v;
    const Material& material =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p]));
    const double weight = dt * state.get(field::volume).value[p];
    if (material.kind == repose::MaterialKind::water) {
      const double tau = weight * water_response<dim>(mistake, material, state.get(field::J).value[p], dt,
                                                      grad_v, dv.empty() ? nullptr : &grad_dv);
      stencils.nodes(near, [&](std::size_t n, const auto& slope) { sum[n] -= tau * slope; });
      return;
    }
    if (!(A.determinant() > 0.0))
      throw SimulationError("the velocities invert a particle", static_cast<std::int64_t>(p), state.step,
                            boundary::collisions);
    const Mat<dim> F =
        read_matrix<double>(state.get(field::F), p, dim, 1.0).template topLeftCorner<dim, dim>();
    double v_c = state.get(field::v_c).value[p];
    if (mistake == Mistake::v_c_missing_in_derivative && !dv.empty()) v_c = 0.0;
    if (mistake == Mistake::v_c_missing_in_lagged_force) v_c = 0.0;
    const MpmOptions& options = mpm_options(scene);
    const bool returns = mistake == Mistake::derivative_of_returned_stress && !dv.empty();
    const auto here = response<dim>(mistake, material, F, A, state.get(field::q).value[p], v_c,
                                    options.integrator == Integrator::semi_implicit && !returns,
                                    options.energy == Energy::unilateral);
    const Mat<dim> per_gradient = weight * (dv.empty() ? here.stress() : here.change(Mat<dim>(dt * grad_dv)));
    stencils.nodes(near, [&](std::size_t n, const auto& slope) { sum[n] -= per_gradient * slope; });
  });
  std::vector<double> result;
  for (std::size_t n = 0; n < sum.size(); ++n)
    for (int a = 0; a < dim; ++a) {
      const double fall = dv.empty() ? state.get(field::m_i).value[n] * dt * scene.gravity[a] : 0.0;
      result.push_back(sum[n][a] + fall);
    }
  return result;
}

}  // namespace

std::vector<double> model_impulses(const Scene& scene, Mistake mistake, double dt, const Snapshot& state,
                                   std::span<const double> v, std::span<const double> dv) {
  return scene.dim() == 2 ? impulses<2>(scene, mistake, dt, state, v, dv)
                          : impulses<3>(scene, mistake, dt, state, v, dv);
}

}  // namespace repose::faults
