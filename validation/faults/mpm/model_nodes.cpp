#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/faults/mpm/model_stages.h"
#include "validation/mechanics/water.h"

#include <Eigen/LU>

#include <algorithm>
#include <unordered_map>

namespace repose::faults {

namespace {

struct Touched {
  const Collider* body;
  Point dv, normal, v_b;
};

/// v* through all bodies in turn; distances in double, as positions of nodes are.
template <class Real>
Vector<Real> collide(const Scene& scene, Mistake mistake, const Point& x, double time, double dt,
                     Vector<Real> v, std::vector<Touched>& touched) {
  Grid grid = scene.grid;
  if (mistake == Mistake::bodies_without_images) grid.periodic = {};
  std::vector<const Collider*> bodies;
  for (const Collider& body : scene.colliders) bodies.push_back(&body);
  if (mistake == Mistake::last_collider_ignored && !bodies.empty()) bodies.pop_back();
  if (mistake == Mistake::walls_as_one_distance && bodies.size() > 1) {
    bodies = {*std::min_element(bodies.begin(), bodies.end(), [&](const Collider* a, const Collider* b) {
      return signed_distance(*a, x, time, grid).phi < signed_distance(*b, x, time, grid).phi;
    })};
  }
  for (const Collider* body : bodies) {
    const double now = signed_distance(*body, x, time, grid).phi;
    // On the surface is inside, whatever rounding makes of it.
    const bool inside =
        mistake == Mistake::surface_outside ? now < 0.0 : now <= surface_tolerance * scene.grid.h;
    Contact contact = body->contact;
    if (mistake == Mistake::slipping_as_separating && contact == Contact::slipping)
      contact = Contact::separating;
    const Point v_b = rigid_velocity(*body, x, time, dt, grid);
    if (contact == Contact::sticky) {
      if (!inside) continue;
      v = (mistake == Mistake::sticky_without_spin ? body->velocity : v_b).template cast<Real>();
      if (mistake != Mistake::friction_under_sticky) touched.clear();
      continue;
    }
    const Point x_bar = x + dt * v.template cast<double>();
    const double later = mistake == Mistake::body_at_old_time ? time : time + dt;
    const Distance next = signed_distance(*body, x_bar, later, grid);
    const double target = contact == Contact::separating ? std::min(now, 0.0) : now;
    if (contact == Contact::separating ? next.phi >= target : !inside) continue;
    const Point dv = -(next.phi - target) / dt * next.normal;
    v += dv.cast<Real>();
    touched.push_back({body, dv, next.normal, v_b});
  }
  return v;
}

template <class Real>
Vector<Real> rub(Mistake mistake, const Touched& touch, Vector<Real> v) {
  double mu = touch.body->friction;
  if (mistake == Mistake::friction_coefficient_squared) mu *= mu;
  const bool push_only = touch.body->friction_from_push_only || mistake == Mistake::friction_of_pull_dropped;
  const double push = push_only ? std::max(0.0, touch.normal.dot(touch.dv)) : touch.dv.norm();
  const Real limit = static_cast<Real>(mu * push);
  if (!(limit > Real{0})) return v;
  const Vector<Real> n = touch.normal.template cast<Real>();
  const Vector<Real> v_b = mistake == Mistake::friction_absolute_velocity
                               ? Vector<Real>(Vector<Real>::Zero())
                               : Vector<Real>(touch.v_b.template cast<Real>());
  const Vector<Real> relative = v - v_b;
  const Real along = n.dot(relative);
  const Vector<Real> across = relative - along * n;
  const Real speed = across.norm();
  if (speed == Real{0}) return v;
  const bool sticks = (speed <= limit) != (mistake == Mistake::friction_branches_swapped);
  return sticks ? Vector<Real>(v_b + along * n) : Vector<Real>(v - limit * across / speed);
}

}  // namespace

/// [Tam17 Eq.7–10] for one particle of sand: principal stresses, or what a mistake makes of them. In 2D the strain out of the
/// plane is 0, stays out of the deviator and has no say.
template <class Real>
Vector<Real> unilateral_stress(Mistake mistake, const Material& material, const Principal<Real>& b, int dim,
                               Real q, const Vector<Real>& hencky) {
  const Unilateral& of = *material.unilateral;
  const Lame modulus = lame(material);
  Vector<Real> in = Vector<Real>::Ones();
  if (dim < 3) {
    Eigen::Index out = 0;
    b.axes.row(2).cwiseAbs().maxCoeff(&out);
    in[out] = Real{0};
  }
  const Real d = static_cast<Real>(dim);
  const Real unit = static_cast<Real>(of.strain_unit);
  const Real width = static_cast<Real>(of.b - of.a);
  Real shift = static_cast<Real>(of.s_C.value_or(0.0));
  if (!of.s_C && material.cohesion > 0.0) {
    const Real phi = static_cast<Real>(material.friction.h0) +
                     (static_cast<Real>(material.friction.h1) * q - static_cast<Real>(material.friction.h3)) *
                         std::exp(static_cast<Real>(-material.friction.h2) * q);
    const Real sine = std::sin(phi);
    const Real alpha = std::sqrt(Real{2} / Real{3}) * Real{2} * sine / (Real{3} - sine);
    const Real stiffness = static_cast<Real>(dim * modulus.lambda + 2.0 * modulus.mu);
    shift = static_cast<Real>(material.cohesion) / (alpha * stiffness * std::sqrt(d) * unit);
  }
  if (mistake == Mistake::multiplier_unshifted) shift = Real{0};
  const Real trace = b.strain.sum();
  const Vector<Real> w = (b.strain - trace / d * in) / unit;
  const Real v = w.norm();
  const Real v3 = v * v * v;
  const Real sign = mistake == Mistake::multiplier_closes ? Real{-1} : Real{1};
  const Real c0 = sign * static_cast<Real>(of.c0);
  const Real z =
      (trace / (std::sqrt(d) * unit) + c0 * v * v3 / (Real{1} + v3) - static_cast<Real>(of.a) - shift) /
      width;
  const Real rest = Real{1} - z;
  const bool falls = z > Real{0} && rest > Real{0};
  Real h = falls          ? rest * rest * rest * (Real{1} + z * (Real{3} + Real{6} * z))
           : z <= Real{0} ? Real{1}
                          : Real{0};
  Real h_z = falls ? Real{-30} * z * z * rest * rest : Real{0};
  if (mistake == Mistake::multiplier_reversed) {
    h = Real{1} - h;
    h_z = -h_z;
  }
  if (mistake == Mistake::multiplier_without_slope) h_z = Real{0};
  const Real per_v = c0 * v * v * (Real{4} + v3) / ((Real{1} + v3) * (Real{1} + v3));
  const Vector<Real> z_eps = (in / std::sqrt(d) + per_v * w) / (width * unit);
  const Real psi = static_cast<Real>(modulus.mu) * b.strain.squaredNorm() +
                   Real(0.5) * static_cast<Real>(modulus.lambda) * trace * trace;
  return h * hencky + psi * h_z * z_eps;
}

/// p J of water, or what a mistake makes of it.
template <class Real>
Real water_stress(Mistake mistake, Material water, Real J) {
  if (mistake == Mistake::pressure_without_gamma) water.water_gamma = 1.0;
  if (mistake == Mistake::tension_kept) water.water_tension = true;
  const Real p = mechanics::water_pressure(water, J);
  if (mistake == Mistake::pressure_sign) return -p * J;
  return mistake == Mistake::pressure_without_volume ? p : Real(p * J);
}

template <class Real>
void model_forces(const Scene& scene, Mistake mistake, double dt, Snapshot& state) {
  const int dim = scene.dim();
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) places.emplace(state.ids(Place::node)[n], n);
  std::vector<Vector<Real>> impulse(state.count(Place::node), Vector<Real>::Zero());
  const Real sign = mistake == Mistake::gradient_sign ? Real{1} : Real{-1};
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Matrix<Real> F = read_matrix<Real>(state.get(field::F), p, dim, Real{1});
    const Principal<Real> b = principal(F);
    const Material& material =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p]));
    const Real J = static_cast<Real>(state.get(field::J).value[p]);
    const Lame modulus = lame(material);
    // In 2D the third axis has stress but no gradient.
    Vector<Real> tau = Real{2} * static_cast<Real>(modulus.mu) * b.strain +
                       Vector<Real>::Constant(static_cast<Real>(modulus.lambda) * b.strain.sum());
    if (material.kind == repose::MaterialKind::sand && mpm_options(scene).energy == Energy::unilateral)
      tau = unilateral_stress<Real>(mistake, material, b, dim,
                                    static_cast<Real>(state.get(field::q).value[p]), tau);
    Matrix<Real> stress = b.axes * tau.asDiagonal() * b.axes.transpose();
    if (material.kind == repose::MaterialKind::water)
      stress = -water_stress(mistake, material, J) * Matrix<Real>::Identity();
    if (mistake == Mistake::stress_without_ft) stress = stress * F.inverse().transpose();
    Real volume = static_cast<Real>(state.get(field::volume).value[p]);
    if (mistake == Mistake::current_volume) volume *= F.determinant() * J;
    const auto near = neighbourhood<Real>(scene, mistake, read_vector<double>(state.get(field::x), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(near.size); ++n)
      if (const auto place = places.find(near.node[n]); place != places.end())
        impulse[place->second] += sign * static_cast<Real>(dt) * volume * (stress * near.grad[n]);
  }
  Field star = state.get(field::p_i);
  star.name = std::string(field::p_star);
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const Real m = static_cast<Real>(state.get(field::m_i).value[n]);
    Vector<Real> weight = m * static_cast<Real>(dt) * scene.gravity.cast<Real>();
    if (mistake == Mistake::gravity_once && n + 1 == state.count(Place::node)) weight.setZero();
    write_vector(star, n, Vector<Real>(read_vector<Real>(star, n) + impulse[n] + weight));
  }
  state.set(std::move(star));
}

