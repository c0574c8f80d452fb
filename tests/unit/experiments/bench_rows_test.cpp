#include "experiments/bench/bench.h"

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

using namespace repose;
using namespace repose::experiments;

BOOST_AUTO_TEST_SUITE(bench_rows)

/// A result that is matched by names must spell them out of letters it owns, longer than a string keeps in place.
BOOST_AUTO_TEST_CASE(a_rows_name_says_all_in_which_rows_may_differ) {
  BenchRow row{.name = {},
               .motion = Motion::flow,
               .method = "mpm",
               .solver = "optimized",
               .dim = 3,
               .variant = find_variant(block_of("mpm"), "apic-quadratic").value(),
               .precision = Precision::single_,
               .threads = 2,
               .simd = {},
               .particles = 1000};
  BOOST_TEST(bench_row_name(row) == "flow/mpm/optimized/3d/quadratic/float/best/2t/1000");
  row.simd = "AVX2";
  BOOST_TEST(bench_row_name(row) == "flow/mpm/optimized/3d/quadratic/float/AVX2/2t/1000");
  row.solver = "reference";
  row.precision = Precision::double_;
  BOOST_TEST(bench_row_name(row) == "flow/mpm/reference/3d/quadratic/double/none/2t/1000");
}

/// Two of five repetitions beside other work leave the median alone, three do not.
BOOST_AUTO_TEST_CASE(a_row_is_disturbed_if_the_median_repetition_is) {
  BenchRow quiet{
      .name = "quiet", .method = "mpm", .solver = "optimized", .threads = 2, .simd = {}, .particles = 1000};
  quiet.seconds = quiet.cpu_seconds = {1.0, 1.0, 1.0, 1.0, 1.0};
  quiet.disturbed = {0.0, 0.6, 0.01, 0.7, 0.0};
  quiet.steps = 5;
  BenchRow busy = quiet;
  busy.name = "busy";
  busy.threads = 1;
  busy.disturbed = {0.0, 0.6, 0.5, 0.7, 0.0};
  BenchRow unknown = quiet;
  unknown.name = "unknown";
  unknown.disturbed = {-1.0, -1.0, -1.0, -1.0, -1.0};
  const auto result = bench_json({quiet, busy, unknown});
  BOOST_TEST(result["rows"][0]["timing"] == "undisturbed");
  BOOST_TEST(result["rows"][0]["disturbed_share"] == 0.01);
  BOOST_TEST(result["rows"][1]["timing"] == "disturbed");
  BOOST_TEST(result["rows"][1]["disturbed_share"] == 0.5);
  BOOST_TEST(result["rows"][2]["timing"] == "unknown");
  BOOST_TEST(result["rows"][2]["disturbed_share"].is_null());
  // Time on one thread / time on several: what is formed with the disturbed row says so.
  BOOST_REQUIRE(result["ratios"].size() == 2U);
  for (const auto& ratio : result["ratios"]) BOOST_TEST(ratio["disturbed"] == true);
  const auto calm = bench_json({quiet, [&] {
                                  BenchRow one = quiet;
                                  one.threads = 1;
                                  return one;
                                }()});
  BOOST_REQUIRE(calm["ratios"].size() == 1U);
  BOOST_TEST(calm["ratios"][0]["disturbed"] == false);
}

BOOST_AUTO_TEST_SUITE_END()
