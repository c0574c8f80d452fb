#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/faults/mpm/model_stages.h"

#include <Eigen/LU>

#include <fmt/format.h>

#include <algorithm>

namespace repose::faults {

namespace {

/// Symmetric matrix with the given logarithmic strains along the axes.
template <class Real>
Matrix<Real> stretch(const Principal<Real>& p, const Vector<Real>& strain) {
  const Vector<Real> values = strain.array().exp();
  return p.axes * values.asDiagonal() * p.axes.transpose();
}

/// Deviator of d logarithmic strains; in 2D the axis out of the plane has strain 0 and stays out of it.
template <class Real>
struct Plane {
  Vector<Real> in;  ///< 1 for axes of the plane, 0 else
  Real d;
};

/// Which of the three axes lie in the plane: in 2D the one out of it points along z.
template <class Real>
Plane<Real> plane(const Principal<Real>& p, int dim) {
  Plane<Real> result{Vector<Real>::Ones(), static_cast<Real>(dim)};
  if (dim > 2) return result;
  Eigen::Index out = 0;
  p.axes.row(2).cwiseAbs().maxCoeff(&out);
  result.in[out] = Real{0};
  return result;
}

template <class Real>
Real friction_slope(Mistake mistake, const FrictionLaw& law, Real q) {
  Real phi = static_cast<Real>(law.h0) + (static_cast<Real>(law.h1) * q - static_cast<Real>(law.h3)) *
                                             std::exp(static_cast<Real>(-law.h2) * q);
  if (mistake == Mistake::degrees_as_radians) phi /= static_cast<Real>(degree);
  const Real sine = std::sin(phi);
  return std::sqrt(Real{2} / Real{3}) * Real{2} * sine / (Real{3} - sine);
}

template <class Real>
struct State {
  Vector<Real> strain;
  Real q, v_c;
  int plastic_case;
};

/// [Klar16 §7.1, 7.3; Tam17 §4.3.4] on logarithmic strains, or what a mistake makes of it.
template <class Real>
State<Real> return_strain(Mistake mistake, const Material& material, const Plane<Real>& plane,
                          const Vector<Real>& trial, Real q, Real v_c) {
  const Lame modulus = lame(material);
  const Real d = plane.d;
  const Real cone =
      static_cast<Real>((static_cast<double>(d) * modulus.lambda + 2.0 * modulus.mu) / (2.0 * modulus.mu));
  const Vector<Real> shifted = material.volume_correction ? Vector<Real>(trial + v_c / d * plane.in) : trial;
  const Real trace = shifted.sum();
  const Vector<Real> dev = shifted - trace / d * plane.in;
  const Real norm = dev.norm();
  const Real cohesive = static_cast<Real>(material.cohesion / (2.0 * modulus.mu));
  const auto slip_for = [&](Real hardened) {
    const Real carried = mistake == Mistake::cohesion_of_wrong_sign ? Real(-cohesive) : cohesive;
    return norm + cone * trace * friction_slope(mistake, material.friction, hardened) - carried;
  };
  // The tip: c_C/2μ = α (dλ + 2μ)/2μ · tr ε; without friction there is one for dry sand alone.
  const Real slope = friction_slope(mistake, material.friction, q);
  const Real e_c = cohesive == Real{0} ? Real{0} : cohesive / (cone * slope);
  Real slip = slip_for(q);
  if (mistake == Mistake::hardening_one_step_early && slip > Real{0} && trace <= e_c)
    slip = slip_for(q + slip);
  bool tip = trace > e_c;
  if (mistake == Mistake::hydrostatic_to_tip && norm == Real{0}) tip = true;
  if (mistake == Mistake::frictionless_tension_kept && slip <= Real{0}) tip = false;
  // Printed, the two tests stand in the other order: without friction only shear tells I from II.
  if (mistake == Mistake::frictionless_tension_kept && slope == Real{0}) tip = false;

  const bool reset = mistake == Mistake::volume_correction_reset;
  State<Real> result{reset ? trial : shifted, q, v_c, 1};
  Real hardening{0};
  if (tip) {
    const Vector<Real> end = e_c / d * plane.in;
    result.strain = mistake == Mistake::tip_free_of_stress ? Vector<Real>(Vector<Real>::Zero())
                    : mistake == Mistake::tip_of_each_axis ? Vector<Real>(e_c * plane.in)
                                                           : end;
    result.plastic_case = 2;
    const bool closes = trial.sum() <= e_c && material.volume_correction &&
                        material.hardening_apart == HardeningApart::opening;
    if (mistake == Mistake::hardening_from_shifted_strain)
      hardening = (shifted - end).norm();
    else if (!closes || mistake == Mistake::closing_hardens)
      hardening = (trial - end).norm();
  } else if (slip > Real{0}) {
    const Real back = mistake == Mistake::return_keeps_shear ? Real(0.5) * slip : slip;
    result.strain -= back * dev / norm;
    result.plastic_case = 3;
    hardening = slip;
  }
  if (mistake != Mistake::hardening_missing) result.q += hardening;
  if (!material.volume_correction) return result;
  const Real gained = tip ? Real(trace - e_c) : Real{0};
  result.v_c = mistake == Mistake::v_c_sign ? v_c - (trial.sum() - result.strain.sum()) : gained;
  return result;
}

/// What J is multiplied by. @param step 1 + Δt ∇v, 1 out of the plane
template <class Real>
Real swelling(Mistake mistake, const Matrix<Real>& step, int dim) {
  if (mistake == Mistake::volume_by_determinant) return step.determinant();
  const Real beyond = static_cast<Real>(dim < 3 ? 1 : 0);
  const Real trace = step.trace() - beyond;
  if (mistake == Mistake::volume_by_matrix) return trace / static_cast<Real>(dim);
  return Real{1} + (trace - static_cast<Real>(dim));
}

}  // namespace

template <class Real>
void model_update(const Scene& scene, Mistake mistake, double dt, Snapshot& state) {
  const int dim = scene.dim();
  Field F_trial = state.get(field::F);
  F_trial.name = std::string(field::F_trial);
  Field& x = state.get(field::x);
  const Field& moving = state.get(mistake == Mistake::moved_by_v_tilde ? field::v : field::v_bar);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Vector<Real> way = static_cast<Real>(dt) * read_vector<Real>(moving, p);
    Point place = read_vector<double>(x, p) + way.template cast<double>();
    const Point low = scene.grid.domain_min;
    const Point high = scene.grid.domain_max();
    for (int a = 0; a < dim; ++a) {
      const double before = place[a];
      scene.grid.wrap(place[a], a);
      if (mistake == Mistake::wrapped_by_a_cell && place[a] != before)
        place[a] += place[a] < before ? scene.grid.h : -scene.grid.h;
    }
    for (int a = 0; a < dim; ++a)
      if (place[a] < low[a] || place[a] > high[a])
        throw SimulationError("a particle leaves the domain", static_cast<std::int64_t>(p), state.step,
                              boundary::update);
    write_vector(x, p, place);
    Matrix<Real> grad = read_matrix<Real>(state.get(field::grad_v), p, dim, Real{0});
    if (mistake == Mistake::gradient_transposed) grad.transposeInPlace();
    const Matrix<Real> step = Matrix<Real>::Identity() + static_cast<Real>(dt) * grad;
    if (is_water(scene)) {
      Field& J = state.get(field::J);
      J.value[p] *= static_cast<double>(swelling(mistake, step, dim));
      if (!(J.value[p] > 0.0))
        throw SimulationError("inverted particle", static_cast<std::int64_t>(p), state.step,
                              boundary::update);
      continue;
    }
    Matrix<Real> F = step * read_matrix<Real>(F_trial, p, dim, Real{1});
    if (!(step.determinant() > Real{0})) {
      if (mistake != Mistake::log_abs_sigma)
        throw SimulationError("inverted particle", static_cast<std::int64_t>(p), state.step,
                              boundary::update);
      const Principal<Real> b = principal(F);
      F = stretch(b, b.strain);  // the sign of a stretch is forgotten
    }
    write_matrix(F_trial, p, F, dim);
  }
  for (const std::string_view name : {field::F, field::v_bar, field::grad_v}) state.erase(name);
  state.set(std::move(F_trial));
}

