#pragma once

#include "reference/interface/particles/random.h"
#include "reference/physics/hencky.h"
#include "reference/physics/stress_derivative.h"
#include "tests/unit/physics/fifty_digit_derivative.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace repose::test {

inline constexpr double alpha = 0.27;  // of a friction angle near 30°

inline Material sand_of(MaterialKind kind, bool volume_correction, double cohesion = 0.0) {
  Material material;
  material.cohesion = cohesion;
  material.kind = kind;
  material.density = 2200.0;
  material.youngs_modulus = 3.5e5;
  material.poisson_ratio = 0.3;
  material.volume_correction = volume_correction;
  return material;
}

/// A deformation, what it is tried with, and why.
template <int d>
struct Sample {
  std::string why;
  Mat<d> F = Mat<d>::Identity();
  Sand sand;
  double distance = 1.0;  ///< ‖dev ε‖ of the trial where it matters: its direction is known to u/distance
};

template <int d>
Mat<d> random_matrix(Random& random, double half_width) {
  Mat<d> matrix;
  for (int i = 0; i < d * d; ++i) matrix(i / d, i % d) = random.between(-half_width, half_width);
  return matrix;
}

template <int d>
Mat<d> random_rotation(Random& random) {
  const Mat<d> matrix = random_matrix<d>(random, 1.0);
  return decompose<d>(matrix).U;
}

/// F with given principal strains in random frames.
template <int d>
Mat<d> with_strain(const Vec<d>& eps, Random& random) {
  const Mat<d> U = random_rotation<d>(random);
  const Mat<d> V = random_rotation<d>(random);
  return U * eps.array().exp().matrix().asDiagonal() * V.transpose();
}

/// A deviator of unit norm.
template <int d>
Vec<d> random_shear(Random& random) {
  Vec<d> n;
  for (int i = 0; i < d; ++i) n[i] = random.between(-1.0, 1.0);
  n -= n.mean() * Vec<d>::Ones();
  return n.normalized();
}

template <int d>
double carried(const Material& material, double trace) {
  const Lame moduli = lame(material);
  return (material.cohesion - trace * alpha * (d * moduli.lambda + 2.0 * moduli.mu)) / (2.0 * moduli.mu);
}

template <int d>
std::vector<Sample<d>> samples() {
  std::vector<Sample<d>> list;
  Random random(20160711);
  struct Kind {
    MaterialKind kind;
    double v_c, cohesion;
  };
  for (const Kind k : {Kind{MaterialKind::elastic, 0.0, 0.0}, Kind{MaterialKind::sand, 0.0, 0.0},
                       Kind{MaterialKind::sand, 0.06, 0.0}, Kind{MaterialKind::sand, 0.0, 2e3},
                       Kind{MaterialKind::sand, 0.06, 2e3}}) {
    const auto [kind, v_c, cohesion] = k;
    const Material material = sand_of(kind, v_c > 0.0, cohesion);
    const Sand sand{material, alpha, v_c};
    const double e_c = tip_trace<d>(lame(material), sand.cone());
    const Vec<d> shift = v_c / d * Vec<d>::Ones();
    const auto add = [&](const std::string& why, const Vec<d>& eps_s, double distance = 1.0) {
      list.push_back({why, with_strain<d>(eps_s - shift, random), sand, distance});
    };

    for (int i = 0; i < 12; ++i) {
      list.push_back({"random", Mat<d>(Mat<d>::Identity() + random_matrix<d>(random, 0.25)), sand, 0.01});
    }
    for (int i = 0; i < 4; ++i) {
      const double trace = random.between(-0.3, -0.05);
      const double limit = carried<d>(material, trace);
      const Vec<d> n = random_shear<d>(random);
      const Vec<d> mean = trace / d * Vec<d>::Ones();
      add("well inside the cone", mean + 0.5 * limit * n, 0.5 * limit);
      add("well outside the cone", mean + 1.7 * limit * n, limit);
      add("tension", Vec<d>(-mean + limit * n), limit);
      for (const double gap : {1e-3, 1e-9}) {
        add("just inside the cone", mean + (limit - gap) * n, limit);
        add("just outside the cone", mean + (limit + gap) * n, limit);
      }
      add("on the cone, to rounding", mean + limit * n, limit);
      for (const double gap : {1e-3, 1e-9}) {
        add("just below the tip", (e_c - gap) / d * Vec<d>::Ones() + 0.1 * n, 0.1);
        add("just beyond the tip", (e_c + gap) / d * Vec<d>::Ones() + 0.1 * n, 0.1);
      }
      add("close to the tip on all sides",
          (e_c / d - 1e-5) * Vec<d>::Ones() + 2.0 * carried<d>(material, e_c - d * 1e-5) * n, 1e-5);
    }

    // Two stretches apart by a relative gap; in 3D the third is different, or equal as well.
    for (const double gap : {1e-1, 1e-4, 1e-8, 1e-12, 1e-15, 0.0}) {
      for (const double size : {0.3, 0.01}) {
        Vec<d> eps = Vec<d>::Constant(-size);
        eps[0] += gap;
        add("equal stretches under pressure", eps, size);
        if (d == 3) {
          eps[d - 1] += 2.0 * size;
          add("two equal stretches, third longer", eps, size);
          eps[d - 1] -= 3.5 * size;
          add("two equal stretches, third shorter", eps, size);
        }
      }
    }
    list.push_back({"stretches equal to the last bit", Mat<d>(0.9 * Mat<d>::Identity()), sand, 1.0});
    list.push_back({"at rest", Mat<d>::Identity(), sand, 1.0});
  }
  if constexpr (d == 3) {
    // Exactly equal in-plane stretches while sliding: the limit with r < 1.
    Mat<3> F = 0.8 * Mat<3>::Identity();
    F(2, 2) = 0.5;
    list.push_back(
        {"two equal stretches, to the last bit", F, {sand_of(MaterialKind::sand, false), alpha, 0.0}, 0.1});
    F(2, 2) = 0.7;
    list.push_back(
        {"two equal stretches, to the last bit", F, {sand_of(MaterialKind::sand, true), alpha, 0.06}, 0.1});
  }
  return list;
}

/// Some hundred roundings relative to the largest modulus; the direction of a shear strain, which the derivative on
/// the surface contains, is known to u/‖dev ε‖.
template <int d>
double bound(const Sample<d>& sample) {
  const Lame moduli = lame(sample.sand.material);
  return 100.0 * 0x1p-53 * (2.0 * moduli.mu + d * moduli.lambda) / sample.distance;
}

template <int d>
using Derivative = std::function<ReturnedStress<d>(const Mat<d>&, const Sand&)>;

template <int d>
ReturnedStress<d> adopted(const Mat<d>& F, const Sand& sand) {
  return returned_stress<d>(F, sand.material, sand.cone(), sand.v_c);
}

}  // namespace repose::test
