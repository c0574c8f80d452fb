// Drag of two masses against decays that are known in closed form, and what any drag must keep.
#include "reference/physics/drag.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;

/// Two masses that meet head on: m_s 2 kg, m_w 1 kg, c_E 5, Δt 0.01 s, so that r = 15 per second.
struct Pair {
  double m_s = 2.0, m_w = 1.0, c_E = 5.0, dt = 0.01;
  Vec<2> v_s{1.0, 0.0}, v_w{-1.0, 0.0};

  void step() {
    const Vec<2> j = drag_impulse<2>(m_s, v_s, m_w, v_w, drag_rate(c_E, m_s, m_w), dt);
    v_s -= j / m_s;
    v_w += j / m_w;
  }
  double energy() const { return 0.5 * m_s * v_s.squaredNorm() + 0.5 * m_w * v_w.squaredNorm(); }
};

double number(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1p-53;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(drag)

/// w_n = 2/1.15ⁿ, v_s = ⅓ + w/3, v_w = ⅓ − 2w/3. Forward Euler has .393748808681 for w₁₀, the exponential .446260320297.
BOOST_AUTO_TEST_CASE(two_masses_close_the_difference_of_their_velocities_by_backward_euler) {
  Pair pair;
  const double before = pair.energy();
  const double fifteen_digits = 1e-13;
  for (int n = 1; n <= 100; ++n) {
    pair.step();
    if (n == 1) {
      BOOST_TEST(std::abs(before - pair.energy() - 0.325141776938) <= 1e-12);
      BOOST_TEST(std::abs(pair.v_s.x() - 0.913043478261) <= 1e-12);
      BOOST_TEST(std::abs(pair.v_w.x() + 0.826086956522) <= 1e-12);
    }
    const double w = 2.0 * std::pow(1.15, -n);
    BOOST_TEST(std::abs(pair.v_s.x() - (1.0 + w) / 3.0) <= fifteen_digits);
    BOOST_TEST(std::abs(pair.v_w.x() - (1.0 - 2.0 * w) / 3.0) <= fifteen_digits);
    if (n != 10) continue;
    const double w_10 = pair.v_s.x() - pair.v_w.x();
    BOOST_TEST(std::abs(w_10 - 0.494369412244) <= 1e-12);
    BOOST_TEST(std::abs(w_10 - 0.393748808681) > 0.1);
    BOOST_TEST(std::abs(w_10 - 0.446260320297) > 0.04);
  }
  BOOST_TEST(std::abs(pair.v_s.x() - 0.333333901041) <= 1e-12);
  BOOST_TEST(std::abs(pair.v_w.x() - 0.333332197918) <= 1e-12);
}

/// −9.81 m/s² on sand alone: w = −9.81/r is a fixed point of the step, w′ = (w − 9.81 Δt)/(1 + r Δt).
BOOST_AUTO_TEST_CASE(falling_sand_comes_to_a_speed_at_which_drag_bears_it) {
  Pair pair;
  for (int n = 0; n < 400; ++n) {
    pair.v_s.x() -= 9.81 * pair.dt;
    pair.step();
  }
  BOOST_TEST(std::abs(pair.v_s.x() - pair.v_w.x() + 0.654) <= 1e-12);
}

/// From no drag to one that is as good as infinite: momentum is kept to rounding, energy never grows, and the difference of
/// velocities keeps its direction and does not grow.
BOOST_DATA_TEST_CASE(drag_keeps_momentum_and_loses_energy, data::xrange(200), sample) {
  std::mt19937_64 random(static_cast<std::uint64_t>(sample) + 1);
  const double m_s = std::pow(10.0, number(random, -12.0, 3.0));
  const double m_w = std::pow(10.0, number(random, -12.0, 3.0));
  const double rate = std::pow(10.0, number(random, -6.0, 12.0));
  Vec<3> v_s, v_w;
  for (int a = 0; a < 3; ++a) v_s[a] = number(random, -2.0, 2.0);
  for (int a = 0; a < 3; ++a) v_w[a] = number(random, -2.0, 2.0);
  const double dt = 1e-3;
  const Vec<3> j = drag_impulse<3>(m_s, v_s, m_w, v_w, rate, dt);
  const Vec<3> after_s = v_s - j / m_s;
  const Vec<3> after_w = v_w + j / m_w;
  const Vec<3> w = v_s - v_w;
  // By the energy of the difference: ½ μ (w² − w′²) with w′ = w/(1 + rΔt), μ = 1/(1/m_s + 1/m_w).
  const double kept = 1.0 / (1.0 + rate * dt);
  const double lost = 0.5 / (1.0 / m_s + 1.0 / m_w) * w.squaredNorm() * (rate * dt * kept) * (1.0 + kept);
  const double mean_power = j.dot(0.5 * (w + after_s - after_w));
  BOOST_TEST(lost > 0.0);
  BOOST_TEST(std::abs(mean_power - lost) <= 1e-14 * lost + 4e-15 * j.norm() * (v_s.norm() + v_w.norm()));
  BOOST_TEST((after_s - after_w - kept * w).norm() <= 4e-16 * 8.0 * (v_s.norm() + v_w.norm()));
}

/// No drag changes no bit, also of a zero that has a sign.
BOOST_AUTO_TEST_CASE(no_drag_is_exactly_none) {
  const Vec<2> v_s(0.3, -0.7);
  const Vec<2> v_w(-1.1, 0.2);
  BOOST_TEST(drag_impulse<2>(2.0, v_s, 1.0, v_w, drag_rate(0.0, 2.0, 1.0), 0.01).isZero(0.0));
  BOOST_TEST(drag_impulse<2>(2.0, v_s, 1.0, v_w, 15.0, 0.0).isZero(0.0));
  BOOST_TEST(!drag_impulse<2>(2.0, v_s, 1.0, v_w, 15.0, 0.01).isZero(0.0));
}

/// [ERRATA T11]: of a constant c_E the rate at a node goes with the node's mass, by 4 in 2D and by 8 in 3D when the grid is
/// halved; of the coefficient per volume it stays.
BOOST_DATA_TEST_CASE(the_printed_drag_fades_as_the_grid_is_refined, data::make({2, 3}), dim) {
  double printed[2], consistent[2];
  for (const int level : {0, 1}) {
    const double volume = std::pow(level == 0 ? 0.5 : 0.25, dim);
    const double m_s = 1200.0 * volume;
    const double m_w = 400.0 * volume;
    printed[level] = drag_rate(1e-2, m_s, m_w);
    consistent[level] = drag_rate_of_volume(3e3, volume, m_s, m_w);
  }
  BOOST_TEST(printed[0] == std::pow(2.0, dim) * printed[1]);
  BOOST_TEST(consistent[0] == consistent[1]);
  // The link of both: κ V/(m_s m_w) for c_E.
  const double volume = std::pow(0.5, dim);
  const double m_s = 1200.0 * volume;
  const double m_w = 400.0 * volume;
  BOOST_TEST(std::abs(drag_rate(3e3 * volume / (m_s * m_w), m_s, m_w) / consistent[0] - 1.0) <= 1e-15);
}

/// Where one phase is about to vanish the rate per volume grows beyond all bounds, and the light phase takes the speed of
/// the heavy one.
BOOST_AUTO_TEST_CASE(a_phase_of_hardly_any_mass_goes_along) {
  const double light = 1e-290;
  const Vec<2> v_s(1.0, 2.0);
  const Vec<2> v_w(-3.0, 5.0);
  const double rate = drag_rate_of_volume(1e6, 1e-2, 10.0, light * 1e-20);
  BOOST_TEST(std::isinf(rate));
  const Vec<2> j = drag_impulse<2>(10.0, v_s, light, v_w, rate, 1e-3);
  BOOST_TEST((v_w + j / light - v_s).norm() <= 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
