#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/return_bounds.h"
#include "validation/crosscheck/mpm/stage_bounds.h"
#include "validation/crosscheck/mpm/water_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/strain.h"

#include <algorithm>

namespace repose::crosscheck {

namespace {

bool is_strain(std::string_view name) { return name == field::F || name == field::F_trial; }

/// Norm of the error that a function f of a symmetric matrix X adds where ε is stored: up to ‖X‖ = ¼ a series in X, whose
/// first term is the largest, is known relative to its sum; beyond, the eigenvectors lose 16 roundings of X, which f
/// passes on by no more than its largest slope, and putting the matrix together 16 of the result.
double of_function(const Arithmetic& arithmetic, double X, double f, double slope) {
  return X <= 0.25 ? arithmetic.of_strain(4.0) * f : arithmetic.of_strain(16.0) * (f + slope * X);
}

/// ‖δε̂‖ of solvers that store ε: they follow the stretch less 1, which is as small as the strain,
///
///     X = e^{2ε} − 1,   X̂ = B X Bᵀ + A + Aᵀ + A Aᵀ,   ε̂ = ½ ln(1 + X̂),   A = Δt ∇v,   B = 1 + A
///
/// Δt, A and B take a rounding each, a product of d×d matrices d, and the sums three: 2d + 6 at most in a row, relative to
/// M = (1 + ‖A‖)² ‖X‖ + 2‖A‖ + ‖A‖². A change of X̂ moves ½ ln(1 + X̂) by at most 1/(2 b̂_min) of it.
double followed_strain(const Arithmetic& arithmetic, const Strain& before, const Strain& trial, double A,
                       int dim) {
  const double B2 = (1.0 + A) * (1.0 + A);
  const double largest = before.condition * before.smallest;
  const double M = B2 * before.stretch + 2.0 * A + A * A;
  const double X_error = B2 * of_function(arithmetic, 2.0 * before.log.norm(), before.stretch, largest) +
                         arithmetic.of_strain(2.0 * dim + 6.0) * M;
  return 0.5 * X_error / trial.smallest +
         of_function(arithmetic, trial.stretch, trial.log.norm(), 1.0 / trial.smallest) +
         arithmetic.of_strain(1.0) * trial.log.norm();
}

}  // namespace

FieldBound stored_bound(const Scene& scene, const Arithmetic& arithmetic, const Field& stored) {
  FieldBound result{.field = stored.name, .bound = std::vector<Bound>(stored.value.size())};
  const int dim = scene.dim();
  if (is_strain(stored.name)) {
    const auto size = static_cast<std::size_t>(dim * dim);
    for (std::size_t p = 0; p * size < stored.value.size(); ++p) {
      const Tensor F = tensor(stored, p, dim);
      const Strain s = strain(F, dim);
      // What is loaded as F = 1 is the strain 0 in every solver, and comes back as 1.
      const double error = F == identity(dim) ? 0.0
                                              : error_of_forming(arithmetic, F, s, dim) +
                                                    arithmetic.of_strain(1.0) * s.log.norm();
      for (std::size_t a = 0; a < size; ++a) result.bound[p * size + a].carried = error;
    }
    return result;
  }
  if (stored.name == field::J) {
    for (std::size_t p = 0; p < stored.value.size(); ++p)
      result.bound[p] = stored_volume_bound(arithmetic, stored.value[p]);
    return result;
  }
  if (stored.name == field::material) return result;  // small whole numbers: any precision holds them
  for (std::size_t i = 0; i < stored.value.size(); ++i) {
    if (stored.name == field::x) {
      result.bound[i].position = arithmetic.position;
      continue;
    }
    // Momenta may be kept as velocities and mass: three roundings, there and back.
    result.bound[i].rounding = arithmetic.g(3.0) * std::abs(stored.value[i]);
    result.bound[i].underflow = arithmetic.smallest;
  }
  return result;
}

std::vector<FieldBound> update_bounds(const Stage& stage) {
  const int dim = stage.scene.dim();
  const auto d = static_cast<std::size_t>(dim);
  const Arithmetic& arithmetic = stage.arithmetic;
  const Field& x = stage.after.get(field::x);
  const Field& v_bar = stage.before.get(field::v_bar);
  const Field& grad_v = stage.before.get(field::grad_v);
  const Field& F = stage.before.get(field::F);
  const Field& F_trial = stage.after.get(field::F_trial);
  FieldBound position{.field = std::string(field::x), .bound = std::vector<Bound>(x.value.size())};
  FieldBound deformation{.field = std::string(field::F_trial), .bound = std::vector<Bound>(F.value.size())};
  for (std::size_t p = 0; p < stage.before.particles(); ++p) {
    const double v_error = carried_norm(stage.carried, field::v_bar, p, dim);
    for (std::size_t a = 0; a < d; ++a) {
      Bound& bound = position.bound[p * d + a];
      bound.rounding = arithmetic.g(3.0) * stage.dt * std::abs(v_bar.value[p * d + a]);
      bound.position = 2.0 * arithmetic.position;  // of the old position and of the new one
      bound.carried = stage.dt * v_error;
    }
    if (is_water(stage.scene)) continue;  // F stays 1
    // Of solvers that store F: F̂ = (1 + Δt∇v) F, or b̂ = (1 + Δt∇v) b (1 + Δt∇v)ᵀ: two products of d×d matrices and the
    // sums.
    const Tensor step = identity(dim) + stage.dt * tensor(grad_v, p, dim);
    const Tensor before = tensor(F, p, dim);
    const Tensor after = tensor(F_trial, p, dim);
    const Strain trial = strain(after, dim);
    const double b_max = (after * after.transpose()).norm();
    const double growth = step.squaredNorm() * before.squaredNorm() / b_max;
    const double grad_error = carried_norm(stage.carried, field::grad_v, p, dim * dim);
    Bound bound;
    const double A = stage.dt * tensor(grad_v, p, dim).norm();
    bound.rounding = arithmetic.of_F(4.0 * dim + 8.0) * growth * trial.condition +
                     followed_strain(arithmetic, strain(before, dim), trial, A, dim);
    bound.carried = arithmetic.from_F(strain_roundings(dim)) * trial.condition +
                    stage.dt * grad_error * step.norm() * before.squaredNorm() / b_max * trial.condition +
                    carried_norm(stage.carried, field::F, p, dim * dim) * growth * trial.condition;
    for (std::size_t a = 0; a < d * d; ++a) deformation.bound[p * d * d + a] = bound;
  }
  return {position, deformation, volume_bounds(stage)};
}

std::vector<FieldBound> plasticity_bounds(const Stage& stage, Counters& counters) {
  const int dim = stage.scene.dim();
  const auto size = static_cast<std::size_t>(dim * dim);
  const std::size_t particles = stage.before.particles();
  const Field& F_trial = stage.before.get(field::F_trial);
  FieldBound F{.field = std::string(field::F), .bound = std::vector<Bound>(F_trial.value.size())};
  FieldBound q{.field = std::string(field::q), .bound = std::vector<Bound>(particles)};
  FieldBound v_c{.field = std::string(field::v_c), .bound = std::vector<Bound>(particles)};
  // Case numbers may differ only where rounding decides; then by any amount.
  FieldBound cases{.field = std::string(field::plastic_case), .bound = std::vector<Bound>(particles)};
  for (std::size_t p = 0; p < particles; ++p) {
    const auto index = static_cast<std::size_t>(stage.before.get(field::material).value.at(p));
    const Material& material = stage.scene.materials.at(index);
    const Tensor F_hat = tensor(F_trial, p, dim);
    const Strain hat = strain(F_hat, dim);
    const TrialState trial{.strain = hat,
                           .formed = error_of_forming(stage.arithmetic, F_hat, hat, dim),
                           .strain_error = carried_norm(stage.carried, field::F_trial, p, dim * dim),
                           .q = stage.before.get(field::q).value[p],
                           .q_error = carried_norm(stage.carried, field::q, p, 1),
                           .v_c = stage.before.get(field::v_c).value[p],
                           .v_c_error = carried_norm(stage.carried, field::v_c, p, 1)};
    ReturnBound returned;
    if (material.kind == MaterialKind::water) {
      counters["water"] += 1.0;
    } else if (material.kind == MaterialKind::elastic) {
      counters["elastic"] += 1.0;
      returned.strain.carried = trial.strain_error;
      returned.strain.rounding = stage.arithmetic.from_F(strain_roundings(dim)) * hat.condition +
                                 stage.arithmetic.of_strain(1.0) * hat.log.norm();
      returned.q.rounding = stage.arithmetic.g(1.0) * std::abs(trial.q);
      returned.v_c.rounding = stage.arithmetic.g(1.0) * std::abs(trial.v_c);
    } else {
      returned = return_bound(stage.arithmetic, material, trial, dim);
    }
    for (std::size_t a = 0; a < size; ++a) F.bound[p * size + a] = returned.strain;
    q.bound[p] = returned.q;
    v_c.bound[p] = returned.v_c;
    if (returned.undecided) {
      cases.bound[p].tie = 3.0;
      counters["undecided plastic case"] += 1.0;
      if (returned.strainless) counters["undecided for want of strain"] += 1.0;
    }
    if (returned.undecided_hardening) counters["undecided hardening"] += 1.0;
    if (trial.v_c > 0.0 && material.volume_correction) counters["volume correction"] += 1.0;
  }
  return {F, q, v_c, cases};
}

std::vector<FieldBound> stage_bounds(const Stage& stage, Counters& counters) {
  const Boundary at = stage.after.at;
  if (at == boundary::p2g) return p2g_bounds(stage);
  if (at == boundary::forces) return force_bounds(stage, counters);
  if (at == boundary::collisions) return collision_bounds(stage, counters);
  if (at == boundary::friction) return friction_bounds(stage, counters);
  if (at == boundary::g2p) return g2p_bounds(stage);
  if (at == boundary::update) return update_bounds(stage);
  return plasticity_bounds(stage, counters);
}

}  // namespace repose::crosscheck
