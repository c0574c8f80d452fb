#include "experiments/bench/statistics.h"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace repose::experiments;

BOOST_AUTO_TEST_SUITE(bench_statistics)

BOOST_AUTO_TEST_CASE(quartiles_of_five_values_are_the_second_and_fourth) {
  const Spread spread = spread_of({5.0, 1.0, 3.0, 2.0, 4.0});
  BOOST_TEST(spread.least == 1.0);
  BOOST_TEST(spread.quartile_1 == 2.0);
  BOOST_TEST(spread.median == 3.0);
  BOOST_TEST(spread.quartile_3 == 4.0);
}

BOOST_AUTO_TEST_CASE(between_two_values_quantiles_are_interpolated) {
  const Spread spread = spread_of({2.0, 4.0});
  BOOST_TEST(spread.median == 3.0);
  BOOST_TEST(spread.quartile_1 == 2.5);
  BOOST_TEST(spread.quartile_3 == 3.5);
}

BOOST_AUTO_TEST_CASE(one_value_is_its_own_median_and_none_is_refused) {
  BOOST_TEST(spread_of({7.0}).quartile_3 == 7.0);
  BOOST_CHECK_THROW(spread_of({}), std::invalid_argument);
}

/// A machine that becomes ten times slower during the third repetition changes no ratio.
BOOST_AUTO_TEST_CASE(what_disturbs_both_rows_alike_cancels_in_pairs) {
  for (const double ratio : paired_ratios({2.0, 2.0, 20.0}, {1.0, 1.0, 10.0})) BOOST_TEST(ratio == 2.0);
}

BOOST_AUTO_TEST_SUITE_END()
