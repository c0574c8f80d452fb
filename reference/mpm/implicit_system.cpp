#include "reference/mpm/implicit_system.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/cohesion.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose {

namespace {

const Material& material_of(const Scene& scene, int material) {
  return scene.materials[static_cast<std::size_t>(material)];
}

/// Largest change of a stress for a strain [Pa]: 2μ + dλ, of water with λ = γk at rest.
template <int d>
double modulus(const Material& material) {
  if (material.kind == MaterialKind::water) return d * material.water_gamma * material.water_stiffness;
  const Lame moduli = lame(material);
  return 2.0 * moduli.mu + d * moduli.lambda;
}

}  // namespace

template <int d>
ImplicitSystem<d>::ImplicitSystem(const State<d>& state, const StepContext& step)
    : state_(state), scene_(step.scene), dt_(step.dt) {
  for (const Node<d>& node : state.nodes) {
    mass_.push_back(node.m);
    momentum_.push_back(node.p.norm());
  }
  stiff_.assign(nodes(), 0.0);
  weight_.reserve(state.particles.size() * stencil_nodes<d>(mpm_options(scene_).kernel));
  range_.reserve(state.particles.size());
  for (const Particle<d>& p : state.particles) {
    const std::size_t begin = weight_.size();
    const double per_slope = dt_ * p.V0 * modulus<d>(material_of(scene_, p.material));
    for (const StencilNode<d>& i : Stencil<d>(scene_.grid, mpm_options(scene_).kernel, p.x)) {
      if (const Node<d>* const node = state.nodes.find(i.id)) {
        const Eigen::Index at = d * (node - &*state.nodes.begin());
        weight_.push_back({at, i.grad_w});
        stiff_[static_cast<std::size_t>(at / d)] += per_slope * i.grad_w.norm();
      } else if (!i.grad_w.isZero(0.0)) {
        ++massless_;
      }
    }
    range_.push_back({begin, weight_.size()});
  }
}

template <int d>
Eigen::VectorXd ImplicitSystem<d>::velocity_before() const {
  Eigen::VectorXd v(static_cast<Eigen::Index>(d * nodes()));
  Eigen::Index at = 0;
  for (const Node<d>& node : state_.nodes) {
    v.segment<d>(at) = node.p / node.m;
    at += d;
  }
  return v;
}

template <int d>
Eigen::VectorXd ImplicitSystem<d>::velocity_after_forces() const {
  Eigen::VectorXd v = v_;
  const Eigen::VectorXd R = residual();
  for (std::size_t i = 0; i < nodes(); ++i) {
    const auto at = static_cast<Eigen::Index>(d * i);
    v.segment<d>(at) -= R.segment<d>(at) / mass_[i];
  }
  return v;
}

template <int d>
Mat<d> ImplicitSystem<d>::gradient(const Eigen::VectorXd& u, const Range& range) const {
  Mat<d> sum = Mat<d>::Zero();
  for (std::size_t n = range.begin; n < range.end; ++n) {
    sum += u.segment<d>(weight_[n].at) * weight_[n].grad_w.transpose();
  }
  return sum;
}

template <int d>
Cone ImplicitSystem<d>::cone(const Particle<d>& p) const {
  const Material& material = material_of(scene_, p.material);
  if (material.kind == MaterialKind::elastic) return 0.0;
  return cone_of<d>(material, p);
}

template <int d>
ReturnedStress<d> ImplicitSystem<d>::stress(const Particle<d>& p, const Mat<d>& F_trial) const {
  const Material& material = material_of(scene_, p.material);
  const MpmOptions& options = mpm_options(scene_);
  const bool unilateral = material.kind == MaterialKind::sand && options.energy == repose::Energy::unilateral;
  const auto law = options.integrator == Integrator::semi_implicit ? lagged_stress<d> : returned_stress<d>;
  return law(F_trial, material, cone(p), p.v_c, unilateral ? &material.unilateral.value() : nullptr);
}

template <int d>
std::optional<Mat<d>> ImplicitSystem<d>::deform(const Particle<d>& p, const Mat<d>& grad_v,
                                                Point& point) const {
  const Material& material = material_of(scene_, p.material);
  if (material.kind == MaterialKind::water) {
    point.J = (1.0 + dt_ * grad_v.trace()) * p.J;  // [Tam17 §4.3.1]
    if (!(point.J > 0.0) || std::isinf(point.J)) return std::nullopt;
    point.volume = water_law(point.J, material);
    return Mat<d>(-point.volume.pressure * p.J * Mat<d>::Identity());  // [Tam17 Eq.17]
  }
  const Mat<d> stretch = Mat<d>::Identity() + dt_ * grad_v;
  if (!(stretch.determinant() > 0.0)) return std::nullopt;
  const Mat<d> F_trial = stretch * p.F;  // [Klar16 Eq.16]
  point.stress = stress(p, F_trial);
  return piola_stress<d>(point.stress);
}

template <int d>
Mat<d> ImplicitSystem<d>::change(const Particle<d>& p, const Point& point, const Mat<d>& grad_dv) const {
  if (material_of(scene_, p.material).kind == MaterialKind::water) {
    const double dJ = dt_ * grad_dv.trace() * p.J;
    return point.volume.stiffness * dJ * p.J * Mat<d>::Identity();
  }
  const Mat<d> dF = dt_ * grad_dv * p.F;
  return stress_change<d>(point.stress, dF);
}

