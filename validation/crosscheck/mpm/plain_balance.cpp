#include "validation/crosscheck/mpm/plain_balance.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/cone.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/principal.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::crosscheck {

namespace {

enum class PlainCase : unsigned char { elastic, inside, tip, surface };

template <class T>
using Square = Eigen::Matrix<T, 3, 3>;
template <class T>
using Column = Eigen::Matrix<T, 3, 1>;

/// The trial strain of one particle and what stays of it.
template <class T>
struct Response {
  Square<T> axes;                  ///< U
  Column<T> trial;                 ///< ε̂, without the volume correction
  Column<T> kept;                  ///< ε
  T shear = T(0);                  ///< ‖dev ε̂‖
  T two_mu = T(0), lambda = T(0);  ///< [Pa]
  PlainCase part = PlainCase::elastic;

  Square<T> stress(const Square<T>& A) const {
    const Column<T> tau = mechanics::kirchhoff_stress(kept, two_mu, lambda);
    const Column<T> factor = (trial - kept).array().exp();
    return axes * (factor.cwiseProduct(tau)).asDiagonal() * axes.transpose() * A.inverse().transpose();
  }
};

/// Trial and return of one particle. `part` is the case it is taken for, if it is given: its own otherwise. In two dimensions the third row and column of A are those of 1: ε̂_3 = 0, and is left
/// out of traces.
template <class T>
Response<T> respond(const Material& material, int dim, double q, double v_c, const Square<T>& A,
                    const Square<T>& F, std::optional<PlainCase> part) {
  const Square<T> trial = A * F;
  const auto found = mechanics::principal<T, 3>(trial);
  Response<T> result;
  result.axes = found.axes;
  result.trial = found.strain();
  // 1 where an axis belongs to the dimensions at hand.
  Column<T> in = Column<T>::Ones();
  if (dim < 3) {
    Eigen::Index across = 0;
    result.axes.row(2).cwiseAbs().maxCoeff(&across);
    in[across] = T(0);
    result.trial[across] = T(0);
  }
  const T d = static_cast<T>(dim);
  const Lame modulus = lame(material);
  result.two_mu = static_cast<T>(2.0 * modulus.mu);
  result.lambda = static_cast<T>(modulus.lambda);
  result.kept = result.trial;
  const T mean = result.trial.sum() / d;
  const Column<T> dev = result.trial - mean * in;
  result.shear = dev.norm();
  if (material.kind == repose::MaterialKind::elastic) return result;
  const T alpha = mechanics::cone_slope(mechanics::hardened_angle(material.friction, static_cast<T>(q)));
  const T shift = material.volume_correction ? static_cast<T>(v_c) : T(0);
  const T trace = result.trial.sum() + shift;
  const T stiffness = d * result.lambda + result.two_mu;
  const T cohesion = static_cast<T>(material.cohesion);
  const T tip = mechanics::tip_trace(cohesion, alpha, stiffness);
  const T slip = result.shear + stiffness / result.two_mu * alpha * trace - cohesion / result.two_mu;
  result.kept = dev + trace / d * in;
  result.part = part          ? *part
                : trace > tip ? PlainCase::tip
                : slip > T(0) ? PlainCase::surface
                              : PlainCase::inside;
  if (result.part == PlainCase::tip) result.kept = tip / d * in;
  if (result.part == PlainCase::surface)
    result.kept -= slip / result.shear * dev;  // [Klar16 Eq.27, Eq.28] [Tam17 Eq.6]
  return result;
}

Tensor completed(Tensor F, int dim) {
  if (dim < 3) F(2, 2) = 1.0;
  return F;
}

}  // namespace

PlainBalance::PlainBalance(const Scene& scene, const Snapshot& state, double dt) : scene_(scene), dt_(dt) {
  // Of other steps it would say what is wrong.
  if (mpm_options(scene).integrator == Integrator::semi_implicit ||
      mpm_options(scene).energy != Energy::hencky)
    throw std::logic_error("the judge of solves knows implicit steps with Hencky's energy only");
  const auto places = node_places(state);
  mass_ = state.get(field::m_i).value;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const std::size_t begin = weights_.size();
    const Stencil near = stencil(scene, point(state.get(field::x), p));
    for (std::size_t k = 0; k < static_cast<std::size_t>(near.size); ++k)
      if (const auto found = places.find(near.node[k]); found != places.end())
        weights_.push_back({found->second, near.grad[k]});
    particles_.push_back({completed(tensor(state.get(field::F), p, scene.dim()), scene.dim()),
                          state.get(field::volume).value[p], state.get(field::q).value[p],
                          state.get(field::v_c).value[p],
                          &scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p])),
                          begin, weights_.size()});
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
    if (!(A.determinant() > 0.0)) return std::nullopt;
    const Tensor stress =
        dt_ * p.volume * respond<double>(*p.material, dim, p.q, p.v_c, A, p.F, {}).stress(A);
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

PlainBalance::Change PlainBalance::change(const std::vector<double>& v, const std::vector<double>& dv) const {
  using T = long double;
  const int dim = scene_.dim();
  const auto d = static_cast<std::size_t>(dim);
  Change result{std::vector<double>(v.size(), 0.0), std::vector<double>(mass_.size(), 0.0)};
  for (const Particle& p : particles_) {
    const Tensor dA = dt_ * gradient(p, dv);
    const double size = dA.norm();
    if (size == 0.0) continue;
    const Square<T> A = Square<T>::Identity() + static_cast<T>(dt_) * gradient(p, v).cast<T>();
    const Square<T> F = p.F.cast<T>();
    const Response<T> here = respond<T>(*p.material, dim, p.q, p.v_c, A, F, {});
    const T strain =
        here.part == PlainCase::surface ? std::clamp(T(1e-4) * here.shear, T(1e-14), T(1e-4)) : T(1e-4);
    const T eta = strain / static_cast<T>(size);
    const auto stress = [&](T share) {
      const Square<T> at = A + share * dA.cast<T>();
      return respond<T>(*p.material, dim, p.q, p.v_c, at, F, here.part).stress(at);
    };
    const Square<T> one = stress(eta) - stress(-eta);
    const Square<T> two = stress(T(2) * eta) - stress(T(-2) * eta);
    const Square<T> slope = (T(8) * one - two) / (T(12) * eta);
    const Tensor per_slope = dt_ * p.volume * slope.cast<double>();
    const T rounding =
        T(32) * std::numeric_limits<T>::epsilon() * (here.two_mu + static_cast<T>(dim) * here.lambda) / eta;
    for (std::size_t k = p.begin; k < p.end; ++k) {
      const Point taken = per_slope * weights_[k].slope;
      for (std::size_t a = 0; a < d; ++a)
        result.impulse[weights_[k].node * d + a] -= taken[static_cast<Eigen::Index>(a)];
      result.error[weights_[k].node] +=
          dt_ * p.volume * static_cast<double>(rounding) * weights_[k].slope.norm();
    }
  }
  return result;
}

double PlainBalance::energy(const std::vector<double>& v) const {
  double sum = 0.0;
  for (const Particle& p : particles_) {
    const Tensor A = Tensor::Identity() + dt_ * gradient(p, v);
    const Response<double> at = respond<double>(*p.material, scene_.dim(), p.q, p.v_c, A, p.F, {});
    const double trace = at.kept.sum();
    sum += p.volume * (0.5 * at.two_mu * at.kept.squaredNorm() + 0.5 * at.lambda * trace * trace);
  }
  return sum;
}

}  // namespace repose::crosscheck
