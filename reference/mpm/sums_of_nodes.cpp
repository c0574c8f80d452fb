#include "reference/mpm/sums_of_nodes.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/contact.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/stress.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/physics/svd.h"

#include <algorithm>
#include <cmath>

namespace repose {

SumsBuilder::SumsBuilder(std::size_t elements, int components)
    : components_(static_cast<std::size_t>(components)) {
  sums_.magnitude.resize(elements * components_);
  sums_.slope.resize(elements * components_);
  sums_.terms.resize(elements);
}

void SumsBuilder::add(std::size_t element, int component, double magnitude, double slope) {
  const std::size_t at = element * components_ + static_cast<std::size_t>(component);
  sums_.magnitude[at] += magnitude;
  sums_.slope[at] += slope;
}

template <int d>
Mat<d> weight_hessian(const Scene& scene, const StencilNode<d>& node) {
  const double h = scene.grid.h;
  const Kernel kernel = mpm_options(scene).kernel;
  Mat<d> hessian;
  for (int b = 0; b < d; ++b) {
    for (int c = 0; c < d; ++c) {
      double product = 1.0 / (h * h);
      for (int axis = 0; axis < d; ++axis) {
        const double u = -node.offset[axis] / h;
        const int order = (axis == b ? 1 : 0) + (axis == c ? 1 : 0);
        if (order == 0) product *= kernel_value(kernel, u);
        if (order == 1) product *= kernel_slope(kernel, u);
        if (order == 2) product *= kernel_curvature(kernel, u);
      }
      hessian(b, c) = product;
    }
  }
  return hessian;
}

template <int d>
double condition(const Mat<d>& F) {
  const Vec<d> sigma = decompose<d>(F).sigma;
  return sigma[0] / std::abs(sigma[d - 1]);
}

namespace {

/// Adds the terms of p_i [kg m/s] of one particle at one node.
template <int d>
void add_momentum(SumsBuilder& sums, std::size_t element, const Particle<d>& p, const StencilNode<d>& i,
                  bool affine) {
  for (int a = 0; a < d; ++a) {
    double speed = std::abs(p.v[a]);
    if (affine) speed += p.C.row(a).cwiseAbs().dot(i.offset.cwiseAbs().transpose());
    double slope = i.grad_w.cwiseAbs().sum() * p.m * speed;
    if (affine) slope += i.w * p.m * p.C.row(a).cwiseAbs().sum();
    sums.add(element, a, i.w * p.m * speed, slope);
  }
}

/// Adds Δt times the force terms of one particle at one node [kg m/s].
template <int d>
void add_force(SumsBuilder& sums, std::size_t element, const Particle<d>& p, const StencilNode<d>& i,
               const ElasticStress<d>& stress, const StepContext& step) {
  const Mat<d> hessian = weight_hessian<d>(step.scene, i).cwiseAbs();
  const Vec<d> slopes = i.grad_w.cwiseAbs();
  for (int a = 0; a < d; ++a) {
    const double g = std::abs(step.scene.gravity[a]);
    double magnitude = i.w * p.m * g;
    double slope = p.m * g * slopes.sum();
    for (int b = 0; b < d; ++b) {
      magnitude += p.V0 * stress.products * slopes[b];
      slope += p.V0 * std::abs(stress.tau(a, b)) * hessian.row(b).sum();
    }
    sums.add(element, a, step.dt * magnitude, step.dt * slope);
  }
}

/// Calls visit(element, particle, stencil node) for every particle at every active node.
template <int d, class Visit>
void for_each_pair(const State<d>& state, const Scene& scene, Visit visit) {
  for (const Particle<d>& p : state.particles) {
    for (const StencilNode<d>& i : Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x)) {
      const Node<d>* node = state.nodes.find(i.id);
      if (node != nullptr) visit(static_cast<std::size_t>(node - &*state.nodes.begin()), p, i);
    }
  }
}

/// The bodies that a node meets or, but for rounding, would meet.
template <int d>
struct Reach {
  double distances = 0.0;  ///< Σ (|φⁿ| + |φ̄|)/Δt [m/s]
  double body = 0.0;       ///< Σ ‖v_b‖ [m/s]
  double friction = 0.0;   ///< Σ μ_b [-]
  std::uint32_t count = 0;
};

template <int d>
Reach<d> reach(const Vec<d>& x_i, const Vec<d>& v_star, const StepContext& step) {
  Reach<d> sum;
  const double near = 0x1p-20 * step.scene.grid.h;
  Vec<d> v = v_star;
  for (const Collider& collider : step.scene.colliders) {
    const double phi_n = signed_distance(collider, in_space<d>(x_i), step.time, step.scene.grid).phi;
    const Vec<d> x_bar = x_i + step.dt * v;
    const double phi_bar =
        signed_distance(collider, in_space<d>(x_bar), step.time + step.dt, step.scene.grid).phi;
    const auto contact = meet_body<d>(collider, x_i, v, step);
    if (contact) v += contact->delta_v;
    const bool separating = collider.contact == Contact::separating;
    const bool met = separating ? phi_bar < std::min(phi_n, 0.0) + near : contact.has_value();
    if (!met) continue;
    sum.distances += (std::abs(phi_n) + std::abs(phi_bar)) / step.dt;
    sum.body += rigid_velocity(collider, in_space<d>(x_i), step.time, step.dt, step.scene.grid).norm();
    sum.friction += collider.friction;
    ++sum.count;
  }
  return sum;
}

}  // namespace

