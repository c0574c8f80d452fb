// One material point under prescribed deformation or stress, against closed forms.

#include "reference/physics/drucker_prager.h"
#include "reference/physics/hardening.h"
#include "reference/physics/hencky.h"
#include "tests/unit/physics/laws.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;

const Lame moduli = sand_lame();
constexpr double nu = 0.3;

/// U exp(ε) Vᵀ after the return.
template <int d>
Mat<d> return_deformation(const Mat<d>& F_trial, double alpha) {
  const Svd<d> svd = decompose<d>(F_trial);
  const Vec<d> eps = return_to_cone<d>(hencky_strain<d>(svd), moduli, alpha).eps;
  return svd.U * eps.array().exp().matrix().asDiagonal() * svd.V.transpose();
}

/// |τ_xy|/p after isotropic compression (tr ε = −1 %) and simple shear to γ = 0.4.
template <int d>
double shear_ratio(double alpha) {
  Mat<d> F = std::exp(-0.01 / d) * Mat<d>::Identity();
  Mat<d> increment = Mat<d>::Identity();
  const int steps = 4000;
  increment(0, 1) = 0.4 / steps;
  for (int n = 0; n < steps; ++n) F = return_deformation<d>(increment * F, alpha);
  const Mat<d> tau = kirchhoff_stress<d>(F, moduli);
  return std::abs(tau(0, 1)) / (-tau.trace() / d);
}

BOOST_AUTO_TEST_SUITE(element)

/// Steady isochoric shear turns the stress to 45°, less an elastic lag of the order of the strain (1 %)
/// squared: √2 α for d = 2, 3α/√2 in plane strain.
BOOST_AUTO_TEST_CASE(sheared_sand_reaches_the_stress_ratio_of_its_cone) {
  const double alpha = friction_to_slope(30.0 * degree);
  BOOST_TEST(std::abs(shear_ratio<2>(alpha) - 0.46188) < 1e-4);
  BOOST_TEST(std::abs(shear_ratio<3>(alpha) - 0.69282) < 2e-4);
  BOOST_TEST(shear_ratio<2>(alpha) <= std::sqrt(2.0) * alpha);
  BOOST_TEST(shear_ratio<3>(alpha) <= 3.0 * alpha / std::sqrt(2.0));
}

/// Triaxial test: the axial strain is driven, the radial stress held at −p0 by bisection on the radial
/// strain.
/// @param direction −1 compression, +1 extension
Vec<3> triaxial_stress(double phi_deg, double direction) {
  const double alpha = friction_to_slope(phi_deg * degree);
  const double p0 = 100.0;
  const double bulk = moduli.lambda + 2.0 / 3.0 * moduli.mu;
  Vec<3> eps = Vec<3>::Constant(-p0 / (3.0 * bulk));
  const auto after = [&](double radial) {
    const Vec<3> trial = eps + Vec<3>(direction * 2e-5, radial, radial);
    return return_to_cone<3>(trial, moduli, alpha).eps;
  };
  for (int step = 0; step < 400; ++step) {
    double low = -1e-3, high = 1e-3;  // radial strains that compress too much and too little
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      const double stress = principal_kirchhoff_stress<3>(after(middle), moduli)[1];
      (stress < -p0 ? low : high) = middle;
    }
    eps = after(low);
  }
  return principal_kirchhoff_stress<3>(eps, moduli);
}

/// The same M = 6 s/(3 − s) on both sides: this is what tells the cone from Mohr–Coulomb, 6 s/(3 + s) in
/// extension.
BOOST_DATA_TEST_CASE(triaxial_compression_and_extension_fail_at_the_same_ratio, data::make({20., 30.}),
                     phi_deg) {
  const double s = std::sin(phi_deg * degree);
  const double M = 6.0 * s / (3.0 - s);
  for (const double direction : {-1.0, 1.0}) {
    const Vec<3> tau = triaxial_stress(phi_deg, direction);
    const double p = -tau.mean();
    const double q = direction * (tau[0] - tau[1]);
    BOOST_TEST(std::abs(tau[1] + 100.0) < 1e-6);  // premise: the radial stress was held
    BOOST_TEST(std::abs(q / p - M) < 1e-9);  // bisection to 1e-3 · 2⁻⁶⁰, then rounding of strains ~3e-4
  }
}

