#include "validation/metrics/extremes.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace repose::metrics;

BOOST_AUTO_TEST_SUITE(extremes_test)

BOOST_AUTO_TEST_CASE(extremes_are_those_of_numbers_in_either_order) {
  BOOST_TEST(larger(1.0, 2.0) == 2.0);
  BOOST_TEST(larger(2.0, 1.0) == 2.0);
  BOOST_TEST(smaller(1.0, -2.0) == -2.0);
  BOOST_TEST(smaller(-2.0, 1.0) == -2.0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(larger(-infinity, 3.0) == 3.0);
  BOOST_TEST(smaller(infinity, 3.0) == 3.0);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_stays_whatever_follows) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {-1.0, 0.0, 1.0, std::numeric_limits<double>::infinity()}) {
    BOOST_TEST(std::isnan(larger(none, value)));
    BOOST_TEST(std::isnan(larger(value, none)));
    BOOST_TEST(std::isnan(smaller(none, value)));
    BOOST_TEST(std::isnan(smaller(value, none)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
