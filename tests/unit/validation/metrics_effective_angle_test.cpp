#include "reference/interface/base/types.h"
#include "validation/metrics/effective_angle.h"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace repose;
using namespace repose::metrics;

BOOST_AUTO_TEST_SUITE(metrics_effective_angle)

/// Values by hand from sin φ = ½: 2√3 s/(3 − s) = √3/2.5 in plane strain, (4/√3) s/(3 − s) = 4/(5√3) · … in
/// 2D.
BOOST_AUTO_TEST_CASE(thirty_degrees_are_forty_four_in_plane_strain_and_under_twenty_eight_in_two_dimensions) {
  const double phi = 30.0 * degree;
  BOOST_TEST(std::abs(std::sin(effective_angle(phi, 3)) - std::sqrt(3.0) / 2.5) < 1e-15);
  BOOST_TEST(std::abs(std::sin(effective_angle(phi, 2)) - 0.8 / std::sqrt(3.0)) < 1e-15);
  BOOST_TEST(std::abs(effective_angle(phi, 3) / degree - 43.9) < 0.05);
  BOOST_TEST(std::abs(effective_angle(phi, 2) / degree - 27.5) < 0.05);
  BOOST_TEST(std::abs(effective_slope(phi, 3) / degree - 34.7) < 0.05);
  BOOST_TEST(std::abs(effective_slope(phi, 2) / degree - 24.8) < 0.05);
}

/// [Klar16 Eq.31] calls φ "the friction angle". A shear flow slides at another one: printed reading 30°, d =
/// 2: 27.5°, plane strain in 3D: 43.9°.
BOOST_AUTO_TEST_CASE(the_nominal_friction_angle_is_not_the_effective_one) {
  struct Row {
    double phi, plane, space;
  };
  for (const Row row : {Row{20, 17.3, 26.5}, Row{25, 22.3, 34.6}, Row{30, 27.5, 43.9}, Row{35, 33.1, 55.0},
                        Row{40, 39.0, 70.8}}) {
    const double phi = row.phi * degree;
    BOOST_TEST(std::abs(effective_angle(phi, 2) / degree - row.plane) < 0.05);
    BOOST_TEST(std::abs(effective_angle(phi, 3) / degree - row.space) < 0.1);
    BOOST_TEST(std::abs(effective_angle(phi, 2) / degree - row.phi) > 0.9);
    BOOST_TEST(std::abs(effective_angle(phi, 3) / degree - row.phi) > 6.0);
  }
}

BOOST_AUTO_TEST_CASE(beyond_some_angle_no_effective_one_exists) {
  const auto effective = [](double phi_deg, int dim) { return effective_angle(phi_deg * degree, dim); };
  BOOST_TEST(std::isfinite(effective(42.1, 3)));
  BOOST_TEST(std::isnan(effective(42.3, 3)));
  BOOST_TEST(std::isfinite(effective(64.9, 2)));
  BOOST_TEST(std::isnan(effective(65.1, 2)));
}

/// 2√3 s/(3 − s) = 1 at s = 3/(1 + 2√3), 42.2°; (4/√3) s/(3 − s) = 1 at s = 3/(1 + 4/√3), 65.0°.
BOOST_AUTO_TEST_CASE(effective_angle_ends_where_its_sine_passes_one) {
  BOOST_TEST(!std::isnan(effective_angle(42.2 * degree, 3)));
  BOOST_TEST(std::isnan(effective_angle(42.3 * degree, 3)));
  BOOST_TEST(std::isnan(effective_slope(42.3 * degree, 3)));
  BOOST_TEST(!std::isnan(effective_angle(65.0 * degree, 2)));
  BOOST_TEST(std::isnan(effective_angle(65.1 * degree, 2)));
}

/// Tries stresses instead of the formula: normal stress 1 across the slope, shear t along it, all pairs of
/// the two other normal stresses. The largest t that any of them admits must be tan θ; a grid of 0.005 finds
/// a flat maximum to 10⁻⁴.
BOOST_AUTO_TEST_CASE(steepest_slope_is_the_best_of_all_stresses_inside_the_cone) {
  for (const double phi : {15.0 * degree, 25.0 * degree, 30.0 * degree}) {
    const double s = std::sin(phi);
    double best = 0.0;
    for (double a = 0.0; a <= 6.0; a += 0.005) {
      for (double b = 0.0; b <= 6.0; b += 0.05) {
        // In terms of Mohr and Coulomb's triaxial compression q = M p: √(3/2) ‖dev σ‖ ≤ 6 s/(3 − s) · p.
        const double p = (1.0 + a + b) / 3.0;
        const double bound = std::sqrt(2.0 / 3.0) * 6.0 * s / (3.0 - s) * p;
        const double normal = (1.0 - p) * (1.0 - p) + (a - p) * (a - p) + (b - p) * (b - p);
        best = std::max(best, 0.5 * (bound * bound - normal));
      }
    }
    const double found = std::tan(steepest_slope(phi));
    BOOST_TEST(std::sqrt(best) <= found * (1.0 + 1e-12));
    BOOST_TEST(std::sqrt(best) > found * (1.0 - 1e-3));
    BOOST_TEST(steepest_slope(phi) > effective_slope(phi, 3));
  }
}

/// √(1/6) = √(2/3) · 2 s/(3 − s) at s = 3/5: 36.87°.
BOOST_AUTO_TEST_CASE(from_thirty_seven_degrees_on_the_cone_holds_any_slope) {
  BOOST_TEST(!std::isnan(steepest_slope(36.8 * degree)));
  BOOST_TEST(std::isnan(steepest_slope(36.9 * degree)));
  BOOST_TEST(steepest_slope(36.86 * degree) / degree > 85.0);
}

BOOST_AUTO_TEST_SUITE_END()
