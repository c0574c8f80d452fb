// What wets sand and what that does to its cohesion; the reversible term's shares.
#include "reference/physics/saturation.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;

constexpr double rounding = 1e-15;

}  // namespace

BOOST_AUTO_TEST_SUITE(saturation_of_sand)

/// [ERRATA T8]: wet is where both are, not in the union of both.
BOOST_AUTO_TEST_CASE(a_node_is_wet_where_both_phases_have_mass) {
  BOOST_TEST(is_wet(1.0, 1e-300, 0.0));
  BOOST_TEST(!is_wet(1.0, 0.0, 0.0));
  BOOST_TEST(!is_wet(0.0, 1.0, 0.0));
  BOOST_TEST(!is_wet(0.0, 0.0, 0.0));
}

/// [ERRATA T22]
BOOST_AUTO_TEST_CASE(a_threshold_takes_the_rims_of_both_phases_out) {
  BOOST_TEST(is_wet(2.0, 1.5, 1.0));
  BOOST_TEST(!is_wet(2.0, 1.0, 1.0));
  BOOST_TEST(!is_wet(1.0, 2.0, 1.0));
}

/// [ERRATA T21]: a sum of all weights may round to more than 1; printed, cohesion would then be negative.
BOOST_AUTO_TEST_CASE(saturation_beyond_one_is_one) {
  const double beyond = 1.0 + 4e-16;
  BOOST_TEST(beyond > 1.0);
  BOOST_TEST(saturation(beyond) == 1.0);
  BOOST_TEST(cohesion_of_wet(100.0, saturation(beyond), Softening::linear) == 0.0);
  BOOST_TEST(cohesion_of_wet(100.0, beyond, Softening::linear) < 0.0);
  BOOST_TEST(saturation(0.28125) == 0.28125);
  BOOST_TEST(saturation(0.0) == 0.0);
}

/// [ERRATA T7, T29]: Eq.25 falls from the start, §3.4 from φ = 0.4 on; both end at none.
BOOST_AUTO_TEST_CASE(cohesion_falls_as_eq_25_or_as_section_3_4_says) {
  const double dry = 250.0;
  for (const double phi : {0.0, 0.2, 0.4}) {
    BOOST_TEST(std::abs(cohesion_of_wet(dry, phi, Softening::linear) - dry * (1.0 - phi)) <= dry * rounding);
    BOOST_TEST(cohesion_of_wet(dry, phi, Softening::beyond_two_fifths) == dry);
    BOOST_TEST(cohesion_of_wet(dry, phi, Softening::none) == dry);
  }
  BOOST_TEST(std::abs(cohesion_of_wet(dry, 0.7, Softening::linear) - 75.0) <= dry * rounding);
  BOOST_TEST(std::abs(cohesion_of_wet(dry, 0.7, Softening::beyond_two_fifths) - 125.0) <= dry * rounding);
  for (const Softening softening : {Softening::linear, Softening::beyond_two_fifths})
    BOOST_TEST(cohesion_of_wet(dry, 1.0, softening) == 0.0);
  BOOST_TEST(cohesion_of_wet(dry, 1.0, Softening::none) == dry);
}

/// Sand that water has left is as cohesive as before: nothing but φ and the dry cohesion decides [ERRATA T23].
BOOST_AUTO_TEST_CASE(cohesion_comes_back_when_water_leaves) {
  BOOST_TEST(cohesion_of_wet(250.0, 0.9, Softening::linear) < 26.0);
  BOOST_TEST(cohesion_of_wet(250.0, 0.0, Softening::linear) == 250.0);
}

/// [ERRATA T12]: what water keeps and what sand gets of a force f are φ f and (1 − φ) f with the share of sand; with the
/// printed share they are exchanged, and agree only where both masses are equal.
BOOST_AUTO_TEST_CASE(sand_gets_the_share_of_its_own_mass) {
  const double m_s = 30.0, m_w = 10.0;
  BOOST_TEST(reversible_share(ReversibleTerm::mass, m_s, m_w, 0.0, 0.0) == 0.75);
  BOOST_TEST(reversible_share(ReversibleTerm::printed, m_s, m_w, 0.0, 0.0) == 0.25);
  BOOST_TEST(reversible_share(ReversibleTerm::mass, 5.0, 5.0, 0.0, 0.0) ==
             reversible_share(ReversibleTerm::printed, 5.0, 5.0, 0.0, 0.0));
  // In nearly pure water printed takes all of its support, adopted none.
  BOOST_TEST(reversible_share(ReversibleTerm::printed, 0.02, 0.98, 0.0, 0.0) == 0.98);
  BOOST_TEST(std::abs(reversible_share(ReversibleTerm::mass, 0.02, 0.98, 0.0, 0.0) - 0.02) <= rounding);
}

/// [ERRATA T41]: a pressure that bears the water, (1 − share) f = m_w g upwards, gives sand of twice its density the
/// acceleration share · f/m_s − g: none by mass, whatever there is of each; −g/2 by volume, as Archimedes has it.
BOOST_AUTO_TEST_CASE(grains_hover_by_mass_and_sink_by_volume) {
  const double g = 9.81;
  const auto acceleration = [&](ReversibleTerm term, double V_s, double V_w) {
    const double m_s = 2000.0 * V_s;
    const double m_w = 1000.0 * V_w;
    const double share = reversible_share(term, m_s, m_w, V_s, V_w);
    return share * (m_w * g / (1.0 - share)) / m_s - g;
  };
  for (const double V_s : {1e-6, 0.3, 1.0, 4.0}) {
    BOOST_TEST(std::abs(acceleration(ReversibleTerm::mass, V_s, 1.0)) <= 1e-13 * g);
    BOOST_TEST(std::abs(acceleration(ReversibleTerm::volume, V_s, 1.0) + 0.5 * g) <= 1e-9 * g);
  }
  // By the printed share the same sand is thrown up or falls, as it is less or more than the water.
  BOOST_TEST(acceleration(ReversibleTerm::printed, 0.1, 1.0) > g);
  BOOST_TEST(acceleration(ReversibleTerm::printed, 4.0, 1.0) < -0.9 * g);
}

/// A term acts only where it has somebody to push.
BOOST_AUTO_TEST_CASE(a_lone_phase_has_no_reversible_term) {
  for (const ReversibleTerm term :
       {ReversibleTerm::none, ReversibleTerm::mass, ReversibleTerm::volume, ReversibleTerm::printed}) {
    BOOST_TEST(reversible_share(term, 0.0, 1.0, 0.0, 1.0) == 0.0);
    BOOST_TEST(reversible_share(term, 1.0, 0.0, 1.0, 0.0) == 0.0);
  }
  BOOST_TEST(reversible_share(ReversibleTerm::none, 1.0, 1.0, 1.0, 1.0) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
