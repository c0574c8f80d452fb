#include "validation/crosscheck/mpm/plain_balance.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/field_access.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

Tensor completed(Tensor F, int dim) {
  if (dim < 3) F(2, 2) = 1.0;
  return F;
}

/// ‖∂τ/∂ε‖ at most, over strains near ε [Pa]: of the unilateral energy as UnilateralError has it, with the largest |h′| and |h″|.
template <class T>
double stiffness(const PlainLaw& law, const PlainResponse<T>& at) {
  const double M = static_cast<double>(at.two_mu) + law.dim * static_cast<double>(at.lambda);
  if (law.unilateral == nullptr) return M;
  const double norm = static_cast<double>(at.kept.norm());
  const double trace = static_cast<double>(at.kept.sum());
  const double shear = std::sqrt(std::max(0.0, norm * norm - trace * trace / law.dim));
  const auto z = mechanics::multiplier_place(*law.unilateral, at.s_C, law.dim, trace, shear, 1e-4);
  const double ends =
      1.0 + (std::abs(law.unilateral->a) + std::abs(law.unilateral->b) + std::abs(at.s_C)) / z.width;
  return M * (1.0 + 3.75 * norm * z.slope + 0.5 * norm * norm * (5.8 * z.slope * z.slope + 1.9 * z.bend)) *
         ends;
}

}  // namespace

PlainBalance::PlainBalance(const Scene& scene, const Snapshot& state, double dt) : scene_(scene), dt_(dt) {
  const MpmOptions& options = mpm_options(scene);
  const auto places = node_places(state);
  mass_ = state.get(field::m_i).value;
  momentum_ = state.get(field::p_i).value;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const std::size_t begin = weights_.size();
    const Stencil near = stencil(scene, point(state.get(field::x), p));
    for (std::size_t k = 0; k < static_cast<std::size_t>(near.size); ++k)
      if (const auto found = places.find(near.node[k]); found != places.end())
        weights_.push_back({found->second, near.grad[k]});
    const Material& material =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p]));
    const bool unilateral =
        options.energy == repose::Energy::unilateral && material.kind == repose::MaterialKind::sand;
    particles_.push_back({completed(tensor(state.get(field::F), p, scene.dim()), scene.dim()),
                          state.get(field::volume).value[p],
                          state.get(field::J).value[p],
                          {.material = &material,
                           .dim = scene.dim(),
                           .lagged = options.integrator == Integrator::semi_implicit,
                           .unilateral = unilateral ? &material.unilateral.value() : nullptr,
                           .q = state.get(field::q).value[p],
                           .v_c = state.get(field::v_c).value[p]},
                          begin,
                          weights_.size()});
  }
}

Tensor PlainBalance::gradient(const Particle& p, const std::vector<double>& u) const {
  const auto d = static_cast<std::size_t>(scene_.dim());
  Tensor sum = Tensor::Zero();
  for (std::size_t k = p.begin; k < p.end; ++k)
    for (std::size_t a = 0; a < d; ++a)
      sum.row(static_cast<Eigen::Index>(a)) += u[weights_[k].node * d + a] * weights_[k].slope.transpose();
  if (d < 3) sum.col(2).setZero();
  return sum;
}

std::optional<NodeImpulses> PlainBalance::impulses(const std::vector<double>& v) const {
  const int dim = scene_.dim();
  const auto d = static_cast<std::size_t>(dim);
  NodeImpulses result{std::vector<double>(v.size()), std::vector<double>(mass_.size())};
  const double fall = in_dimensions(scene_.gravity, dim).norm();
  for (std::size_t n = 0; n < mass_.size(); ++n) {
    for (std::size_t a = 0; a < d; ++a)
      result.impulse[n * d + a] = dt_ * mass_[n] * scene_.gravity[static_cast<Eigen::Index>(a)];
    result.magnitude[n] = dt_ * mass_[n] * fall;
  }
  for (const Particle& p : particles_) {
    const Tensor A = Tensor::Identity() + dt_ * gradient(p, v);
    if (!((is_water(p) ? trial_volume(p, v) : A.determinant()) > 0.0)) return std::nullopt;
    const Tensor stress = dt_ * p.volume *
                          (is_water(p) ? water_stress(p, trial_volume(p, v))
                                       : plain_response<double>(p.law, A, p.F, {}).stress(A));
    if (!stress.allFinite()) return std::nullopt;
    for (std::size_t k = p.begin; k < p.end; ++k) {
      const Point taken = stress * weights_[k].slope;
      for (std::size_t a = 0; a < d; ++a)
        result.impulse[weights_[k].node * d + a] -= taken[static_cast<Eigen::Index>(a)];
      result.magnitude[weights_[k].node] += taken.norm();
    }
  }
  return result;
}

std::pair<Tensor, double> PlainBalance::change_of_water(const Particle& p, const std::vector<double>& v,
                                                        const Tensor& grad_dv) const {
  using T = long double;
  const T dJ = static_cast<T>(dt_ * grad_dv.trace() * p.J);
  if (dJ == T(0)) return {Tensor::Zero(), 0.0};
  const T J = static_cast<T>(trial_volume(p, v));
  const T eta = T(1e-4) * J / std::abs(dJ);
  const auto stress = [&](T share) { return water_stress<T>(p, J + share * dJ); };
  const Square<T> slope =
      (T(8) * (stress(eta) - stress(-eta)) - (stress(T(2) * eta) - stress(T(-2) * eta))) / (T(12) * eta);
  const Material& water = *p.law.material;
  const double gamma = water.water_gamma;
  const T stiff = static_cast<T>(mechanics::water_stiffness(water, static_cast<double>(J)) * p.J);
  const T rounding = (stiff + static_cast<T>(water.water_stiffness * p.J)) *
                     (T(32) * std::numeric_limits<T>::epsilon() / eta);
  T error = rounding + stiff * static_cast<T>(1e-16 * std::pow(gamma + 4.0, 4.0)) * std::abs(dJ) / J;
  if (!water.water_tension && std::abs(J - T(1)) <= T(2.1e-4) * J) error += stiff * std::abs(dJ) / J;
  return {slope.cast<double>(), static_cast<double>(error)};
}

