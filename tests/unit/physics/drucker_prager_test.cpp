#include "reference/physics/drucker_prager.h"

#include "reference/physics/hardening.h"
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

/// Trial strains of a few per cent, drawn so that inside, tip and surface all occur.
template <int d>
Vec<d> trial_strain(std::mt19937_64& random) {
  const Vec<d> shape = draw_vector<d>(random, -0.02, 0.02);
  return shape + draw(random, -0.03, 0.01) * Vec<d>::Ones();
}

/// ‖dev τ‖ + α tr τ [Pa], the yield function in stress; the map under test never forms a stress.
template <int d>
double yield(const Vec<d>& eps, double alpha) {
  const Vec<d> tau = principal_kirchhoff_stress<d>(eps, moduli);
  return (tau - tau.mean() * Vec<d>::Ones()).norm() + alpha * tau.sum();
}

/// Rounding of yield(): some twenty roundings, each relative to the largest term of τ.
template <int d>
double yield_bound(const Vec<d>& trial) {
  return 20 * u * (2.0 * moduli.mu + d * moduli.lambda) * trial.norm();
}

BOOST_AUTO_TEST_SUITE(drucker_prager)

BOOST_AUTO_TEST_CASE_TEMPLATE(samples_reach_every_branch, D, Dims) {
  std::mt19937_64 random(11);
  std::array<int, 4> count{};
  for (int sample = 0; sample < 2000; ++sample) {
    const auto returned = return_to_cone<D::d>(trial_strain<D::d>(random), moduli, alpha_30);
    ++count[static_cast<std::size_t>(returned.part)];
  }
  BOOST_TEST(count[0] == 0);
  for (std::size_t part = 1; part < 4; ++part) BOOST_TEST(count[part] > 100);
}

