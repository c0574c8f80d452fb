#include "experiments/common/bench.h"

#include <boost/test/unit_test.hpp>

using namespace repose;
using namespace repose::experiments;

BOOST_AUTO_TEST_SUITE(bench_rows)

/// A result that is matched by names must spell them out of letters it owns, longer than a string keeps in place.
BOOST_AUTO_TEST_CASE(a_rows_name_says_all_in_which_rows_may_differ) {
  BenchRow row{.name = {},
               .motion = Motion::flow,
               .solver = "optimized",
               .dim = 3,
               .kernel = Kernel::quadratic,
               .precision = Precision::single_,
               .threads = 2,
               .simd = {},
               .particles = 1000};
  BOOST_TEST(bench_row_name(row) == "flow/optimized/3d/quadratic/float/best/2t/1000");
  row.simd = "AVX2";
  BOOST_TEST(bench_row_name(row) == "flow/optimized/3d/quadratic/float/AVX2/2t/1000");
  row.solver = "reference";
  row.precision = Precision::double_;
  BOOST_TEST(bench_row_name(row) == "flow/reference/3d/quadratic/double/none/2t/1000");
}

BOOST_AUTO_TEST_SUITE_END()
