#include "reference/interface/methods/mpm.h"
#include "validation/metrics/motion.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace repose;
using namespace repose::metrics;

namespace {

Snapshot two_particles(int dim) {
  Snapshot state;
  state.method = "mpm";
  const auto d = static_cast<std::size_t>(dim);
  std::vector<double> x(2 * d, 0.0);
  std::vector<double> v(2 * d, 0.0);
  std::vector<double> deformation(2 * d * d, 0.0);
  for (std::size_t p = 0; p < 2; ++p) {
    for (std::size_t i = 0; i < d; ++i) deformation[p * d * d + i * d + i] = p == 0 ? 2.0 : 1.0;
  }
  x[0] = 4.0;  // first at (4, 0), second at (0, 1)
  x[d + 1] = 1.0;
  v[0] = 3.0;  // first at (3, 4), second at (−6, 0)
  v[1] = 4.0;
  v[d] = -6.0;
  state.set({std::string(field::mass), "kg", Place::particle, 1, {1.0, 3.0}});
  state.set({std::string(field::volume), "m³", Place::particle, 1, {0.5, 0.25}});
  state.set({std::string(field::x), "m", Place::particle, dim, x});
  state.set({std::string(field::v), "m/s", Place::particle, dim, v});
  state.set({std::string(field::F), "1", Place::particle, dim * dim, deformation});
  return state;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_motion)

BOOST_AUTO_TEST_CASE(sums_of_two_particles_are_those_on_paper) {
  for (const int dim : {2, 3}) {
    const Motion sum = motion(two_particles(dim), dim);
    BOOST_TEST(sum.mass == 4.0);
    BOOST_TEST(sum.volume == 0.5 * std::pow(2.0, dim) + 0.25);
    BOOST_TEST((sum.centre == Point(1.0, 0.75, 0.0)));
    BOOST_TEST((sum.momentum == Point(3.0 - 18.0, 4.0, 0.0)));
    BOOST_TEST(sum.kinetic_energy == 0.5 * 25.0 + 1.5 * 36.0);
    BOOST_TEST(sum.max_speed == 6.0);
  }
}

/// Threshold: 0.1 · 10 m/s² · 2 m = 2 J/kg, a speed of 2 m/s.
BOOST_AUTO_TEST_CASE(rest_needs_little_energy_for_long_enough) {
  RestCriterion rest(2.0, 10.0, 0.1, 1.0);
  const auto at_speed = [](double v) { return Motion{.mass = 3.0, .kinetic_energy = 0.5 * 3.0 * v * v}; };
  BOOST_TEST(!rest.update(0.0, at_speed(1.99)));
  BOOST_TEST(!rest.update(0.9, at_speed(1.99)));
  BOOST_TEST(!rest.update(1.0, at_speed(2.01)));  // a break: the time counts anew
  BOOST_TEST(rest.rest_since() < 0.0);
  BOOST_TEST(!rest.update(2.0, at_speed(1.99)));
  BOOST_TEST(!rest.update(2.9, at_speed(0.0)));
  BOOST_TEST(rest.update(3.0, at_speed(1.99)));
  BOOST_TEST(rest.rest_since() == 2.0);
}

BOOST_AUTO_TEST_SUITE_END()