/// Never outside the cone, and after slip exactly on it: a map that returns too far also "satisfies" yield.
BOOST_AUTO_TEST_CASE_TEMPLATE(returned_states_obey_the_yield_function, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(11);
  for (int sample = 0; sample < 2000; ++sample) {
    const Vec<d> trial = trial_strain<d>(random);
    const auto returned = return_to_cone<d>(trial, moduli, alpha_30);
    const double bound = yield_bound<d>(trial);
    BOOST_TEST(yield<d>(returned.eps, alpha_30) <= bound);
    if (returned.part == Part::surface) BOOST_TEST(yield<d>(returned.eps, alpha_30) >= -bound);
    if (returned.part == Part::inside) BOOST_TEST((returned.eps == trial));
    if (returned.part == Part::tip) BOOST_TEST((returned.eps == Vec<d>::Zero()));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(slip_preserves_volume_and_the_direction_of_shear, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(12);
  int slips = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const Vec<d> trial = trial_strain<d>(random);
    const auto returned = return_to_cone<d>(trial, moduli, alpha_30);
    if (returned.part != Part::surface) continue;
    ++slips;
    BOOST_TEST(std::abs(returned.eps.sum() - trial.sum()) < 10 * u * trial.norm());
    const Vec<d> before = trial - trial.mean() * Vec<d>::Ones();
    const Vec<d> after = returned.eps - returned.eps.mean() * Vec<d>::Ones();
    // Parallel and not reversed: for vectors, a·b = ‖a‖‖b‖.
    BOOST_TEST(before.dot(after) >= before.norm() * after.norm() - 20 * u * trial.squaredNorm());
    BOOST_TEST(std::abs(before.norm() - after.norm() - returned.delta_gamma) < 20 * u * trial.norm());
    BOOST_TEST(returned.delta_gamma > 0.0);
  }
  BOOST_TEST(slips > 100);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(returning_twice_is_returning_once, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(13);
  for (int sample = 0; sample < 2000; ++sample) {
    const Vec<d> trial = trial_strain<d>(random);
    const Vec<d> once = return_to_cone<d>(trial, moduli, alpha_30).eps;
    const Vec<d> twice = return_to_cone<d>(once, moduli, alpha_30).eps;
    BOOST_TEST((twice - once).norm() <= 20 * 3.3 * u * trial.norm());
  }
}

/// Printed order: "δγ ≤ 0 → inside; ‖ε̂‖ = 0 or tr ε > 0 → tip; else surface" [Klar16 §7.1].
template <int d>
Vec<d> printed_order(const Vec<d>& eps, double alpha) {
  const Vec<d> eps_hat = eps - eps.mean() * Vec<d>::Ones();
  const double slip =
      eps_hat.norm() + (d * moduli.lambda + 2.0 * moduli.mu) / (2.0 * moduli.mu) * eps.sum() * alpha;
  if (slip <= 0.0) return eps;
  if (eps_hat.norm() == 0.0 || eps.sum() > 0.0) return Vec<d>::Zero();
  return eps - slip * eps_hat / eps_hat.norm();
}

/// The same conditions, the tip's first: what several public codes do.
template <int d>
Vec<d> tip_first(const Vec<d>& eps, double alpha) {
  const Vec<d> eps_hat = eps - eps.mean() * Vec<d>::Ones();
  if (eps_hat.norm() == 0.0 || eps.sum() > 0.0) return Vec<d>::Zero();
  return printed_order<d>(eps, alpha);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hydrostatic_compression_stays_elastic, D, Dims) {
  constexpr int d = D::d;
  for (const double strain : {-1e-12, -0.01, -0.25}) {
    const Vec<d> eps = strain * Vec<d>::Ones();
    for (const double alpha : {0.0, alpha_30}) {
      const auto returned = return_to_cone<d>(eps, moduli, alpha);
      BOOST_TEST((returned.eps == eps));
      BOOST_TEST((returned.part == Part::inside));
      BOOST_TEST((printed_order<d>(eps, alpha) == eps));
    }
  }
  // Exactly representable strains: ε̂ = 0 exactly, and testing for the tip first loses all of the pressure.
  BOOST_TEST((tip_first<d>(-0.25 * Vec<d>::Ones(), alpha_30) == Vec<d>::Zero()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(frictionless_tension_releases, D, Dims) {
  constexpr int d = D::d;
  const Vec<d> tension = 0.25 * Vec<d>::Ones();  // ε̂ = 0 exactly
  const auto returned = return_to_cone<d>(tension, moduli, 0.0);
  BOOST_TEST((returned.eps == Vec<d>::Zero()));
  BOOST_TEST((returned.part == Part::tip));
  // Printed: δγ = 0 keeps the tension of a fluid.
  BOOST_TEST((printed_order<d>(tension, 0.0) == tension));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_friction_the_printed_and_the_adopted_order_agree, D, Dims) {
  constexpr int d = D::d;
  std::mt19937_64 random(14);
  for (int sample = 0; sample < 2000; ++sample) {
    const Vec<d> trial = trial_strain<d>(random);
    const Vec<d> adopted = return_to_cone<d>(trial, moduli, alpha_30).eps;
    BOOST_TEST((adopted - printed_order<d>(trial, alpha_30)).norm() <= 20 * 3.3 * u * trial.norm());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_frictionless_material_keeps_pressure_and_no_shear, D, Dims) {
  constexpr int d = D::d;
  Vec<d> eps = Vec<d>::Zero();
  eps[0] = -0.03;
  eps[1] = 0.01;
  const auto returned = return_to_cone<d>(eps, moduli, 0.0);
  BOOST_TEST((returned.part == Part::surface));
  for (int a = 0; a < d; ++a) BOOST_TEST(std::abs(returned.eps[a] + 0.02 / d) < 20 * u * 0.03);
}

/// Case II hardens by the strain it removes. Printed with superscript n+1, δq would be the norm after the
/// return: 0.
BOOST_AUTO_TEST_CASE_TEMPLATE(separation_hardens_by_the_norm_of_the_trial_strain, D, Dims) {
  constexpr int d = D::d;
  Vec<d> eps = Vec<d>::Zero();
  eps[0] = 0.04;
  eps[1] = -0.03;
  const auto update = return_with_memory<d>(eps, 0.0, sand_material(), alpha_30);
  BOOST_TEST((update.part == Part::tip));
  BOOST_TEST(std::abs(update.delta_q - 0.05) < 4 * u);
  const double printed = update.eps.norm();
  BOOST_TEST(printed == 0.0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(slip_hardens_by_delta_gamma_and_rest_does_not_harden, D, Dims) {
  constexpr int d = D::d;
  Vec<d> eps = Vec<d>::Constant(-0.01);
  BOOST_TEST(return_with_memory<d>(eps, 0.0, sand_material(), alpha_30).delta_q == 0.0);
  eps[0] = -0.03;
  eps[1] = 0.025;
  const auto update = return_with_memory<d>(eps, 0.0, sand_material(), alpha_30);
  BOOST_TEST((update.part == Part::surface));
  BOOST_TEST(update.delta_q == return_to_cone<d>(eps, moduli, alpha_30).delta_gamma);
  BOOST_TEST(update.delta_q > 0.0);
}

BOOST_AUTO_TEST_CASE(strains_and_moduli_outside_their_range_are_refused) {
  const Vec<2> eps(-0.01, 0.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(return_to_cone<2>(eps, Lame{0.0, 1.0}, 0.1), std::invalid_argument);
  BOOST_CHECK_THROW(return_to_cone<2>(eps, moduli, -0.1), std::invalid_argument);
  BOOST_CHECK_THROW(return_to_cone<2>(eps, moduli, nan), std::invalid_argument);
  BOOST_CHECK_THROW(return_to_cone<2>(Vec<2>(nan, 0.0), moduli, 0.1), std::invalid_argument);
  BOOST_CHECK_NO_THROW(return_to_cone<2>(eps, moduli, 0.0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
