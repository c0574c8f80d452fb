#include "experiments/bench/compare.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace repose::experiments;
using nlohmann::json;

namespace {

/// A result with one row whose quartiles lie `spread` (a share) to both sides of its median.
json result_of(const char* name, double ns, double spread) {
  return {{"machine", {{"triad_gb_s", 20.0}, {"fma_float_gflop_s", 80.0}}},
          {"rows",
           {{{"name", name},
             {"ns_per_particle_step_core", ns},
             {"ns_quartile_1", ns * (1.0 - spread)},
             {"ns_quartile_3", ns * (1.0 + spread)},
             {"particle_steps_per_s", 1e9 / ns},
             {"stages", {{"p2g", ns / 2}}},
             {"verdict", "pass"}}}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_compare)

BOOST_AUTO_TEST_CASE(a_slowdown_beyond_the_spread_of_both_fails) {
  // 1.3 · 0.98/1.02 = 1.249: beyond 1.1 even where both spreads favour the new result.
  const json comparison = compare_bench(result_of("a", 100.0, 0.02), result_of("a", 130.0, 0.02), 1.1);
  BOOST_TEST(comparison["rows"][0]["ratio"].get<double>() == 1.3);
  BOOST_TEST(comparison["rows"][0]["verdict"] == "slower");
  BOOST_TEST(exit_code_of_comparison(comparison) == 1);
}

BOOST_AUTO_TEST_CASE(the_same_slowdown_inside_the_spread_passes) {
  // 1.3 · 0.9/1.1 = 1.064: noise of this size could be all of it.
  const json comparison = compare_bench(result_of("a", 100.0, 0.1), result_of("a", 130.0, 0.1), 1.1);
  BOOST_TEST(comparison["rows"][0]["verdict"] == "same");
  BOOST_TEST(exit_code_of_comparison(comparison) == 0);
}

BOOST_AUTO_TEST_CASE(the_factor_decides_on_both_sides) {
  const auto code = [](double ns) {
    return exit_code_of_comparison(compare_bench(result_of("a", 100.0, 0.0), result_of("a", ns, 0.0), 1.1));
  };
  BOOST_TEST(code(109.9) == 0);
  BOOST_TEST(code(110.1) == 1);
}

BOOST_AUTO_TEST_CASE(a_speed_up_is_named_and_passes) {
  const json comparison = compare_bench(result_of("a", 100.0, 0.01), result_of("a", 50.0, 0.01), 1.1);
  BOOST_TEST(comparison["rows"][0]["verdict"] == "faster");
  BOOST_TEST(exit_code_of_comparison(comparison) == 0);
}

BOOST_AUTO_TEST_CASE(a_disturbed_row_is_neither_slower_nor_faster) {
  for (const bool before : {false, true}) {
    for (const double ns : {20.0, 100.0, 500.0}) {
      json old_result = result_of("a", 100.0, 0.0);
      json new_result = result_of("a", ns, 0.0);
      json& row = (before ? old_result : new_result)["rows"][0];
      row["timing"] = "undisturbed";
      row["disturbed_share"] = 0.34;
      BOOST_TEST(compare_bench(old_result, new_result, 1.1)["disturbed"] == 0);
      row["timing"] = "disturbed";
      const json comparison = compare_bench(old_result, new_result, 1.1);
      BOOST_TEST(comparison["rows"][0]["verdict"] == "disturbed");
      BOOST_TEST(comparison["disturbed"] == 1);
      BOOST_TEST(comparison["slower"] == 0);
      BOOST_TEST(comparison["faster"] == 0);
      BOOST_TEST(exit_code_of_comparison(comparison) == 3);  // no row is left that could be judged
      if (!before) BOOST_TEST(describe_bench(new_result).find("disturbed 34 %") != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_beside_a_disturbed_one_are_judged) {
  json old_result = result_of("a", 100.0, 0.0);
  json new_result = result_of("a", 500.0, 0.0);
  new_result["rows"][0]["timing"] = "disturbed";
  old_result["rows"].push_back(result_of("b", 100.0, 0.0)["rows"][0]);
  json two = new_result;
  two["rows"].push_back(result_of("b", 100.0, 0.0)["rows"][0]);
  BOOST_TEST(exit_code_of_comparison(compare_bench(old_result, two, 1.1)) == 0);
  two = new_result;
  two["rows"].push_back(result_of("b", 130.0, 0.0)["rows"][0]);
  BOOST_TEST(exit_code_of_comparison(compare_bench(old_result, two, 1.1)) == 1);
}

BOOST_AUTO_TEST_CASE(without_a_common_row_nothing_can_be_judged) {
  const json comparison = compare_bench(result_of("a", 100.0, 0.0), result_of("b", 100.0, 0.0), 1.1);
  BOOST_TEST(comparison["unmatched"] == 2U);
  BOOST_TEST(exit_code_of_comparison(comparison) == 3);
}

BOOST_AUTO_TEST_CASE(what_is_no_result_is_refused) {
  BOOST_CHECK_THROW(compare_bench(json::object(), result_of("a", 1.0, 0.0), 1.1), json::exception);
}

BOOST_AUTO_TEST_CASE(the_table_of_rows_has_a_line_per_row_and_a_column_per_stage) {
  const std::string csv = bench_csv(result_of("a", 100.0, 0.0));
  BOOST_TEST(csv.find("stage_p2g_ns") != std::string::npos);
  BOOST_TEST(std::count(csv.begin(), csv.end(), '\n') == 2);
  BOOST_TEST(describe_bench(result_of("a", 100.0, 0.0)).find("a ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
