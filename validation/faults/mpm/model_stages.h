#pragma once

#include "reference/interface/base/error.h"
#include "validation/faults/mpm/model.h"

#include <array>
#include <cmath>
#include <limits>

namespace repose::faults {

template <class Real>
using Vector = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Matrix = Eigen::Matrix<Real, 3, 3>;

/// Particle or node values of a snapshot in three dimensions; what 2D lacks is zero, of deformations one.
template <class Real>
Vector<Real> read_vector(const Field& field, std::size_t n) {
  Vector<Real> result = Vector<Real>::Zero();
  const auto k = static_cast<std::size_t>(field.components);
  for (std::size_t a = 0; a < k; ++a)
    result[static_cast<Eigen::Index>(a)] = static_cast<Real>(field.value[n * k + a]);
  return result;
}

template <class Real>
void write_vector(Field& field, std::size_t n, const Vector<Real>& value) {
  const auto k = static_cast<std::size_t>(field.components);
  for (std::size_t a = 0; a < k; ++a)
    field.value[n * k + a] = static_cast<double>(value[static_cast<Eigen::Index>(a)]);
}

template <class Real>
Matrix<Real> read_matrix(const Field& field, std::size_t n, int dim, Real beyond) {
  Matrix<Real> result = Matrix<Real>::Zero();
  if (dim < 3) result(2, 2) = beyond;
  auto from = field.value.begin() + static_cast<std::ptrdiff_t>(n) * field.components;
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b) result(a, b) = static_cast<Real>(*from++);
  return result;
}

template <class Real>
void write_matrix(Field& field, std::size_t n, const Matrix<Real>& value, int dim) {
  auto to = field.value.begin() + static_cast<std::ptrdiff_t>(n) * field.components;
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b) *to++ = static_cast<double>(value(a, b));
}

/// Nodes and weights of one particle; arm = x_i − x_p.
template <class Real>
struct Neighbourhood {
  int size = 0;
  std::array<std::int64_t, 64> node{};
  std::array<Real, 64> w{};
  std::array<Vector<Real>, 64> grad{};
  std::array<Vector<Real>, 64> arm{};
  std::array<bool, 64> across{};  ///< reached through the seam of a periodic axis
};

template <class Real>
Neighbourhood<Real> neighbourhood(const Scene& scene, Mistake mistake, const Point& x);

/// Principal values and directions of b = F Fᵀ.
template <class Real>
struct Principal {
  Vector<Real> strain;  ///< ½ ln b
  Matrix<Real> axes;
};

template <class Real>
Principal<Real> principal(const Matrix<Real>& F);

template <class Real>
void model_p2g(const Scene& scene, Mistake mistake, Snapshot& state);
template <class Real>
void model_forces(const Scene& scene, Mistake mistake, double dt, Snapshot& state);
template <class Real>
void model_collisions(const Scene& scene, Mistake mistake, double dt, Snapshot& state);
template <class Real>
void model_friction(const Scene& scene, Mistake mistake, double dt, Snapshot& state);
template <class Real>
void model_g2p(const Scene& scene, Mistake mistake, Snapshot& state);
template <class Real>
void model_update(const Scene& scene, Mistake mistake, double dt, Snapshot& state);
template <class Real>
void model_plasticity(const Scene& scene, Mistake mistake, Snapshot& state);

}  // namespace repose::faults