template <int d>
std::optional<std::size_t> ImplicitSystem<d>::move_to(const Eigen::VectorXd& v) {
  const Vec<d> g = in_plane<d>(scene_.gravity);
  v_ = v;
  impulse_.resize(v.size());
  magnitude_.assign(nodes(), 0.0);
  point_.resize(state_.particles.size());
  fastest_ = 0.0;
  for (std::size_t i = 0; i < nodes(); ++i) {
    impulse_.segment<d>(static_cast<Eigen::Index>(d * i)) = dt_ * mass_[i] * g;  // [Klar16 Eq.24]
    magnitude_[i] = dt_ * mass_[i] * g.norm();
    fastest_ = std::max(fastest_, v.segment<d>(static_cast<Eigen::Index>(d * i)).norm());
  }

  for (std::size_t n = 0; n < state_.particles.size(); ++n) {
    const Particle<d>& p = state_.particles[n];
    const std::optional<Mat<d>> P = deform(p, gradient(v, range_[n]), point_[n]);
    if (!P) return n;
    const Mat<d> per_gradient = dt_ * p.V0 * *P * p.F.transpose();
    if (!per_gradient.allFinite()) return n;
    for (std::size_t w = range_[n].begin; w < range_[n].end; ++w) {
      const Vec<d> taken = per_gradient * weight_[w].grad_w;
      impulse_.segment<d>(weight_[w].at) -= taken;  // [Klar16 Eq.23]
      magnitude_[static_cast<std::size_t>(weight_[w].at / d)] += taken.norm();
    }
  }
  return std::nullopt;
}

template <int d>
Eigen::VectorXd ImplicitSystem<d>::residual() const {
  Eigen::VectorXd R = -impulse_;
  Eigen::Index at = 0;
  for (const Node<d>& node : state_.nodes) {
    R.segment<d>(at) += node.m * v_.segment<d>(at) - node.p;  // [Klar16 Eq.19]
    at += d;
  }
  return R;
}

template <int d>
double ImplicitSystem<d>::rounding(std::size_t node) const {
  const double carried =
      mass_[node] * v_.segment<d>(static_cast<Eigen::Index>(d * node)).norm() + momentum_[node];
  const double strained = (1.0 + dt_ * fastest_ / scene_.grid.h) * stiff_[node];
  return 64.0 * std::numeric_limits<double>::epsilon() * (carried + magnitude_[node] + strained);
}

template <int d>
typename ImplicitSystem<d>::Energy ImplicitSystem<d>::energy() const {
  const Vec<d> g = in_plane<d>(scene_.gravity);
  double value = 0.0, size = 0.0, strained = 0.0;
  Eigen::Index at = 0;
  for (const Node<d>& node : state_.nodes) {
    const Vec<d> v = v_.segment<d>(at);
    const Vec<d> change = v - node.p / node.m;
    value += node.m * (0.5 * change.squaredNorm() - dt_ * g.dot(v));
    size += node.m * (change.norm() * (v.norm() + node.p.norm() / node.m) + dt_ * g.norm() * v.norm());
    at += d;
  }
  for (std::size_t n = 0; n < state_.particles.size(); ++n) {
    const double V0 = state_.particles[n].V0;
    const ReturnedStress<d>& stress = point_[n].stress;
    const bool water = material_of(scene_, state_.particles[n].material).kind == MaterialKind::water;
    const double psi = water ? point_[n].volume.energy : stress.psi;
    value += V0 * psi;  // [Tam17 Eq.16]
    size += V0 * std::abs(psi);
    strained += V0 * (water ? point_[n].volume.products * point_[n].J
                            : stress.P.cwiseProduct(stress.svd.sigma).norm());
  }
  const double terms = static_cast<double>(nodes() + state_.particles.size());
  const double strain = 64.0 * (1.0 + dt_ * fastest_ / scene_.grid.h);
  return {value, std::numeric_limits<double>::epsilon() * ((64.0 + terms) * size + strain * strained)};
}

template <int d>
Eigen::VectorXd ImplicitSystem<d>::derivative_along(const Eigen::VectorXd& dv) const {
  Eigen::VectorXd dR(dv.size());
  for (std::size_t i = 0; i < nodes(); ++i) {
    const auto at = static_cast<Eigen::Index>(d * i);
    dR.segment<d>(at) = mass_[i] * dv.segment<d>(at);
  }
  for (std::size_t n = 0; n < state_.particles.size(); ++n) {
    const Particle<d>& p = state_.particles[n];
    const Mat<d> per_gradient = dt_ * p.V0 * change(p, point_[n], gradient(dv, range_[n])) * p.F.transpose();
    for (std::size_t w = range_[n].begin; w < range_[n].end; ++w) {
      dR.segment<d>(weight_[w].at) += per_gradient * weight_[w].grad_w;
    }
  }
  return dR;
}

template class ImplicitSystem<2>;
template class ImplicitSystem<3>;

}  // namespace repose