template <class Real>
void model_collisions(const Scene& scene, Mistake mistake, double dt, Snapshot& state) {
  Field bar = state.get(field::p_star);
  bar.name = std::string(field::p_bar);
  std::vector<Touched> touched;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const Real m = static_cast<Real>(state.get(field::m_i).value[n]);
    const Vector<Real> v_star = read_vector<Real>(bar, n) / m;
    touched.clear();
    write_vector(bar, n,
                 Vector<Real>(m * collide(scene, mistake, scene.grid.node_position(state.ids(Place::node)[n]),
                                          state.time, dt, v_star, touched)));
  }
  state.set(std::move(bar));
}

template <class Real>
void model_friction(const Scene& scene, Mistake mistake, double dt, Snapshot& state) {
  Field tilde = state.get(field::p_bar);
  tilde.name = std::string(field::p_tilde);
  std::vector<Touched> touched;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const Real m = static_cast<Real>(state.get(field::m_i).value[n]);
    touched.clear();
    const Vector<Real> v_star = read_vector<Real>(state.get(field::p_star), n) / m;
    collide(scene, mistake, scene.grid.node_position(state.ids(Place::node)[n]), state.time, dt, v_star,
            touched);
    Vector<Real> v = read_vector<Real>(tilde, n) / m;
    for (const Touched& touch : touched) v = rub(mistake, touch, v);
    write_vector(tilde, n, Vector<Real>(m * v));
  }
  state.set(std::move(tilde));
}

template void model_forces<float>(const Scene&, Mistake, double, Snapshot&);
template void model_forces<double>(const Scene&, Mistake, double, Snapshot&);
template void model_collisions<float>(const Scene&, Mistake, double, Snapshot&);
template void model_collisions<double>(const Scene&, Mistake, double, Snapshot&);
template void model_friction<float>(const Scene&, Mistake, double, Snapshot&);
template void model_friction<double>(const Scene&, Mistake, double, Snapshot&);

}  // namespace repose::faults
