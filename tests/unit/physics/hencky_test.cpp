#include "reference/physics/hencky.h"

#include "tests/unit/physics/fifty_digits.h"
#include "tests/unit/physics/laws.h"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

BOOST_AUTO_TEST_SUITE(svd)

BOOST_AUTO_TEST_CASE_TEMPLATE(factors_are_rotations_and_rebuild_the_matrix, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(1);
  for (int sample = 0; sample < 500; ++sample) {
    const Mat<d> F = draw_matrix<d>(random, -1.0, 1.0);
    const Svd<d> svd = decompose<d>(F);
    // Some ten rotations of d rows, each a few roundings of ‖F‖ ≤ 3.
    const double bound = 200 * u;
    BOOST_TEST((svd.U * svd.sigma.asDiagonal() * svd.V.transpose() - F).norm() < bound);
    BOOST_TEST((svd.U * svd.U.transpose() - Mat<d>::Identity()).norm() < bound);
    BOOST_TEST((svd.V * svd.V.transpose() - Mat<d>::Identity()).norm() < bound);
    BOOST_TEST(std::abs(svd.U.determinant() - 1.0) < bound);
    BOOST_TEST(std::abs(svd.V.determinant() - 1.0) < bound);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_last_stretch_carries_the_sign_of_the_determinant, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(2);
  int inverted = 0;
  for (int sample = 0; sample < 200; ++sample) {
    const Mat<d> F = draw_matrix<d>(random, -1.0, 1.0);
    const Svd<d> svd = decompose<d>(F);
    const bool negative = F.determinant() < 0.0;
    inverted += negative ? 1 : 0;
    BOOST_TEST((svd.sigma[d - 1] < 0.0) == negative);
    for (int a = 0; a + 1 < d; ++a) BOOST_TEST(svd.sigma[a] > 0.0);
    BOOST_TEST(hencky_strain<d>(svd).allFinite() == !negative);
  }
  BOOST_TEST(inverted > 50);  // premise: both signs occur
  BOOST_TEST(inverted < 150);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hencky)

/// s = asinh(γ/2) is the principal strain of a simple shear γ: τ_xy = 2μ s/√(1+γ²/4), τ_xx = −τ_yy = μ s
/// γ/√(1+γ²/4).
BOOST_AUTO_TEST_CASE_TEMPLATE(simple_shear_has_its_closed_form_stress, D, Dims) {
  constexpr int d = D::d;
  const Lame lame = sand_lame();
  for (const double shear : {1e-6, 1e-3, 0.1, 0.4, 1.0, 3.0}) {
    Mat<d> F = Mat<d>::Identity();
    F(0, 1) = shear;
    const Mat<d> tau = kirchhoff_stress<d>(F, lame);
    const double s = std::asinh(shear / 2.0);
    const double root = std::sqrt(1.0 + shear * shear / 4.0);
    Mat<d> exact = Mat<d>::Zero();
    exact(0, 1) = exact(1, 0) = 2.0 * lame.mu * s / root;
    exact(0, 0) = lame.mu * s * shear / root;
    exact(1, 1) = -exact(0, 0);
    // Strains carry an absolute error of some ten u times the largest over the smallest stretch, e^{2s}.
    const double bound = 20 * u * std::exp(2.0 * s) * (2.0 * lame.mu + d * lame.lambda);
    BOOST_TEST((tau - exact).cwiseAbs().maxCoeff() < bound);
  }
}

/// Judged by central differences in fifty digits of an energy that is computed from F Fᵀ without a
/// decomposition.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_stress_is_the_derivative_of_the_energy, D, Dims) {
  constexpr int d = D::d;
  const Lame lame = sand_lame();
  std::mt19937_64 random(3);
  for (int sample = 0; sample < 5; ++sample) {
    const Mat<d> F = Mat<d>::Identity() + draw_matrix<d>(random, -0.3, 0.3);
    BOOST_REQUIRE(F.determinant() > 0.1);
    const Mat<d> P = kirchhoff_stress<d>(F, lame) * F.transpose().inverse();
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) {
        auto plus = widen<d>(F), minus = widen<d>(F);
        plus[a][b] += big_step;
        minus[a][b] -= big_step;
        const double slope =
            static_cast<double>((energy_of(plus, lame) - energy_of(minus, lame)) / (2 * big_step));
        // 50 u of the modulus, times the condition of F (below 10) for 1/σ.
        BOOST_TEST(std::abs(P(static_cast<int>(a), static_cast<int>(b)) - slope) <
                   500 * u * (2.0 * lame.mu + d * lame.lambda));
      }
    }
  }
}

/// [Tam17 §3.1.1] prints λ/2 tr(ε): its slope under pure volume change would be a constant λ/2, not λ tr(ε) +
/// 2μ ε.
BOOST_AUTO_TEST_CASE(the_printed_linear_trace_is_not_the_energy_of_the_stress) {
  const Lame lame = sand_lame();
  const auto printed = [&](const Vec<3>& eps) {
    return lame.mu * eps.squaredNorm() + 0.5 * lame.lambda * eps.sum();
  };
  const auto adopted = [&](const Vec<3>& eps) {
    return lame.mu * eps.squaredNorm() + 0.5 * lame.lambda * eps.sum() * eps.sum();
  };
  const Vec<3> eps(-0.01, 0.002, 0.003);
  const Vec<3> tau = principal_kirchhoff_stress<3>(eps, lame);
  const double step = 1e-6;
  for (int a = 0; a < 3; ++a) {
    const Vec<3> along = step * Vec<3>::Unit(a);
    const double adopted_slope = (adopted(eps + along) - adopted(eps - along)) / (2.0 * step);
    const double printed_slope = (printed(eps + along) - printed(eps - along)) / (2.0 * step);
    // Quadratic: the difference is exact but for rounding of ψ ≤ 50 Pa over the step.
    BOOST_TEST(std::abs(adopted_slope - tau[a]) < 50.0 * 10 * u / step);
    BOOST_TEST(std::abs(printed_slope - tau[a]) > 0.4 * lame.lambda);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rotation_turns_the_stress_and_changes_nothing_else, D, Dims) {
  constexpr int d = D::d;
  const Lame lame = sand_lame();
  std::mt19937_64 random(4);
  for (int sample = 0; sample < 50; ++sample) {
    const Mat<d> F = Mat<d>::Identity() + draw_matrix<d>(random, -0.2, 0.2);
    const Mat<d> R = decompose<d>(draw_matrix<d>(random, -1.0, 1.0)).U;
    const double bound = 300 * u * (2.0 * lame.mu + d * lame.lambda);
    const Mat<d> tau = kirchhoff_stress<d>(F, lame);
    BOOST_TEST((kirchhoff_stress<d>(R * F, lame) - R * tau * R.transpose()).norm() < bound);
    BOOST_TEST((kirchhoff_stress<d>(F * R, lame) - tau).norm() < bound);
    BOOST_TEST((tau - tau.transpose()).norm() < bound);
  }
}

BOOST_AUTO_TEST_CASE(moduli_are_those_of_youngs_modulus_and_poissons_ratio) {
  // E = 3.537e5, ν = 0.3: λ = 2.0406e5, μ = 1.3604e5.
  BOOST_TEST(std::abs(sand_lame().lambda - 2.0406e5) < 10.0);
  BOOST_TEST(std::abs(sand_lame().mu - 1.3604e5) < 10.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