/// Confined compression from rest: ratio of lateral to axial stress.
template <int d>
double lateral_ratio(double phi_deg) {
  const double alpha = friction_to_slope(phi_deg * degree);
  Vec<d> eps = Vec<d>::Zero();
  for (int step = 0; step < 100; ++step)
    eps = return_to_cone<d>(eps - 1e-4 * Vec<d>::Unit(0), moduli, alpha).eps;
  const Vec<d> tau = principal_kirchhoff_stress<d>(eps, moduli);
  return tau[1] / tau[0];
}

/// 100 steps, each with rounding relative to a strain that grows to 1 %.
constexpr double lateral_bound = 1e-12;

BOOST_AUTO_TEST_CASE(a_confined_column_of_steep_sand_is_elastic) {
  BOOST_TEST(std::abs(lateral_ratio<3>(30.0) - nu / (1.0 - nu)) < lateral_bound);
  BOOST_TEST(std::abs(lateral_ratio<2>(30.0) - nu / (1.0 - nu)) < lateral_bound);
}

BOOST_AUTO_TEST_CASE(a_confined_column_of_flat_sand_stands_at_rankines_active_ratio) {
  const double s = std::sin(15.0 * degree);
  BOOST_TEST(std::abs(lateral_ratio<3>(15.0) - (1.0 - s) / (1.0 + s)) < lateral_bound);
  BOOST_TEST(std::abs(lateral_ratio<3>(15.0) - 0.5888) < 5e-5);
  // d = 2: sin of the effective angle is √2 α.
  const double s_eff = std::sqrt(2.0) * friction_to_slope(15.0 * degree);
  BOOST_TEST(std::abs(lateral_ratio<2>(15.0) - (1.0 - s_eff) / (1.0 + s_eff)) < lateral_bound);
}

/// In 3D with ν = 0.3 the column turns from plastic to elastic where 2 s/(3 − s) = (1 − 2ν)/(1 + ν): φ =
/// 23.6°.
BOOST_AUTO_TEST_CASE(the_column_becomes_elastic_at_the_predicted_angle) {
  const double elastic = nu / (1.0 - nu);
  BOOST_TEST(lateral_ratio<3>(23.5) > elastic + 1e-4);
  BOOST_TEST(std::abs(lateral_ratio<3>(23.7) - elastic) < lateral_bound);
}

BOOST_AUTO_TEST_CASE(isotropic_expansion_leaves_no_stress) {
  const double alpha = friction_to_slope(30.0 * degree);
  const Mat<2> plane = return_deformation<2>(1.01 * Mat<2>::Identity(), alpha);
  const Mat<3> space = return_deformation<3>(1.01 * Mat<3>::Identity(), alpha);
  BOOST_TEST(kirchhoff_stress<2>(plane, moduli).norm() < 20 * u * (2.0 * moduli.mu + 2.0 * moduli.lambda));
  BOOST_TEST(kirchhoff_stress<3>(space, moduli).norm() < 20 * u * (2.0 * moduli.mu + 3.0 * moduli.lambda));
}

BOOST_AUTO_TEST_CASE(hydrostatic_compression_carries_the_bulk_modulus) {
  const double alpha = friction_to_slope(30.0 * degree);
  const double J = 0.97;
  const Mat<3> space = return_deformation<3>(std::cbrt(J) * Mat<3>::Identity(), alpha);
  const Mat<2> plane = return_deformation<2>(std::sqrt(J) * Mat<2>::Identity(), alpha);
  const double modulus = 2.0 * moduli.mu + 3.0 * moduli.lambda;
  const Mat<3> tau_3 = (moduli.lambda + 2.0 / 3.0 * moduli.mu) * std::log(J) * Mat<3>::Identity();
  const Mat<2> tau_2 = (moduli.lambda + moduli.mu) * std::log(J) * Mat<2>::Identity();
  BOOST_TEST((kirchhoff_stress<3>(space, moduli) - tau_3).norm() < 20 * u * modulus);
  BOOST_TEST((kirchhoff_stress<2>(plane, moduli) - tau_2).norm() < 20 * u * modulus);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
