#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/stage_bounds.h"
#include "validation/crosscheck/mpm/stress_bounds.h"
#include "validation/crosscheck/mpm/water_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"

#include <algorithm>

namespace repose::crosscheck {

namespace {

/// Roundings inside one weight: per axis an offset from the cell (2), its power (2) and a factor (1), then the product
/// over axes (d − 1). Gradients have one factor 1/h more.
double weight_roundings(int dim) { return 6.0 * dim; }

/// Roundings inside the affine part: v + C (x_i − x_p) takes d offsets, d products and d sums per component, and the
/// products with m and w.
double affine_roundings(int dim) { return 3.0 * dim + 3.0; }

double max_norm(const Field& field) {
  double result = 0.0;
  const std::size_t count = field.value.size() / static_cast<std::size_t>(field.components);
  for (std::size_t p = 0; p < count; ++p) {
    double sum = 0.0;
    for (const double value : element(field, p)) sum += value * value;
    result = std::max(result, std::sqrt(sum));
  }
  return result;
}

/// Rounding, slope and underflow of a sum the reference kept.
/// @param underflow_scale what a lost term is multiplied by after it underflows
FieldBound sum_bound(const Stage& stage, std::string_view name, const Sums& sums, double roundings,
                     double underflow_scale) {
  const auto components = static_cast<std::size_t>(stage.after.get(name).components);
  const Arithmetic& arithmetic = stage.arithmetic;
  FieldBound result{.field = std::string(name), .bound = std::vector<Bound>(sums.magnitude.size())};
  for (std::size_t i = 0; i < result.bound.size(); ++i) {
    const double terms = static_cast<double>(sums.terms.at(i / components));
    result.bound[i].rounding = arithmetic.g(terms + roundings) * sums.magnitude[i];
    result.bound[i].position = arithmetic.position * sums.slope.at(i);
    result.bound[i].underflow = terms * arithmetic.smallest * underflow_scale;
  }
  return result;
}

FieldBound sum_bound(const Stage& stage, std::string_view name, double roundings, double underflow_scale) {
  return sum_bound(stage, name, stage.reference.sums(name), roundings, underflow_scale);
}

}  // namespace

std::vector<FieldBound> p2g_bounds(const Stage& stage) {
  const int dim = stage.scene.dim();
  const double h = stage.scene.grid.h;
  const double reach = support(mpm_options(stage.scene).kernel) * h;
  const double speed = max_norm(stage.before.get(field::v)) +
                       std::sqrt(static_cast<double>(dim)) * max_norm(stage.before.get(field::C)) * reach;
  const double k = weight_roundings(dim) + affine_roundings(dim);
  const Sums sums = stage.reference.sums(field::m_i);
  FieldBound mass = sum_bound(stage, field::m_i, sums, k, 1.0);
  FieldBound momentum = sum_bound(stage, field::p_i, k, 1.0 + speed);
  // What is second order in δx: every term's factor, without its weight, is at most the largest particle's.
  const double dx_over_h = stage.arithmetic.position / h;
  const double bend = weight_bend(dim) * dx_over_h * dx_over_h * max_norm(stage.before.get(field::mass));
  for (std::size_t n = 0; n < mass.bound.size(); ++n) {
    mass.bound[n].position += sums.terms[n] * bend;
    for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a)
      momentum.bound[n * static_cast<std::size_t>(dim) + a].position += sums.terms[n] * bend * speed;
  }
  return {mass, momentum};
}