std::pair<Tensor, double> PlainBalance::change_of_stress(const Particle& p, const std::vector<double>& v,
                                                         const Tensor& grad_dv) const {
  using T = long double;
  const Tensor dA = dt_ * grad_dv;
  const double size = dA.norm();
  const Square<T> A = Square<T>::Identity() + static_cast<T>(dt_) * gradient(p, v).cast<T>();
  const Square<T> F = p.F.cast<T>();
  const PlainResponse<T> here = plain_response<T>(p.law, A, F, {});
  T strain = T(1e-4);
  if (const Unilateral* of = p.law.unilateral)
    strain *= static_cast<T>(std::min({1.0, of->strain_unit, (of->b - of->a) * of->strain_unit}));
  if (here.branch.part == PlainCase::surface)
    strain = std::min(strain, std::max(T(1e-4) * here.shear, T(1e-14)));
  const T eta = strain / static_cast<T>(size);
  const auto stress = [&](T share) {
    const Square<T> at = A + share * dA.cast<T>();
    return plain_response<T>(p.law, at, F, here.branch).stress(at);
  };
  const Square<T> one = stress(eta) - stress(-eta);
  const Square<T> two = stress(T(2) * eta) - stress(T(-2) * eta);
  const Square<T> slope = (T(8) * one - two) / (T(12) * eta);
  const T rounding = static_cast<T>(stiffness(p.law, here)) *
                     (T(32) * std::numeric_limits<T>::epsilon() / eta +
                      (p.law.unilateral != nullptr ? T(1e-12) * static_cast<T>(size) : T(0)));
  return {slope.cast<double>(), static_cast<double>(rounding)};
}

PlainBalance::Change PlainBalance::change(const std::vector<double>& v, const std::vector<double>& dv) const {
  const auto d = static_cast<std::size_t>(scene_.dim());
  Change result{std::vector<double>(v.size(), 0.0), std::vector<double>(mass_.size(), 0.0)};
  for (const Particle& p : particles_) {
    const Tensor grad_dv = gradient(p, dv);
    if ((dt_ * grad_dv).norm() == 0.0) continue;
    const auto [slope, rounding] =
        is_water(p) ? change_of_water(p, v, grad_dv) : change_of_stress(p, v, grad_dv);
    const Tensor per_slope = dt_ * p.volume * slope;
    for (std::size_t k = p.begin; k < p.end; ++k) {
      const Point taken = per_slope * weights_[k].slope;
      for (std::size_t a = 0; a < d; ++a)
        result.impulse[weights_[k].node * d + a] -= taken[static_cast<Eigen::Index>(a)];
      result.error[weights_[k].node] += dt_ * p.volume * rounding * weights_[k].slope.norm();
    }
  }
  return result;
}

PlainBalance::Energy PlainBalance::energy(const std::vector<double>& v) const {
  const auto d = static_cast<std::size_t>(scene_.dim());
  const Point g = in_dimensions(scene_.gravity, scene_.dim());
  Energy sum;
  double size = 0.0, strained = 0.0, fastest = 0.0;
  for (std::size_t n = 0; n < mass_.size(); ++n) {
    Point at = Point::Zero(), before = Point::Zero();
    for (std::size_t a = 0; a < d; ++a) {
      at[static_cast<Eigen::Index>(a)] = v[n * d + a];
      before[static_cast<Eigen::Index>(a)] = momentum_[n * d + a] / mass_[n];
    }
    sum.moving += mass_[n] * (0.5 * (at - before).squaredNorm() - dt_ * g.dot(at));
    size += mass_[n] * ((at - before).norm() * (at.norm() + before.norm()) + dt_ * g.norm() * at.norm());
    fastest = std::max(fastest, at.norm());
  }
  for (const Particle& p : particles_) {
    if (is_water(p)) {
      const double psi = mechanics::water_energy(*p.law.material, trial_volume(p, v));
      sum.elastic += p.volume * psi;
      size += p.volume * std::abs(psi);
      // The print's parts are some k, their difference is not.
      strained += p.volume * p.law.material->water_stiffness *
                  (1.0 + std::abs(1.0 / (p.law.material->water_gamma - 1.0 + 1e-300)));
      continue;
    }
    const Tensor A = Tensor::Identity() + dt_ * gradient(p, v);
    const PlainResponse<double> at = plain_response<double>(p.law, A, p.F, {});
    sum.elastic += p.volume * at.psi;
    size += p.volume * std::abs(at.psi);
    strained += p.volume * at.tau.norm();
  }
  const double terms = static_cast<double>(mass_.size() + particles_.size());
  const double strain = 64.0 * (1.0 + dt_ * fastest / scene_.grid.h);
  sum.rounding = std::numeric_limits<double>::epsilon() * ((64.0 + terms) * size + strain * strained);
  return sum;
}

}  // namespace repose::crosscheck
