// The law of water against printed numbers and fifty digits.
#include "reference/physics/water.h"

#include "tests/unit/physics/fifty_digits.h"
#include "tests/unit/samples.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace repose::test {
namespace {

Material water(double k, double gamma, bool tension = true) {
  Material m;
  m.name = "water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = k;
  m.water_gamma = gamma;
  m.water_tension = tension;
  return m;
}

/// ψ as printed, and the constant that makes it 0 at rest; γ = 1 as its limit.
Big energy_of(const Big& J, double k, double gamma) {
  if (gamma == 1.0) return k * (J - 1) - k * log(J);
  const Big printed = -k * (pow(J, Big(1) - gamma) / (Big(1) - gamma) - J);
  const Big at_rest = -k * (1 / (Big(1) - gamma) - 1);
  return printed - at_rest;
}

constexpr double stretches[] = {1e-3, 0.3, 0.9, 1.0 - 1e-7, 1.0, 1.0 + 1e-9, 1.2, 4.0};
constexpr double exponents[] = {0.5, 1.0, 3.0, 7.0};

BOOST_AUTO_TEST_SUITE(water_law_test)

/// k 50, γ 3: p(½) = 50 (8 − 1), ψ(½) = 25 (4 − 1) − 25; k γ = 150.
BOOST_AUTO_TEST_CASE(known_volumes_have_known_pressures) {
  const OfVolume half = water_law(0.5, water(50.0, 3.0));
  BOOST_TEST(std::abs(half.pressure - 350.0) <= 8 * u * 400.0);
  BOOST_TEST(std::abs(half.energy - 50.0) <= 8 * u * 100.0);
  BOOST_TEST(std::abs(half.stiffness - 2400.0) <= 8 * u * 2400.0);
  const OfVolume rest = water_law(1.0, water(50.0, 3.0));
  BOOST_TEST((rest.energy == 0.0 && rest.pressure == 0.0 && rest.stiffness == 150.0 && rest.products == 0.0));
}

BOOST_AUTO_TEST_CASE(energy_pressure_and_stiffness_are_those_of_fifty_digits) {
  const double k = 50.0;
  for (const double gamma : exponents) {
    for (const double J : stretches) {
      const OfVolume law = water_law(J, water(k, gamma));
      const Big at = J;
      const Big up = energy_of(at + big_step, k, gamma), here = energy_of(at, k, gamma),
                down = energy_of(at - big_step, k, gamma);
      const double p = static_cast<double>(-(up - down) / (2 * big_step));
      // The step leaves p' a relative error of 10⁻¹⁵, ψ that of J − 1 and of the power.
      BOOST_TEST(std::abs(law.pressure - p) <= 8 * u * law.products + 1e-25 * k);
      const double bend = static_cast<double>((up - 2 * here + down) / (big_step * big_step));
      BOOST_TEST(std::abs(law.stiffness - bend) <= (8 + 4 * gamma * std::abs(std::log(J))) * u * bend);
      const double scale =
          k * (std::abs(J - 1.0) + std::abs(static_cast<double>(here)) / k) * (8 + 4 * gamma);
      BOOST_TEST(std::abs(law.energy - static_cast<double>(here)) <=
                 (4.0 + 4.0 * std::abs(std::log(J))) * u * scale);
    }
  }
}

/// [Tam17 §3.2] calls k the bulk modulus, −J dp/dJ at rest: it is γk. The print's ψ is not 0 there: 75 for k 50 and γ 3.
BOOST_AUTO_TEST_CASE(k_is_not_the_bulk_modulus_and_the_printed_energy_is_not_zero_at_rest) {
  const Material m = water(50.0, 3.0);
  const double h = 1e-5;
  const double bulk = -(water_law(1.0 + h, m).pressure - water_law(1.0 - h, m).pressure) / (2.0 * h);
  BOOST_TEST(std::abs(bulk / 150.0 - 1.0) < 1e-8);
  BOOST_TEST(std::abs(wave_speed(m) / std::sqrt(bulk / m.density) - 1.0) < 1e-8);
  BOOST_TEST(std::abs(bulk / 50.0 - 1.0) > 1.0);
  const double printed_at_rest = -50.0 * (1.0 / (1.0 - 3.0) - 1.0);
  BOOST_TEST(printed_at_rest == 75.0);
  BOOST_TEST(water_law(1.0, m).energy == 0.0);
}

BOOST_AUTO_TEST_CASE(small_changes_of_volume_keep_their_digits) {
  const Material m = water(1e3, 7.0);
  for (const double e : {1e-12, -1e-12}) {
    const double J = 1.0 + e;
    const double exact = static_cast<double>(1e3 * (pow(Big(J), Big(-7)) - 1));
    const double p = water_law(J, m).pressure;
    BOOST_TEST(std::abs(p - exact) <= 8 * u * std::abs(exact));
    BOOST_TEST(std::abs(p) > 0.0);
    // As printed the digits are gone.
    BOOST_TEST(std::abs(1e3 * (std::pow(J, -7.0) - 1.0) - exact) > 1e3 * u * std::abs(exact));
  }
}

BOOST_AUTO_TEST_CASE(stretched_water_pulls_unless_it_may_not) {
  const Material pulls = water(50.0, 3.0), tears = water(50.0, 3.0, false);
  for (const double J : {1.0 + 1e-12, 1.1, 10.0}) {
    BOOST_TEST(water_law(J, pulls).pressure < 0.0);
    BOOST_TEST(water_law(J, pulls).pressure > -50.0);
    const OfVolume torn = water_law(J, tears);
    BOOST_TEST((torn.energy == 0.0 && torn.pressure == 0.0 && torn.stiffness == 0.0 && torn.products == 0.0));
  }
  for (const double J : {0.2, 1.0 - 1e-12})
    BOOST_TEST(water_law(J, tears).pressure == water_law(J, pulls).pressure);
}

BOOST_AUTO_TEST_CASE(what_is_no_water_is_refused) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double J : {0.0, -0.5, inf, std::nan("")})
    BOOST_CHECK_THROW(water_law(J, water(50.0, 3.0)), std::invalid_argument);
  BOOST_CHECK_THROW(water_law(1.0, water(0.0, 3.0)), std::invalid_argument);
  BOOST_CHECK_THROW(water_law(1.0, water(50.0, 0.0)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