std::vector<FieldBound> force_bounds(const Stage& stage, Counters& counters) {
  const int dim = stage.scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const double h = stage.scene.grid.h;
  const Arithmetic& arithmetic = stage.arithmetic;
  const Field& mass = stage.after.get(field::m_i);
  const Field& momentum = stage.before.get(field::p_i);
  const Field& star = stage.after.get(field::p_star);
  // A term: gradient, V⁰ and Δt, contraction over d axes; and τ from ε: 2μ ε + λ tr ε takes d + 3, its matrix from
  // principal values d + 2; of the unilateral energy also the products with h and ψ and their sum. The error of ε itself, and
  // of h, is bounded apart, below.
  const double of_energy = mpm_options(stage.scene).energy == Energy::unilateral ? 6.0 : 0.0;
  const double of_law = is_water(stage.scene) ? water_stress_roundings : 2.0 * dim + 5.0 + of_energy;
  FieldBound result = sum_bound(stage, field::p_star, weight_roundings(dim) + dim + 4.0 + of_law, 1.0);
  const auto places = node_places(stage.after);
  const double bend = gradient_bend(mpm_options(stage.scene).kernel, dim, arithmetic.position / h) / h;
  const std::size_t particles = stage.before.particles();
  for (std::size_t p = 0; p < particles; ++p) {
    const StressError stress = stress_error(stage.scene, arithmetic, stage.before, p);
    const double impulse = stage.dt * stage.before.get(field::volume).value.at(p);
    const Stencil s = stencil(stage.scene, point(stage.before.get(field::x), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(s.size); ++n) {
      const auto place = places.find(s.node[n]);
      if (place == places.end()) continue;
      for (std::size_t a = 0; a < d; ++a) {
        Bound& bound = result.bound.at(place->second * d + a);
        bound.carried += impulse * stress.error * s.grad[n].lpNorm<1>();
        bound.position += impulse * stress.magnitude * bend;
      }
    }
  }
  const double lost = static_cast<double>(particles) * arithmetic.smallest;
  for (std::size_t n = 0; n < stage.after.count(Place::node); ++n) {
    const double mass_error = carried_norm(stage.carried, field::m_i, n, 1);
    for (std::size_t a = 0; a < d; ++a) {
      const std::size_t i = n * d + a;
      const double weight =
          mass.value[n] * std::abs(stage.scene.gravity[static_cast<Eigen::Index>(a)]) * stage.dt;
      result.bound[i].rounding +=
          arithmetic.g(4.0) * (std::abs(momentum.value[i]) + weight + std::abs(star.value[i]));
      result.bound[i].carried += carried_norm(stage.carried, field::p_i, n, dim) +
                                 mass_error * stage.scene.gravity.norm() * stage.dt;
      // Where the mass may round to zero, the impulse is dropped [ERRATA K25].
      if (mass.value[n] <= lost) result.bound[i].underflow += std::abs(star.value[i]);
    }
    if (mass.value[n] <= lost) counters["nodes that may vanish"] += 1.0;
  }
  return {result};
}

std::vector<FieldBound> g2p_bounds(const Stage& stage) {
  const int dim = stage.scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const double h = stage.scene.grid.h;
  const Arithmetic& arithmetic = stage.arithmetic;
  const bool affine = mpm_options(stage.scene).transfer == Transfer::apic;
  // v = p/m (2), weight, product; C has offset, product and 1/D more; FLIP a second velocity and the blend.
  const double k = weight_roundings(dim) + 4.0;
  std::vector<FieldBound> result{sum_bound(stage, field::v_bar, k, 1.0),
                                 sum_bound(stage, field::grad_v, k + 1.0, 1.0 / h),
                                 sum_bound(stage, field::v, k + 6.0, 1.0)};
  if (affine)
    result.push_back(sum_bound(stage, field::C, k + 4.0, 1.0 / h));
  else
    result.push_back({std::string(field::C), std::vector<Bound>(stage.after.get(field::C).value.size())});

  // Second order in δx, and errors of the nodes' velocities from earlier stages of the same run.
  const auto places = node_places(stage.before);
  const Field& mass = stage.before.get(field::m_i);
  const Field& initial = stage.before.get(field::p_i);
  const bool after_friction = mpm_options(stage.scene).motion == ParticleMotion::after_friction;
  const std::string_view moving = after_friction ? field::p_tilde : field::p_bar;
  const Field& bar = stage.before.get(moving);
  const Field& tilde = stage.before.get(field::p_tilde);
  const double dx_over_h = arithmetic.position / h;
  const double bend = weight_bend(dim) * dx_over_h * dx_over_h;
  const double grad_bend = gradient_bend(mpm_options(stage.scene).kernel, dim, dx_over_h) / h;
  const double inverse_d = (mpm_options(stage.scene).kernel == Kernel::quadratic ? 4.0 : 3.0) / (h * h);
  const double reach = support(mpm_options(stage.scene).kernel) * h;
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const Stencil s = stencil(stage.scene, point(stage.before.get(field::x), p));
    double bar_sum = 0.0;
    double tilde_sum = 0.0;
    double bar_error = 0.0;
    double grad_error = 0.0;
    double tilde_error = 0.0;
    for (std::size_t n = 0; n < static_cast<std::size_t>(s.size); ++n) {
      const auto place = places.find(s.node[n]);
      if (place == places.end()) continue;
      const std::size_t i = place->second;
      const double m = mass.value[i];
      const double mass_error = carried_norm(stage.carried, field::m_i, i, 1) / m;
      const double v_bar = point(bar, i).norm() / m;
      const double v_tilde = point(tilde, i).norm() / m;
      const double v_initial = affine ? 0.0 : point(initial, i).norm() / m;
      bar_sum += v_bar;
      tilde_sum += v_tilde + v_initial;
      const double e_bar = carried_norm(stage.carried, moving, i, dim) / m + mass_error * v_bar;
      const double e_tilde = carried_norm(stage.carried, field::p_tilde, i, dim) / m + mass_error * v_tilde +
                             (affine ? 0.0 : carried_norm(stage.carried, field::p_i, i, dim) / m);
      bar_error += s.w[n] * e_bar;
      grad_error += s.grad[n].lpNorm<1>() * e_bar;
      tilde_error += s.w[n] * e_tilde;
    }
    for (std::size_t a = 0; a < d; ++a) {
      result[0].bound[p * d + a].position += bend * bar_sum;
      result[0].bound[p * d + a].carried += bar_error;
      result[2].bound[p * d + a].position += bend * tilde_sum;
      result[2].bound[p * d + a].carried += tilde_error;
      for (std::size_t b = 0; b < d; ++b) {
        const std::size_t i = (p * d + a) * d + b;
        result[1].bound[i].position += grad_bend * bar_sum;
        result[1].bound[i].carried += grad_error;
        if (!affine) continue;
        result[3].bound[i].position += bend * tilde_sum * inverse_d * reach;
        result[3].bound[i].carried += tilde_error * inverse_d * reach;
      }
    }
  }
  return result;
}

