// The cone of cohesive sand: where its tip lies, what it carries there, and von Mises' cylinder.
#include "reference/physics/drucker_prager.h"
#include "reference/physics/hencky.h"
#include "tests/unit/physics/laws.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace repose::test {
namespace {

const Lame moduli = sand_lame();
const double alpha_30 = friction_to_slope(30.0 * degree);

template <int d>
double stiffness() {
  return d * moduli.lambda + 2.0 * moduli.mu;
}

/// A cone whose tip lies at the trace e_c.
template <int d>
Cone tip_at(double e_c, double alpha = alpha_30) {
  return {alpha, e_c * alpha * stiffness<d>()};
}

template <int d>
Vec<d> trial_strain(std::mt19937_64& random) {
  const Vec<d> shape = draw_vector<d>(random, -0.02, 0.02);
  return shape + draw(random, -0.03, 0.015) * Vec<d>::Ones();
}

/// ‖dev τ‖ + α tr τ − c_C [Pa]; the return under test never forms a stress.
template <int d>
double yield(const Vec<d>& eps, const Cone& cone) {
  const Vec<d> tau = principal_kirchhoff_stress<d>(eps, moduli);
  return (tau - tau.mean() * Vec<d>::Ones()).norm() + cone.alpha * tau.sum() - cone.cohesion;
}

BOOST_AUTO_TEST_SUITE(cohesion)

/// e_c = c_C/(α (dλ + 2μ)); there τ = c_C/(α d) 1, which is not nothing, as the paper's "stress free" would have it.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_tip_bears_the_cohesion_and_is_not_free_of_stress, D, Dims) {
  constexpr int d = D::d;
  for (const double c_C : {1.0, 300.0, 2e4}) {
    const Cone cone{alpha_30, c_C};
    const double e_c = tip_trace<d>(moduli, cone);
    BOOST_TEST(std::abs(e_c * alpha_30 * stiffness<d>() / c_C - 1.0) < 4 * u);
    Vec<d> trial = Vec<d>::Constant(e_c + 0.01);
    trial[0] += 0.003;
    const auto returned = return_to_cone<d>(trial, moduli, cone);
    BOOST_TEST((returned.part == Part::tip));
    const Vec<d> tau = principal_kirchhoff_stress<d>(returned.eps, moduli);
    for (int a = 0; a < d; ++a) BOOST_TEST(std::abs(tau[a] * alpha_30 * d / c_C - 1.0) < 20 * u);
    const Vec<d> printed = Vec<d>::Zero();
    BOOST_TEST(yield<d>(printed, cone) == -c_C);  // far inside the cone, not on it
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(returned_states_obey_the_shifted_yield_function, D, Dims) {
  constexpr int d = D::d;
  const Cone cone = tip_at<d>(0.008);
  std::mt19937_64 random(31);
  std::array<int, 4> count{};
  int tensile = 0;
  for (int sample = 0; sample < 4000; ++sample) {
    const Vec<d> trial = trial_strain<d>(random);
    const auto returned = return_to_cone<d>(trial, moduli, cone);
    ++count[static_cast<std::size_t>(returned.part)];
    // Some twenty roundings, each relative to the largest term of τ.
    const double bound = 20 * u * (2.0 * moduli.mu + d * moduli.lambda) * (trial.norm() + 0.008);
    BOOST_TEST(yield<d>(returned.eps, cone) <= bound);
    if (returned.part == Part::surface) {
      BOOST_TEST(yield<d>(returned.eps, cone) >= -bound);
      BOOST_TEST(std::abs(returned.eps.sum() - trial.sum()) < 10 * u * trial.norm());
    }
    if (returned.part == Part::inside) BOOST_TEST((returned.eps == trial));
    if (returned.eps.sum() > 0.0 && returned.part != Part::tip) ++tensile;
  }
  for (std::size_t part = 1; part < 4; ++part) BOOST_TEST(count[part] > 100);
  BOOST_TEST(tensile > 100);
}

/// Nothing is divided by zero at the tip itself, nor a rounding away from it.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_strain_at_the_tip_stays_there, D, Dims) {
  constexpr int d = D::d;
  for (const double e_c : {1e-12, 0.0021, 0.37}) {
    const Cone cone = tip_at<d>(e_c);
    for (const int ulps : {-3, -1, 0, 1, 3}) {
      const Vec<d> trial = (1.0 + 2 * u * ulps) * tip_trace<d>(moduli, cone) / d * Vec<d>::Ones();
      const auto returned = return_to_cone<d>(trial, moduli, cone);
      BOOST_TEST((returned.part != Part::surface));
      BOOST_TEST((returned.eps - trial).norm() <= 20 * u * e_c);
    }
  }
}

/// With α = 0 there is no tip: any pressure and any tension stay, shear is bounded by c_C.
BOOST_AUTO_TEST_CASE_TEMPLATE(without_friction_cohesion_bounds_shear_alone, D, Dims) {
  constexpr int d = D::d;
  const double c_C = 800.0;
  const Cone cylinder{0.0, c_C};
  BOOST_TEST(std::isinf(tip_trace<d>(moduli, cylinder)));
  Vec<d> shear = Vec<d>::Zero();
  shear[0] = 1.0 / std::sqrt(2.0);
  shear[1] = -shear[0];
  const double limit = c_C / (2.0 * moduli.mu);
  for (const double mean : {-0.2, 0.0, 0.2}) {
    for (const double share : {0.5, 0.99}) {
      const Vec<d> trial = mean * Vec<d>::Ones() + share * limit * shear;
      BOOST_TEST((return_to_cone<d>(trial, moduli, cylinder).eps == trial));
    }
    for (const double share : {1.01, 30.0}) {
      const Vec<d> trial = mean * Vec<d>::Ones() + share * limit * shear;
      const auto returned = return_to_cone<d>(trial, moduli, cylinder);
      BOOST_TEST((returned.part == Part::surface));
      BOOST_TEST((returned.eps - (mean * Vec<d>::Ones() + limit * shear)).norm() <
                 20 * u * (0.2 + 30 * limit));
    }
  }
  // The cylinder is the limit of cones.
  const Vec<d> trial = 0.1 * Vec<d>::Ones() + 2.0 * limit * shear;
  const Vec<d> steep = return_to_cone<d>(trial, moduli, {1e-9, c_C}).eps;
  BOOST_TEST((steep - return_to_cone<d>(trial, moduli, cylinder).eps).norm() < 1e-8);
}

/// The group's public code gives cohesion as a logarithmic strain c per axis: its tip lies at ε = c 1, hence
/// c_C = α d (dλ + 2μ) c.
BOOST_AUTO_TEST_CASE_TEMPLATE(cohesion_as_a_strain_per_axis_is_the_tips, D, Dims) {
  constexpr int d = D::d;
  const double c = 0.0013;
  const Cone cone{alpha_30, alpha_30 * d * stiffness<d>() * c};
  const Vec<d> beyond = Vec<d>::Constant(0.01);
  BOOST_TEST((return_to_cone<d>(beyond, moduli, cone).eps - Vec<d>::Constant(c)).norm() < 8 * u * c);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(separation_hardens_by_the_distance_from_the_tip, D, Dims) {
  constexpr int d = D::d;
  const Cone cone = tip_at<d>(0.002);
  const auto update = return_with_memory<d>(Vec<d>::Constant(0.03 / d), 0.0, sand_material(), cone);
  BOOST_TEST((update.part == Part::tip));
  BOOST_TEST(std::abs(update.delta_q - 0.028 / std::sqrt(static_cast<double>(d))) < 20 * u * 0.03);
}

BOOST_AUTO_TEST_CASE(cohesion_outside_its_range_is_refused) {
  const Vec<2> eps(-0.01, 0.0);
  BOOST_CHECK_THROW(return_to_cone<2>(eps, moduli, {0.1, -1.0}), std::invalid_argument);
  BOOST_CHECK_THROW(return_to_cone<2>(eps, moduli, {0.1, std::numeric_limits<double>::quiet_NaN()}),
                    std::invalid_argument);
  Material wet = sand_material();
  wet.friction.h0 = 30.0 * degree;
  wet.cohesion = 500.0;
  BOOST_TEST((cone_of(wet, 0.0).alpha == alpha_30 && cone_of(wet, 0.0).cohesion == 500.0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
