#include "reference/mpm/sums_of_particles.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/snapshot.h"
#include "reference/mpm/cohesion.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/sums_of_nodes.h"
#include "reference/mpm/transfer_to_particles.h"
#include "reference/physics/hencky.h"

#include <cmath>

namespace repose {

namespace {

/// The speeds behind component a of a particle's new velocity at one node [m/s].
template <int d>
double speeds_behind_v(const Node<d>& node, int a, double flip) {
  const double v_tilde = std::abs(node.p_tilde[a] / node.m);
  return v_tilde + flip * std::abs(node.p[a] / node.m);
}

/// Adds what one node contributes to a field of one particle.
template <int d>
void add_gathered(SumsBuilder& sums, std::size_t element, const Node<d>& node, const StencilNode<d>& i,
                  const Scene& scene, std::string_view field) {
  const double slopes = i.grad_w.cwiseAbs().sum();
  const double D = affine_inertia(mpm_options(scene).kernel, scene.grid.h);
  const Mat<d> hessian =
      field == field::grad_v ? weight_hessian<d>(scene, i).cwiseAbs().eval() : Mat<d>::Zero();
  for (int a = 0; a < d; ++a) {
    const double v_tilde = std::abs(node.p_tilde[a] / node.m);
    const double v_bar = mpm_options(scene).motion == ParticleMotion::after_friction
                             ? v_tilde
                             : std::abs(node.p_bar[a] / node.m);
    if (field == field::v_bar) sums.add(element, a, i.w * v_bar, slopes * v_bar);
    if (field == field::v) {
      const double speeds = speeds_behind_v<d>(node, a, flip_weight(scene));
      sums.add(element, a, i.w * speeds, slopes * speeds);
    }
    for (int b = 0; b < d; ++b) {
      const double offset = std::abs(i.offset[b]);
      if (field == field::grad_v) {
        sums.add(element, a * d + b, v_bar * std::abs(i.grad_w[b]), v_bar * hessian.row(b).sum());
      }
      if (field == field::C) {
        sums.add(element, a * d + b, i.w * v_tilde * offset / D, v_tilde * (slopes * offset + i.w) / D);
      }
    }
  }
}

template <int d>
Sums sums_of_swelling(const State<d>& before, const StepContext& step) {
  SumsBuilder sums(before.particles.size(), 1);
  const double dt = is_water(step.scene) ? step.dt : 0.0;
  for (std::size_t n = 0; n < before.particles.size(); ++n) {
    const Particle<d>& p = before.particles[n];
    sums.add(n, 0, p.J * (1.0 + dt * p.grad_v.diagonal().cwiseAbs().sum()), 0.0);
    sums.count(n, d + 1);
  }
  return std::move(sums).result();
}

/// E of the table in sums.h: what bounds the rounding of each strain component after the return [-].
template <int d>
double strain_magnitude(const Particle<d>& p, const Material& material) {
  const double kappa = condition<d>(p.F);
  if (material.kind != MaterialKind::sand) return kappa * kappa;
  const Lame moduli = lame(material);
  const Cone yield = cone_of<d>(material, p);
  const double cone = (d * moduli.lambda + 2.0 * moduli.mu) / (2.0 * moduli.mu) * yield.alpha * std::sqrt(d);
  const Vec<d> eps = hencky_strain<d>(decompose<d>(p.F));
  return kappa * kappa * (1.0 + std::abs(cone)) + eps.norm() + p.v_c + yield.cohesion / (2.0 * moduli.mu);
}

}  // namespace

template <int d>
Sums sums_of_gathering(const State<d>& before, const StepContext& step, std::string_view field) {
  const Scene& scene = step.scene;
  const bool matrix = field == field::C || field == field::grad_v;
  SumsBuilder sums(before.particles.size(), matrix ? d * d : d);
  for (std::size_t n = 0; n < before.particles.size(); ++n) {
    const Particle<d>& p = before.particles[n];
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x)) {
      const Node<d>* node = before.nodes.find(i.id);
      if (node == nullptr) continue;
      add_gathered<d>(sums, n, *node, i, scene, field);
      sums.count(n);
    }
    if (field == field::v && flip_weight(scene) > 0.0) {
      for (int a = 0; a < d; ++a) sums.add(n, a, flip_weight(scene) * std::abs(p.v[a]), 0.0);
      sums.count(n);
    }
  }
  return std::move(sums).result();
}

template <int d>
Sums sums_of_update(const State<d>& before, const StepContext& step, std::string_view field) {
  if (field == field::J) return sums_of_swelling<d>(before, step);
  const bool position = field == field::x;
  SumsBuilder sums(before.particles.size(), position ? d : d * d);
  for (std::size_t n = 0; n < before.particles.size(); ++n) {
    const Particle<d>& p = before.particles[n];
    const Mat<d> growth = step.dt * (p.grad_v.cwiseAbs() * p.F.cwiseAbs());
    for (int a = 0; a < d; ++a) {
      if (position)
        sums.add(n, a, step.dt * std::abs(p.v_bar[a]), step.scene.grid.is_periodic(a) ? 4.0 : 2.0);
      for (int b = 0; !position && b < d; ++b)
        sums.add(n, a * d + b, std::abs(p.F(a, b)) + growth(a, b), 0.0);
    }
    sums.count(n, position ? 2 : d + 1);
  }
  return std::move(sums).result();
}

template <int d>
Sums sums_of_plasticity(const State<d>& before, const StepContext& step, std::string_view field) {
  const int components = field == field::F ? d * d : 1;
  SumsBuilder sums(before.particles.size(), components);
  for (std::size_t n = 0; n < before.particles.size(); ++n) {
    const Particle<d>& p = before.particles[n];
    double magnitude = strain_magnitude<d>(p, step.scene.materials[static_cast<std::size_t>(p.material)]);
    if (field == field::q) magnitude += p.q;
    if (field == field::v_c) magnitude = d * magnitude + p.v_c;
    for (int component = 0; component < components; ++component) sums.add(n, component, magnitude, 0.0);
    sums.count(n, 2);
  }
  return std::move(sums).result();
}

template Sums sums_of_gathering<2>(const State<2>&, const StepContext&, std::string_view);
template Sums sums_of_gathering<3>(const State<3>&, const StepContext&, std::string_view);
template Sums sums_of_update<2>(const State<2>&, const StepContext&, std::string_view);
template Sums sums_of_update<3>(const State<3>&, const StepContext&, std::string_view);
template Sums sums_of_plasticity<2>(const State<2>&, const StepContext&, std::string_view);
template Sums sums_of_plasticity<3>(const State<3>&, const StepContext&, std::string_view);

}  // namespace repose