template <int d>
Sums sums_of_transfer(const State<d>& before, const StepContext& step, bool momentum) {
  State<d> state = before;
  StepReport unused;
  transfer_to_grid<d>(state, step, unused);  // which nodes are active

  SumsBuilder sums(state.nodes.size(), momentum ? d : 1);
  for_each_pair(state, step.scene, [&](std::size_t element, const Particle<d>& p, const StencilNode<d>& i) {
    sums.count(element);
    if (momentum) {
      add_momentum<d>(sums, element, p, i, mpm_options(step.scene).transfer == Transfer::apic);
    } else {
      sums.add(element, 0, i.w * p.m, i.grad_w.cwiseAbs().sum() * p.m);
    }
  });
  return std::move(sums).result();
}

template <int d>
Sums sums_of_forces(const State<d>& before, const StepContext& step) {
  SumsBuilder sums(before.nodes.size(), d);
  const Particle<d>* last = nullptr;
  ElasticStress<d> stress;
  for_each_pair(before, step.scene, [&](std::size_t element, const Particle<d>& p, const StencilNode<d>& i) {
    if (&p != last) {
      stress = elastic_stress<d>(p, step.scene);
      last = &p;
    }
    sums.count(element);
    add_momentum<d>(sums, element, p, i, mpm_options(step.scene).transfer == Transfer::apic);
    add_force<d>(sums, element, p, i, stress, step);
  });
  return std::move(sums).result();
}

template <int d>
Sums sums_of_contacts(const State<d>& before, const StepContext& step, bool with_friction) {
  SumsBuilder sums(before.nodes.size(), d);
  std::size_t element = 0;
  for (const Node<d>& node : before.nodes) {
    const Vec<d> x_i = in_plane<d>(step.scene.grid.node_position(node.id));
    const Vec<d> v_star = node.p_star / node.m;
    const Reach<d> bodies = reach<d>(x_i, v_star, step);

    double speed = v_star.norm() + bodies.distances + bodies.body;
    double slope = bodies.count == 0 ? 0.0 : 2.0 * bodies.count / step.dt;
    if (with_friction) {
      // Each friction is 1-Lipschitz in v and in J = μ_b‖Δv‖, whose Δv is a difference of two velocities.
      const double amplified = 1.0 + 2.0 * bodies.friction;
      speed = speed * amplified + 3.0 * bodies.body + bodies.count * (node.p_bar / node.m).norm();
      slope *= amplified;
      for (const NodeContact<d>& contact : resolve_contacts<d>(x_i, v_star, step).contacts) {
        speed += contact.collider->friction * contact.delta_v.norm();
      }
    }
    for (int a = 0; a < d; ++a) sums.add(element, a, node.m * speed, node.m * slope);
    sums.count(element, 1 + bodies.count);
    ++element;
  }
  return std::move(sums).result();
}

template Mat<2> weight_hessian<2>(const Scene&, const StencilNode<2>&);
template Mat<3> weight_hessian<3>(const Scene&, const StencilNode<3>&);
template double condition<2>(const Mat<2>&);
template double condition<3>(const Mat<3>&);
template Sums sums_of_transfer<2>(const State<2>&, const StepContext&, bool);
template Sums sums_of_transfer<3>(const State<3>&, const StepContext&, bool);
template Sums sums_of_forces<2>(const State<2>&, const StepContext&);
template Sums sums_of_forces<3>(const State<3>&, const StepContext&);
template Sums sums_of_contacts<2>(const State<2>&, const StepContext&, bool);
template Sums sums_of_contacts<3>(const State<3>&, const StepContext&, bool);

}  // namespace repose
