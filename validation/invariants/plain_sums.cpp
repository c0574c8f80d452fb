#include "validation/invariants/plain_sums.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/cone.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"
#include "validation/mechanics/strain.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::invariants {

namespace {

using crosscheck::Case;
using crosscheck::Tensor;

/// One particle and one active node of its stencil, with Hessian and all in absolute values.
struct Pair {
  std::size_t p, node;
  double w;
  std::array<double, 3> offset{};               ///< |x_i − x_p| [m]
  std::array<double, 3> grad{};                 ///< |∂_b w| [1/m]
  std::array<std::array<double, 3>, 3> bend{};  ///< |∂_b∂_c w| [1/m²]
  double slope = 0.0;                           ///< Σ_b |∂_b w|
};

/// Second derivatives are difference quotients of gradients. These are of second degree between kinks, which lie where the
/// stencil moves on: central quotients are exact that do not reach over one.
std::vector<Pair> pairs(const Case& c, const Snapshot& state) {
  std::vector<Pair> result;
  const int dim = c.setup.dim;
  const auto places = crosscheck::node_places(state);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Point x = crosscheck::point(state.get(field::x), p);
    const crosscheck::Stencil s = crosscheck::stencil(c.scene, x);
    std::array<crosscheck::Stencil, 3> ahead, behind;
    std::array<double, 3> way{};
    for (int axis = 0; axis < dim; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      for (way[a] = 1e-5 * c.scene.grid.h; way[a] > 1e-10 * c.scene.grid.h; way[a] *= 0.1) {
        ahead[a] = crosscheck::stencil(c.scene, x + way[a] * Point::Unit(axis));
        behind[a] = crosscheck::stencil(c.scene, x - way[a] * Point::Unit(axis));
        if (ahead[a].node == s.node && behind[a].node == s.node) break;
      }
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(s.size); ++k) {
      const auto place = places.find(s.node[k]);
      if (place == places.end()) continue;
      Pair pair{p, place->second, s.w[k]};
      const Point offset = c.scene.grid.node_position(s.node[k]) - x;
      for (std::size_t b = 0; b < static_cast<std::size_t>(dim); ++b) {
        const auto axis = static_cast<Eigen::Index>(b);
        pair.offset[b] = std::abs(offset[axis]);
        pair.grad[b] = std::abs(s.grad[k][axis]);
        pair.slope += pair.grad[b];
        for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a)
          pair.bend[b][a] = std::abs(ahead[a].grad[k][axis] - behind[a].grad[k][axis]) / (2.0 * way[a]);
      }
      result.push_back(pair);
    }
  }
  return result;
}

/// Absolute values of what a stage begins with.
struct Given : StageOf {
  std::size_t d() const { return static_cast<std::size_t>(c.setup.dim); }
  double of(const Snapshot& s, std::string_view name, std::size_t element, std::size_t component = 0) const {
    const Field& field = s.get(name);
    return std::abs(field.value[element * static_cast<std::size_t>(field.components) + component]);
  }
  double of(std::string_view name, std::size_t element, std::size_t component = 0) const {
    return of(before, name, element, component);
  }
  /// |v_i| along an axis, by the momentum of that name.
  double speed(std::string_view momentum, std::size_t node, std::size_t a) const {
    return of(momentum, node, a) / of(field::m_i, node);
  }
  double norm(std::string_view momentum, std::size_t node) const {
    return crosscheck::point(before.get(momentum), node).norm() / of(field::m_i, node);
  }
  const Material& material(std::size_t p) const {
    return c.scene.materials.at(static_cast<std::size_t>(of(field::material, p)));
  }
  double flip() const {
    if (mpm_options(c.scene).transfer == Transfer::flip) return 1.0;
    return mpm_options(c.scene).transfer == Transfer::flip_pic ? mpm_options(c.scene).flip_share : 0.0;
  }
};

double row(const std::array<double, 3>& values) { return values[0] + values[1] + values[2]; }

