#include "experiments/figures/inflow_pile.h"
#include "experiments/figures/judging.h"
#include "experiments/figures/scatter.h"
#include "experiments/klar2016/fig10_youngs_modulus/stiffness.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/oscillation.h"
#include "validation/metrics/unseen_motion.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>
#include <stdexcept>

using namespace repose;
using namespace repose::experiments;

namespace {

constexpr Lame moduli{.mu = 3.0, .lambda = 4.0};

Field gradients(int dim, std::vector<double> values) {
  return {
      .name = "F", .unit = "", .place = Place::particle, .components = dim * dim, .value = std::move(values)};
}

/// Particles of unit mass with given positions and velocities in the plane.
Snapshot particles(const std::vector<double>& x, const std::vector<double>& v, const std::vector<double>& C) {
  const std::size_t count = x.size() / 2;
  Snapshot state;
  state.method = "mpm";
  const auto set = [&](std::string_view name, int components, std::vector<double> value) {
    state.set({.name = std::string(name),
               .unit = "",
               .place = Place::particle,
               .components = components,
               .value = std::move(value)});
  };
  set(field::mass, 1, std::vector<double>(count, 1.0));
  set(field::x, 2, x);
  set(field::v, 2, v);
  set(field::C, 4, C);
  return state;
}

Scene plane() {
  Scene scene;
  scene.scheme = MpmOptions{};
  scene.grid = {.dim = 2, .h = 0.1, .domain_min = Point::Zero(), .cells = {10, 10, 1}};
  return scene;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_measures)

/// F = R diag(e^0.2, e^-0.3): the rotation does not matter, the strains are the exponents.
BOOST_AUTO_TEST_CASE(principal_strains_are_logarithms_of_stretches) {
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  const double a = std::exp(0.2);
  const double b = std::exp(-0.3);
  const Field F = gradients(2, {1, 0, 0, 1, c * a, -s * b, s * a, c * b});
  const PrincipalStrain strain = principal_strain(F, 1, 2);
  BOOST_TEST(std::abs(strain.eps[0] - 0.2) < 1e-15);
  BOOST_TEST(std::abs(strain.eps[1] + 0.3) < 1e-15);
  BOOST_TEST(std::abs(strain.trace() + 0.1) < 1e-15);
  BOOST_TEST(std::abs(strain.deviator_norm() - 0.5 / std::numbers::sqrt2) < 1e-15);
  BOOST_TEST(principal_strain(F, 0, 2).deviator_norm() == 0.0);
  BOOST_CHECK_THROW(principal_strain(gradients(2, {1, 0, 0, 0}), 0, 2), std::invalid_argument);
}

/// μ 3, λ 4, ε = (0.2, −0.3): ψ = 3 · 0.13 + 2 · 0.01 = 0.41.
BOOST_AUTO_TEST_CASE(energy_and_yield_have_their_closed_forms) {
  const PrincipalStrain strain{.dim = 2, .eps = {0.2, -0.3, 0.0}};
  BOOST_TEST(std::abs(energy_density(strain, moduli) - 0.41) < 1e-15);
  const auto tau = kirchhoff_stress(strain, moduli);
  BOOST_TEST(std::abs(tau[0] - (1.2 - 0.4)) < 1e-15);
  BOOST_TEST(std::abs(tau[1] - (-1.8 - 0.4)) < 1e-15);
  // δγ = ‖ε̂‖ + (dλ + 2μ)/2μ · tr ε · α = 0.35355 − 14/6 · 0.1 · α
  BOOST_TEST(std::abs(yield_residual(strain, moduli, 0.5) - (0.5 / std::numbers::sqrt2 - 0.7 / 6.0)) < 1e-15);
  const double alpha = slope_through(strain, moduli);
  BOOST_TEST(std::abs(yield_residual(strain, moduli, alpha)) < 1e-15);
  BOOST_TEST(std::isnan(slope_through({.dim = 2, .eps = {0.2, 0.1, 0.0}}, moduli)));
}

/// α(30°) = √(2/3) · 2 · 0.5/2.5 = 0.32660; φ(0) = h0 − h3 and φ(∞) = h0.
BOOST_AUTO_TEST_CASE(slopes_and_angles_follow_the_printed_equations) {
  BOOST_TEST(std::abs(cone_slope(30.0 * degree) - 0.4 * std::sqrt(2.0 / 3.0)) < 1e-15);
  for (const double angle : {0.1, 0.5, 1.2}) {
    BOOST_TEST(std::abs(friction_angle_of_slope(cone_slope(angle)) - angle) < 1e-14);
  }
  const FrictionLaw law{.h0 = 0.6, .h1 = 0.1, .h2 = 0.3, .h3 = 0.2};
  BOOST_TEST(std::abs(hardened_angle(law, 0.0) - 0.4) < 1e-15);
  BOOST_TEST(std::abs(hardened_angle(law, 1e3) - 0.6) < 1e-15);
  BOOST_TEST(std::abs(hardened_angle(law, 2.0) - 0.6) < 1e-15);  // h1 q = h3
}

BOOST_AUTO_TEST_CASE(the_grid_sees_uniform_and_affine_motion_whole) {
  const Scene scene = plane();
  // v = (1, 2) everywhere.
  const Snapshot uniform =
      particles({0.41, 0.52, 0.47, 0.55, 0.33, 0.39}, {1, 2, 1, 2, 1, 2}, std::vector<double>(12, 0.0));
  const UnseenMotion seen = unseen_motion(uniform, scene);
  BOOST_TEST(std::abs(seen.kinetic_energy - 7.5) < 1e-14);
  BOOST_TEST(seen.unseen_energy < 1e-28);
  // v = (−y, x), carried by C: a lone particle too.
  const Snapshot turning = particles({0.41, 0.52}, {-0.52, 0.41}, {0, -1, 1, 0});
  BOOST_TEST(unseen_motion(turning, scene).unseen_energy < 1e-28);
}

/// Two particles at one place with opposite velocities leave no momentum on the grid: nothing of them is seen.
BOOST_AUTO_TEST_CASE(opposite_motion_at_one_place_is_unseen_whole) {
  const Snapshot state = particles({0.45, 0.45, 0.45, 0.45}, {3, 0, -3, 0}, std::vector<double>(8, 0.0));
  const UnseenMotion motion = unseen_motion(state, plane());
  BOOST_TEST(std::abs(motion.share() - 1.0) < 1e-14);
  BOOST_TEST(std::abs(motion.root_mean_square() - 3.0) < 1e-14);
  BOOST_TEST(std::abs(motion.speed[1] - 3.0) < 1e-14);
}

BOOST_AUTO_TEST_CASE(falling_quantities_do_not_swing) {
  const std::vector<double> falling{5, 4, 4, 1, 0};
  BOOST_TEST(oscillation(falling, 0.0).amplitude == 0.0);
  BOOST_TEST(oscillation(falling, 0.0).rises == 0);
  BOOST_TEST(oscillation({}, 0.0).rises == 0);
}

/// From 0 up to 3, down to 1, up to 2.5, down to 2.3, up to 2.6: with threshold 1, two rises; with 0.1, three.
BOOST_AUTO_TEST_CASE(swings_above_the_threshold_are_counted_once) {
  const std::vector<double> values{4, 0, 2, 3, 1, 2, 2.5, 2.3, 2.6};
  BOOST_TEST(oscillation(values, 1.0).rises == 2);
  BOOST_TEST(oscillation(values, 0.1).rises == 3);
  BOOST_TEST(oscillation(values, 3.5).rises == 0);
  BOOST_TEST((oscillation(values, 1.0).starts == std::vector<std::size_t>{1, 4}));
  BOOST_TEST((oscillation(values, 0.1).starts == std::vector<std::size_t>{1, 4, 7}));
  BOOST_TEST(oscillation(values, 1.0).amplitude == 3.0);
}

/// 1, 2, 3: deviation 1, and Student's t of three seeds, (2p − 1)/√(2p (1 − p)) for two degrees of freedom.
BOOST_AUTO_TEST_CASE(seeds_set_the_least_difference_that_is_real) {
  const std::vector<double> seeds{1, 2, 3};
  const double t = 0.95 / std::sqrt(2.0 * 0.975 * 0.025);
  BOOST_TEST(std::abs(least_real_difference(seeds) - t * std::numbers::sqrt2) < 1e-12);
  const std::vector<double> one{1};
  BOOST_CHECK_THROW(least_real_difference(one), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(names_keep_letters_digits_and_points) {
  BOOST_TEST(word("E 1e+05 Pa, seed 2") == "E_1e_05_Pa_seed_2");
  BOOST_TEST(word("c Δt/h 0.6") == "c_t_h_0p6");
}

/// Drop 0.5 m at 1 m/s: √(1 + 9.81) m/s at the ground after 0.233 s; 0.16 m²/s for 0.297 s.
BOOST_AUTO_TEST_CASE(an_inflow_knows_its_fall) {
  Scene scene = klar2016::stiffness_scene(klar2016::stiffness_setup(Preset::paper), 1e6, 1);
  const InflowPile pile = inflow_pile(scene);
  BOOST_TEST(std::abs(pile.drop - 0.5) < 1e-4);
  BOOST_TEST(std::abs(pile.fall_speed - std::sqrt(10.81)) < 1e-4);
  BOOST_TEST(std::abs(pile.landed - (0.297 + 0.2332)) < 1e-3);
  BOOST_TEST(std::abs(pile.sand - 0.04752) < 1e-12);
  BOOST_TEST(std::abs(pile.mass - 2200.0 * 0.04752) < 1e-9);
  scene.emitters.front().velocity = Point(1.0, 0.0, 0.0);
  scene.emitters.front().rate = 0.01;
  BOOST_CHECK_THROW(inflow_pile(scene), std::invalid_argument);
  scene.emitters.clear();
  BOOST_CHECK_THROW(inflow_pile(scene), std::invalid_argument);
  BOOST_CHECK_THROW(set_spacing(scene, 0.03), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