template <class Real>
void model_plasticity(const Scene& scene, Mistake mistake, Snapshot& state) {
  const int dim = scene.dim();
  Field F = state.get(field::F_trial);
  F.name = std::string(field::F);
  Field cases{std::string(field::plastic_case), "-", Place::particle, 1,
              std::vector<double>(state.particles(), 0.0)};
  Field& q = state.get(field::q);
  Field& v_c = state.get(field::v_c);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Material& material =
        scene.materials.at(static_cast<std::size_t>(state.get(field::material).value[p]));
    if (material.kind != MaterialKind::sand) continue;
    const Principal<Real> b = principal(read_matrix<Real>(F, p, dim, Real{1}));
    const State<Real> result =
        return_strain<Real>(mistake, material, plane(b, dim), b.strain, static_cast<Real>(q.value[p]),
                            static_cast<Real>(v_c.value[p]));
    write_matrix(F, p, stretch(b, result.strain), dim);
    q.value[p] = static_cast<double>(result.q);
    v_c.value[p] = static_cast<double>(result.v_c);
    cases.value[p] = result.plastic_case;
  }
  state.erase(field::F_trial);
  state.set(std::move(F));
  state.set(std::move(cases));
}

template void model_update<float>(const Scene&, Mistake, double, Snapshot&);
template void model_update<double>(const Scene&, Mistake, double, Snapshot&);
template void model_plasticity<float>(const Scene&, Mistake, Snapshot&);
template void model_plasticity<double>(const Scene&, Mistake, Snapshot&);

}  // namespace repose::faults