/// m_i, p_i and what forces add to p_i.
PlainSums scattered(const Given& s, std::string_view name) {
  const bool mass = name == field::m_i;
  const bool affine = mpm_options(s.c.scene).transfer == Transfer::apic;
  PlainSums sums(s.after.count(Place::node), mass ? 1 : s.d());
  for (const Pair& i : pairs(s.c, s.after)) {
    const double m = s.of(field::mass, i.p);
    sums.terms[i.node] += 1.0;
    if (mass) {
      sums.add(i.node, 0, i.w * m, m * i.slope);
      continue;
    }
    const Lame l = lame(s.material(i.p));
    const Tensor F = crosscheck::tensor(s.before.get(field::F), i.p, s.c.setup.dim);
    const Tensor eps = crosscheck::strain(F, s.c.setup.dim).log;
    const double V = s.of(field::volume, i.p);
    const double products = (2.0 * l.mu + s.c.setup.dim * std::abs(l.lambda)) * eps.norm();
    for (std::size_t a = 0; a < s.d(); ++a) {
      double speed = s.of(field::v, i.p, a), turned = 0.0;
      for (std::size_t b = 0; affine && b < s.d(); ++b) {
        speed += s.of(field::C, i.p, a * s.d() + b) * i.offset[b];
        turned += s.of(field::C, i.p, a * s.d() + b);
      }
      sums.add(i.node, a, i.w * m * speed, m * (i.slope * speed + i.w * turned));
      if (name == field::p_i) continue;
      const double g = std::abs(s.c.scene.gravity[static_cast<Eigen::Index>(a)]);
      double bends = 0.0;
      for (std::size_t b = 0; b < s.d(); ++b) {
        const auto x = static_cast<Eigen::Index>(a), y = static_cast<Eigen::Index>(b);
        const double tau = 2.0 * l.mu * eps(x, y) + (a == b ? l.lambda * eps.trace() : 0.0);
        bends += std::abs(tau) * row(i.bend[b]);
      }
      sums.add(i.node, a, s.c.dt * (i.w * m * g + V * products * i.slope),
               s.c.dt * (m * g * i.slope + V * bends));
    }
  }
  return sums;
}

/// Separating bodies, of which no node meets two.
PlainSums at_contacts(const Given& s, bool with_friction, Ledger& ledger) {
  PlainSums sums(s.before.count(Place::node), s.d());
  const double dt = s.c.dt;
  for (std::size_t n = 0; n < s.before.count(Place::node); ++n) {
    const Point x = s.c.scene.grid.node_position(s.before.ids(Place::node)[n]);
    const double m = s.of(field::m_i, n);
    const Point v = crosscheck::point(s.before.get(field::p_star), n) / m;
    double speed = v.norm(), slope = 0.0;
    sums.terms[n] = 1.0;
    for (const Collider& body : s.c.scene.colliders) {
      const double now = signed_distance(body, x, s.before.time, s.c.scene.grid).phi;
      const double then = signed_distance(body, x + dt * v, s.before.time + dt, s.c.scene.grid).phi;
      if (!(then < std::min(now, 0.0) + 0x1p-20 * s.c.scene.grid.h)) continue;
      const double v_b = rigid_velocity(body, x, s.before.time, dt, s.c.scene.grid).norm();
      speed += (std::abs(now) + std::abs(then)) / dt + v_b;
      slope += 2.0 / dt;
      sums.terms[n] += 1.0;
      ledger.saw("nodes at bodies");
      if (!with_friction) continue;
      const Point v_bar = crosscheck::point(s.before.get(field::p_bar), n) / m;
      const double rub = body.friction;
      speed = speed * (1.0 + 2.0 * rub) + 3.0 * v_b + v_bar.norm() + rub * (v_bar - v).norm();
      slope *= 1.0 + 2.0 * rub;
    }
    ledger.holds("at most one body", sums.terms[n] <= 2.0, x);
    for (std::size_t a = 0; a < s.d(); ++a) sums.add(n, a, m * speed, m * slope);
  }
  return sums;
}

