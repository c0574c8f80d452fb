#include "validation/metrics/elastic_state.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/mechanics/principal.h"
#include "validation/mechanics/strain.h"
#include "validation/mechanics/unilateral.h"
#include "validation/mechanics/water.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose::experiments {

namespace {

template <int d>
PrincipalStrain principal(const double* values) {
  const Eigen::Map<const Eigen::Matrix<double, d, d, Eigen::RowMajor>> F(values);
  const auto found = mechanics::principal<double, d>(F);
  if (!(found.squared[0] > 0.0))
    throw std::invalid_argument(fmt::format("F Fᵀ has the eigenvalue {}", found.squared[0]));
  PrincipalStrain strain;
  strain.dim = d;
  const Vec<d> rising = found.strain();
  for (int axis = 0; axis < d; ++axis) strain.eps[static_cast<std::size_t>(axis)] = rising[d - 1 - axis];
  return strain;
}

}  // namespace

double PrincipalStrain::trace() const { return eps[0] + eps[1] + (dim == 3 ? eps[2] : 0.0); }

double PrincipalStrain::deviator_norm() const {
  const double mean = trace() / dim;
  double squares = 0.0;
  for (int axis = 0; axis < dim; ++axis) {
    const double part = eps[static_cast<std::size_t>(axis)] - mean;
    squares += part * part;
  }
  return std::sqrt(squares);
}

PrincipalStrain principal_strain(const Field& F, std::size_t particle, int dim) {
  const double* values = F.value.data() + particle * static_cast<std::size_t>(dim * dim);
  return dim == 2 ? principal<2>(values) : principal<3>(values);
}

std::array<double, 3> kirchhoff_stress(const PrincipalStrain& strain, const Lame& lame) {
  const auto count = static_cast<Eigen::Index>(strain.dim);
  const Eigen::VectorXd tau = mechanics::kirchhoff_stress<Eigen::VectorXd>(
      Eigen::Map<const Eigen::VectorXd>(strain.eps.data(), count), 2.0 * lame.mu, lame.lambda);
  std::array<double, 3> result{};
  for (Eigen::Index axis = 0; axis < count; ++axis) result[static_cast<std::size_t>(axis)] = tau[axis];
  return result;
}

double energy_density(const PrincipalStrain& strain, const Lame& lame) {
  double squares = 0.0;
  for (int axis = 0; axis < strain.dim; ++axis) {
    const double eps = strain.eps[static_cast<std::size_t>(axis)];
    squares += eps * eps;
  }
  return lame.mu * squares + 0.5 * lame.lambda * strain.trace() * strain.trace();
}

namespace {

struct Invariants {
  double deviator = 0.0;  ///< ‖dev τ‖ [Pa]
  double trace = 0.0;     ///< tr τ [Pa]
};

Invariants invariants(const PrincipalStrain& strain, const Lame& lame) {
  const auto tau = kirchhoff_stress(strain, lame);
  Invariants result;
  for (int axis = 0; axis < strain.dim; ++axis) result.trace += tau[static_cast<std::size_t>(axis)];
  double squares = 0.0;
  for (int axis = 0; axis < strain.dim; ++axis) {
    const double part = tau[static_cast<std::size_t>(axis)] - result.trace / strain.dim;
    squares += part * part;
  }
  result.deviator = std::sqrt(squares);
  return result;
}

}  // namespace

double yield_residual(const PrincipalStrain& strain, const Lame& lame, double alpha) {
  const Invariants tau = invariants(strain, lame);
  return (tau.deviator + alpha * tau.trace) / (2.0 * lame.mu);
}

double slope_through(const PrincipalStrain& strain, const Lame& lame) {
  const Invariants tau = invariants(strain, lame);
  return tau.trace < 0.0 ? -tau.deviator / tau.trace : std::nan("");
}

double strain_rounding(const PrincipalStrain& strain, const Rounding& rounding) {
  const double least = strain.eps[static_cast<std::size_t>(strain.dim - 1)];
  const double condition = std::exp(2.0 * (strain.eps[0] - least));
  double of_one = rounding.unit;
  if (rounding.strain == "hencky") {
    double squares = 0.0;
    for (int axis = 0; axis < strain.dim; ++axis) {
      const double stored = std::expm1(2.0 * strain.eps[static_cast<std::size_t>(axis)]);
      squares += stored * stored;
    }
    of_one = rounding.unit * std::sqrt(squares) + 0.5 * std::numeric_limits<double>::epsilon();
  }
  return 2.0 * crosscheck::strain_roundings(strain.dim) * condition * of_one;
}

double yield_rounding(const PrincipalStrain& strain, const Lame& lame, double alpha,
                      const Rounding& rounding) {
  const double weight = alpha * (strain.dim * lame.lambda + 2.0 * lame.mu) / (2.0 * lame.mu);
  return (1.0 + weight * std::sqrt(static_cast<double>(strain.dim))) * strain_rounding(strain, rounding);
}

double friction_angle_of_slope(double alpha) {
  const double a = alpha / std::sqrt(2.0 / 3.0);
  return std::asin(3.0 * a / (2.0 + a));
}

namespace {

/// ψ^U of a grain's strain, with the tip of the cone that it has hardened to [Pa].
double unilateral_density(const PrincipalStrain& strain, const Material& sand, double q, double cohesion) {
  const Lame moduli = lame(sand);
  const auto d = static_cast<double>(strain.dim);
  const Unilateral& of = sand.unilateral.value();
  const double tip = mechanics::tip_trace(cohesion, cone_slope(hardened_angle(sand.friction, q)),
                                          d * moduli.lambda + 2.0 * moduli.mu);
  const Eigen::Vector3d eps(strain.eps[0], strain.eps[1], strain.eps[2]);
  const Eigen::Vector3d in(1.0, 1.0, strain.dim == 3 ? 1.0 : 0.0);
  return mechanics::unilateral_response<double, 3>(of, of.s_C.value_or(tip / (std::sqrt(d) * of.strain_unit)),
                                                   eps, in, energy_density(strain, moduli),
                                                   Eigen::Vector3d::Zero(), {})
      .psi;
}

}  // namespace

double stored_energy(const Snapshot& state, const Scene& scene, std::span<const double> cohesion) {
  const Field& F = state.get(field::F);
  const auto& volume = state.get(field::volume).value;
  const auto& material = state.get(field::material).value;
  double energy = 0.0;
  for (std::size_t p = 0; p < volume.size(); ++p) {
    const Material& of = scene.materials[static_cast<std::size_t>(material[p])];
    if (of.kind == MaterialKind::water) {
      energy += volume[p] * mechanics::water_energy(of, state.get(field::J).value[p]);
      continue;
    }
    const PrincipalStrain strain = principal_strain(F, p, scene.dim());
    const bool unilateral = of.kind == MaterialKind::sand && mpm_options(scene).energy == Energy::unilateral;
    energy += volume[p] * (unilateral ? unilateral_density(strain, of, state.get(field::q).value[p],
                                                           cohesion.empty() ? of.cohesion : cohesion[p])
                                      : energy_density(strain, lame(of)));
  }
  return energy;
}

}  // namespace repose::experiments
