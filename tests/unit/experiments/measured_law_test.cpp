#include "experiments/figures/measured_law.h"

#include "reference/interface/base/error.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace repose::experiments {
namespace {

constexpr std::string_view collapses = "column_collapse.toml";

bool says(const BadInput& error, std::string_view what) {
  return std::string(error.what()).find(what) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(measured_laws)

BOOST_AUTO_TEST_CASE(run_out_of_beads_is_linear_at_first_and_then_that_of_a_cone) {
  const MeasuredLaw law = measured_law(collapses, "lajeunesse2004_runout");
  BOOST_TEST(law.at(0.5) == 0.5);
  BOOST_TEST(law.at(2.0) == std::sqrt(3.0 * 2.0 / 0.74) - 1.0, boost::test_tools::tolerance(1e-14));
  // What is measured has no jump of half a radius: the pieces meet within the reading of a plot.
  BOOST_TEST(std::abs(law.at(0.74) - law.at(std::nextafter(0.74, 0.0))) < 0.02);
}

BOOST_AUTO_TEST_CASE(the_border_belongs_to_the_upper_piece) {
  const MeasuredLaw law = measured_law(collapses, "lube2004_runout");
  BOOST_TEST(law.at(1.7) == 1.6 * std::sqrt(1.7), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(law.at(std::nextafter(1.7, 0.0)) == 1.24 * 1.7, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(where_nobody_measured_there_is_no_law) {
  const MeasuredLaw law = measured_law(collapses, "lube2005_runout_2d");
  BOOST_TEST(law.at(1.0) == 1.2, boost::test_tools::tolerance(1e-14));
  BOOST_CHECK_THROW(law.at(2.0), std::out_of_range);  // between its two regimes
  BOOST_TEST(measured_number(collapses, "lube2005_runout_2d", "angle_of_repose_deg") == 29.5);
}

BOOST_AUTO_TEST_CASE(what_decides_nothing_or_is_not_there_is_refused_by_name) {
  BOOST_CHECK_EXCEPTION(measured_law(collapses, "lube2004_height"), BadInput,
                        [](const BadInput& e) { return says(e, "from memory"); });
  BOOST_CHECK_EXCEPTION(measured_law(collapses, "nobody1900"), BadInput,
                        [](const BadInput& e) { return says(e, "entry \"nobody1900\""); });
  BOOST_CHECK_EXCEPTION(measured_law(collapses, "balmforth2005_runout_wide"), BadInput,
                        [](const BadInput& e) { return says(e, "prefactor and exponent"); });
  BOOST_CHECK_EXCEPTION(measured_law("gone.toml", "x"), BadInput,
                        [](const BadInput& e) { return says(e, "gone.toml"); });
}

BOOST_AUTO_TEST_CASE(a_series_is_read_whole_or_not_at_all) {
  const std::vector<double> T = measured_series("dam_break.toml", "martin_moyce_front", "T");
  BOOST_TEST_REQUIRE(T.size() == 15U);
  BOOST_TEST(T.front() == 0.41);
  BOOST_TEST(T.back() == 3.33);
  BOOST_CHECK_EXCEPTION(measured_series("dam_break.toml", "martin_moyce_front", "H"), BadInput,
                        [](const BadInput& e) { return says(e, "series H of \"martin_moyce_front\""); });
  BOOST_CHECK_THROW(measured_series(collapses, "lube2004_runout", "T"), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::experiments