/// v, C, v_bar and grad_v.
PlainSums gathered(const Given& s, std::string_view name) {
  const bool matrix = name == field::C || name == field::grad_v;
  const std::size_t d = s.d();
  PlainSums sums(s.before.particles(), matrix ? d * d : d);
  const bool all_rub = mpm_options(s.c.scene).motion == ParticleMotion::after_friction;
  const double h = s.c.scene.grid.h;
  const double D = h * h / (mpm_options(s.c.scene).kernel == Kernel::cubic ? 3.0 : 4.0);
  for (const Pair& i : pairs(s.c, s.before)) {
    sums.terms[i.p] += 1.0;
    for (std::size_t a = 0; a < d; ++a) {
      const double tilde = s.speed(field::p_tilde, i.node, a);
      const double moves = all_rub ? tilde : s.speed(field::p_bar, i.node, a);
      const double change = tilde + s.flip() * s.speed(field::p_i, i.node, a);
      if (name == field::v_bar) sums.add(i.p, a, i.w * moves, i.slope * moves);
      if (name == field::v) sums.add(i.p, a, i.w * change, i.slope * change);
      for (std::size_t b = 0; matrix && b < d; ++b) {
        if (name == field::grad_v)
          sums.add(i.p, a * d + b, moves * i.grad[b], moves * row(i.bend[b]));
        else
          sums.add(i.p, a * d + b, i.w * tilde * i.offset[b] / D, tilde * (i.slope * i.offset[b] + i.w) / D);
      }
    }
  }
  if (name == field::v && s.flip() > 0.0)
    for (std::size_t p = 0; p < s.before.particles(); ++p) {
      sums.terms[p] += 1.0;
      for (std::size_t a = 0; a < d; ++a) sums.add(p, a, s.flip() * s.of(field::v, p, a), 0.0);
    }
  return sums;
}

/// x, F_trial and J, which nothing changes: none of it is water.
PlainSums moved(const Given& s, std::string_view name) {
  const std::size_t d = s.d();
  if (name == field::J) {
    PlainSums sums(s.before.particles(), 1);
    for (std::size_t p = 0; p < s.before.particles(); ++p) {
      sums.terms[p] = static_cast<double>(d + 1);
      sums.add(p, 0, s.of(field::J, p), 0.0);
    }
    return sums;
  }
  PlainSums sums(s.before.particles(), name == field::x ? d : d * d);
  for (std::size_t p = 0; p < s.before.particles(); ++p) {
    sums.terms[p] = name == field::x ? 2.0 : static_cast<double>(d + 1);
    for (std::size_t a = 0; a < d; ++a) {
      if (name == field::x) sums.add(p, a, s.c.dt * s.of(field::v_bar, p, a), 2.0);
      for (std::size_t b = 0; name != field::x && b < d; ++b) {
        double sum = s.of(field::F, p, a * d + b);
        for (std::size_t k = 0; k < d; ++k)
          sum += s.c.dt * s.of(field::grad_v, p, a * d + k) * s.of(field::F, p, k * d + b);
        sums.add(p, a * d + b, sum, 0.0);
      }
    }
  }
  return sums;
}

/// F, q and v_c.
PlainSums returned(const Given& s, std::string_view name) {
  const std::size_t components = name == field::F ? s.d() * s.d() : 1;
  const double d = s.c.setup.dim;
  PlainSums sums(s.before.particles(), components);
  for (std::size_t p = 0; p < s.before.particles(); ++p) {
    const auto trial =
        crosscheck::strain(crosscheck::tensor(s.before.get(field::F_trial), p, s.c.setup.dim), s.c.setup.dim);
    const double q = s.of(field::q, p), v_c = s.of(field::v_c, p);
    double size = trial.condition;
    if (s.material(p).kind != MaterialKind::elastic) {
      const Lame l = lame(s.material(p));
      const double alpha = mechanics::cone_slope(mechanics::hardened_angle(s.material(p).friction, q));
      size *= 1.0 + (d * l.lambda + 2.0 * l.mu) / (2.0 * l.mu) * alpha * std::sqrt(d);
      size += trial.log.norm() + v_c;
    }
    if (name == field::q) size += q;
    if (name == field::v_c) size = d * size + v_c;
    for (std::size_t k = 0; k < components; ++k) sums.add(p, k, size, 0.0);
    sums.terms[p] = 2.0;
  }
  return sums;
}

}  // namespace

PlainSums plain_sums(const StageOf& stage, std::string_view name, Ledger& ledger) {
  const Given s{stage};
  if (s.after.at == boundary::p2g || s.after.at == boundary::forces) return scattered(s, name);
  if (s.after.at == boundary::collisions || s.after.at == boundary::friction)
    return at_contacts(s, s.after.at == boundary::friction, ledger);
  if (s.after.at == boundary::g2p) return gathered(s, name);
  return s.after.at == boundary::update ? moved(s, name) : returned(s, name);
}

}  // namespace repose::invariants