std::vector<Bound> absent_node_bound(const Scene& scene, const Arithmetic& arithmetic, double dt,
                                     const Snapshot& particles, std::int64_t node, std::string_view name) {
  const int dim = scene.dim();
  const double h = scene.grid.h;
  const double reach = support(mpm_options(scene).kernel) * h + 2.0 * arithmetic.position;
  const Point x_i = scene.grid.node_position(node);
  const double dx_over_h = arithmetic.position / h;
  const double weight = weight_bend(dim) * dx_over_h * dx_over_h;
  const double grad = gradient_bend(mpm_options(scene).kernel, dim, dx_over_h) / h;
  Bound bound;
  for (std::size_t p = 0; p < particles.particles(); ++p) {
    const Point offset = scene.grid.nearest(x_i - point(particles.get(field::x), p));
    if (in_dimensions(offset, dim).cwiseAbs().maxCoeff() > reach) continue;
    const double mass = particles.get(field::mass).value[p];
    double C_norm = 0.0;
    for (const double value : element(particles.get(field::C), p)) C_norm += std::abs(value);
    const double speed = point(particles.get(field::v), p).norm() + C_norm * reach;
    const bool is_mass = name == field::m_i;
    bound.position += weight * mass * (is_mass ? 1.0 : speed);
    bound.underflow += arithmetic.smallest * (is_mass ? 1.0 : 1.0 + speed);
    if (is_mass || name == field::p_i) continue;
    const StressError stress = stress_error(scene, arithmetic, particles, p);
    bound.position += dt * particles.get(field::volume).value[p] * stress.magnitude * grad +
                      dt * weight * mass * scene.gravity.norm();
  }
  return std::vector<Bound>(name == field::m_i ? 1 : static_cast<std::size_t>(dim), bound);
}

}  // namespace repose::crosscheck
