#include "reference/physics/hardening.h"

#include "reference/interface/base/types.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace repose::test {
namespace {

namespace data = boost::unit_test::data;

FrictionLaw law_deg(double h0, double h1, double h2, double h3) {
  return {h0 * degree, h1 * degree, h2, h3 * degree};
}

/// q of the largest φ on a fine grid: no formula of the maximum is used.
double steepest_state(const FrictionLaw& law) {
  double best = 0.0;
  for (int n = 0; n <= 100000; ++n) {
    const double q = 1e-3 * n;
    if (friction_angle(law, q) > friction_angle(law, best)) best = q;
  }
  return best;
}

BOOST_AUTO_TEST_SUITE(hardening)

BOOST_AUTO_TEST_CASE(the_friction_angle_starts_at_h0_minus_h3_rises_to_its_maximum_and_tends_to_h0) {
  const FrictionLaw butterfly = law_deg(35, 9, 0.2, 10);
  BOOST_TEST(std::abs(friction_angle(butterfly, 0.0) / degree - 25.0) < 1e-12);
  const double q = steepest_state(butterfly);
  BOOST_TEST(std::abs(q - (1.0 / 0.2 + 10.0 / 9.0)) <= 1e-3);  // the grid's spacing
  BOOST_TEST(std::abs(q - 6.11) < 0.005);
  BOOST_TEST(std::abs(friction_angle(butterfly, q) / degree - 48.26) < 0.005);
  BOOST_TEST(std::abs(friction_angle(butterfly, 500.0) / degree - 35.0) < 1e-12);

  const FrictionLaw hourglass = law_deg(35, 9, 0.3, 10);
  BOOST_TEST(std::abs(steepest_state(hourglass) - 4.44) < 0.005);
  BOOST_TEST(std::abs(friction_angle(hourglass, steepest_state(hourglass)) / degree - 42.91) < 0.005);
}

BOOST_AUTO_TEST_CASE(without_h1_the_friction_angle_only_rises) {
  const FrictionLaw castle = law_deg(35, 0, 0.2, 10);
  for (int n = 0; n < 300; ++n) {
    const double q = 0.1 * n;
    BOOST_TEST(friction_angle(castle, q + 0.1) > friction_angle(castle, q));
    BOOST_TEST(friction_angle(castle, q) < 35.0 * degree);
  }
}

/// Mohr–Coulomb in triaxial compression, σ_a < σ_r < 0: (σ_r − σ_a)/(−σ_r − σ_a) = sin φ. On the cone there.
BOOST_DATA_TEST_CASE(the_cone_meets_mohr_coulomb_in_triaxial_compression,
                     data::make({5., 20., 30., 40., 60., 85.}), phi_deg) {
  const double s = std::sin(phi_deg * degree);
  const double radial = -1.0;
  const double axial = radial * (1.0 + s) / (1.0 - s);
  const Vec<3> tau(axial, radial, radial);
  const Vec<3> dev = tau - tau.mean() * Vec<3>::Ones();
  const double alpha = friction_to_slope(phi_deg * degree);
  BOOST_TEST(std::abs(dev.norm() + alpha * tau.sum()) < 1e-14 * std::abs(tau.sum()));

  // In extension the cone is steeper than Mohr–Coulomb, by (3 + s)/(3 − s).
  const Vec<3> extension(radial * (1.0 - s) / (1.0 + s), radial, radial);
  const Vec<3> dev_e = extension - extension.mean() * Vec<3>::Ones();
  const double used = dev_e.norm() / (-alpha * extension.sum());
  BOOST_TEST(std::abs(used - (3.0 - s) / (3.0 + s)) < 1e-13);
}

/// The most tensile principal stress on the 3D cone is in triaxial extension: two equal compressions, one
/// release.
BOOST_AUTO_TEST_CASE(above_37_degrees_the_cone_holds_states_with_a_tensile_stress) {
  const auto largest_stress = [](double phi_deg) {
    const double alpha = friction_to_slope(phi_deg * degree);
    const double p = 1.0;
    return -p + std::sqrt(2.0 / 3.0) * 3.0 * alpha * p;
  };
  BOOST_TEST(largest_stress(36.86) < 0.0);
  BOOST_TEST(largest_stress(36.88) > 0.0);
}

BOOST_AUTO_TEST_CASE(states_and_angles_outside_their_range_are_refused) {
  const FrictionLaw law = law_deg(30, 0, 0, 0);
  BOOST_CHECK_THROW(friction_angle(law, -1e-12), std::invalid_argument);
  BOOST_CHECK_THROW(friction_angle(law, std::numeric_limits<double>::infinity()), std::invalid_argument);
  BOOST_CHECK_THROW(friction_angle(law, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  BOOST_CHECK_NO_THROW(friction_to_slope(0.0));
  BOOST_CHECK_THROW(friction_to_slope(-1e-3), std::invalid_argument);
  BOOST_CHECK_THROW(friction_to_slope(std::numbers::pi / 2.0), std::invalid_argument);
  BOOST_CHECK_THROW(friction_to_slope(30.0), std::invalid_argument);  // degrees taken as radians
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
