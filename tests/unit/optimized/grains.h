#pragma once

#include "reference/interface/methods/mpm.h"
#include "tests/unit/optimized/states.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <vector>

/// Grains that the fast solver returns to their cones, one stage alone.
namespace repose::optimized_tests {

/// One particle before its return: principal strains in the frame `axes`.
struct Grain {
  Material material;
  Vec<3> strain = Vec<3>::Zero();  ///< the first dim of them [-]
  Mat<3> axes = Mat<3>::Identity();
  double q = 0.0, v_c = 0.0;
};

inline double slope_at(const Material& m, double q) {
  const FrictionLaw& f = m.friction;
  const double sine = std::sin(f.h0 + (f.h1 * q - f.h3) * std::exp(-f.h2 * q));
  return std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);
}

/// e_c
inline double tip_of(const Material& m, int dim, double q) {
  const Lame l = lame(m);
  return m.cohesion == 0.0 ? 0.0 : m.cohesion / (slope_at(m, q) * (dim * l.lambda + 2.0 * l.mu));
}

template <int dim>
Mat<dim> gradient_of(const Vec<3>& strain, const Mat<3>& axes) {
  const Mat<3> F = axes * strain.array().exp().matrix().asDiagonal() * axes.transpose();
  return F.template topLeftCorner<dim, dim>();
}

/// What the solver makes of grains in one step's plasticity, as tensors of strain.
struct Found {
  std::vector<Mat<3>> strain;
  std::vector<double> q, v_c, plastic_case;
};

template <int dim>
Found after_plasticity(const std::vector<Grain>& grains, const std::vector<Material>& materials,
                       Precision precision) {
  Scene scene = empty_scene(dim, Kernel::quadratic, Transfer::apic);
  scene.gravity = Point::Zero();
  scene.materials = materials;
  Snapshot s = resting(scene, grains.size());
  std::mt19937_64 random(5);
  for (double& x : s.get(field::x).value) x = draw(random, 0.4, 0.6);
  for (std::size_t p = 0; p < grains.size(); ++p) {
    const auto is = [&](const Material& m) { return m.name == grains[p].material.name; };
    s.get(field::material).value[p] =
        static_cast<double>(std::find_if(materials.begin(), materials.end(), is) - materials.begin());
  }
  const auto solver = solver_of(scene, precision);
  solver->load(s);
  solver->run(boundary::step_start, boundary::update, 1e-3);
  s = solver->save(boundary::update, false);
  for (std::size_t p = 0; p < grains.size(); ++p) {
    const Mat<dim> F = gradient_of<dim>(grains[p].strain, grains[p].axes);
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b)
        s.get(field::F_trial).value[dim * dim * p + static_cast<std::size_t>(dim * a + b)] = F(a, b);
    s.get(field::q).value[p] = grains[p].q;
    s.get(field::v_c).value[p] = grains[p].v_c;
  }
  solver->load(s);
  solver->run(boundary::update, boundary::plasticity, 1e-3);
  s = solver->save(boundary::plasticity, false);
  Found found{{}, s.get(field::q).value, s.get(field::v_c).value, s.get(field::plastic_case).value};
  for (std::size_t p = 0; p < grains.size(); ++p) {
    Mat<3> F = Mat<3>::Identity();
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b)
        F(a, b) = s.get(field::F).value[dim * dim * p + static_cast<std::size_t>(dim * a + b)];
    const Eigen::SelfAdjointEigenSolver<Mat<3>> b(F * F.transpose());
    const Vec<3> log = 0.5 * b.eigenvalues().array().log();
    found.strain.push_back(b.eigenvectors() * log.asDiagonal() * b.eigenvectors().transpose());
  }
  return found;
}

inline Found after_plasticity(int dim, const std::vector<Grain>& grains,
                              const std::vector<Material>& materials, Precision precision) {
  return dim == 2 ? after_plasticity<2>(grains, materials, precision)
                  : after_plasticity<3>(grains, materials, precision);
}

/// Sand of constant friction angle with ν = .3, φ = 30° and the tip at tr ε = e_c.
inline Material plain_sand(int dim, double e_c) {
  Material m = sand();
  m.friction = {.h0 = 30 * degree};
  const Lame l = lame(m);
  m.cohesion = e_c * slope_at(m, 0.0) * (dim * l.lambda + 2.0 * l.mu);
  return m;
}

}  // namespace repose::optimized_tests
