// What `repose bench` and pictures do with a method that was added to their lists.
#include "tests/added_method/shown.h"
#include "experiments/bench/bench.h"
#include "experiments/bench/compare.h"
#include "experiments/picture/state_picture.h"
#include "experiments/report/bench.h"
#include "reference/interface/base/error.h"
#include "tests/added_method/flight.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

using namespace repose;

BOOST_AUTO_TEST_SUITE(added_method_shown)

/// Each of its solvers at rest and in flow, with the verdict of its lock-step check; nothing of another method.
BOOST_AUTO_TEST_CASE(its_solvers_are_measured_on_its_block) {
  experiments::BenchPlan plan;
  plan.methods = {"flight"};
  plan.dims = {2};
  plan.threads = {1};
  plan.particles = {400};
  plan.repeat = 2;
  const auto rows = experiments::run_bench(plan);
  BOOST_TEST_REQUIRE(rows.has_value());
  BOOST_TEST_REQUIRE(rows->size() == 6U);  // float, double and the readable one, in two motions
  for (const experiments::BenchRow& row : *rows) {
    BOOST_TEST(row.verdict == "pass", row.name);
    BOOST_TEST(row.particles == 400);
    BOOST_TEST(row.seconds.size() == 2U);
    const std::uint64_t flies = row.last.counts[flight::flying];
    BOOST_TEST((row.motion == experiments::Motion::rest ? flies == 0U : flies > 200U && flies < 400U),
               row.name);
  }
  BOOST_TEST((*rows)[0].name == "rest/flight/flight_fast/2d/free/float/best/1t/400");
  BOOST_TEST((*rows)[5].name == "flow/flight/flight_readable/2d/free/double/none/1t/400");

  const auto result = experiments::bench_json(*rows);
  const auto& in_flow = result.at("rows").at(1);
  BOOST_TEST(in_flow.at("method") == "flight");
  BOOST_TEST(in_flow.at("variant") == "flight");
  BOOST_TEST(in_flow.at("share_flowing") ==
             static_cast<double>((*rows)[1].last.counts[flight::flying]) / 400.0);
  BOOST_TEST(in_flow.at("counts").size() == 2U);
  BOOST_TEST(experiments::bench_csv(result).find(",count_flying,count_landings\n") != std::string::npos);
  // Nobody has counted its costs, and no paper prints its times.
  const std::string page =
      experiments::bench_html({{"rows", result.at("rows")}, {"machine", nlohmann::json::object()}});
  BOOST_TEST(page.find("rest/flight/flight_fast") != std::string::npos);
  BOOST_TEST(page.find("roofline") == std::string::npos);
  BOOST_TEST(page.find("Table 2") == std::string::npos);

  plan.variants = {"cubic"};  // of another method
  BOOST_CHECK_THROW(experiments::run_bench(plan), BadInput);
  BOOST_CHECK_THROW(experiments::block_of("diffusion"), BadInput);
}

BOOST_AUTO_TEST_CASE(its_states_are_drawn_by_what_they_hold) {
  const auto [scene, start] = flight::block().make(2, 0, 100, experiments::Motion::flow);
  StoredState stored{.snapshot = start, .origin = {}, .scene = {}};
  for (double& u : stored.snapshot.get(flight::velocity).value) u = 3.0;
  const auto speed = experiments::colour_range(stored.snapshot, scene, "speed");
  BOOST_TEST_REQUIRE(speed.has_value());
  BOOST_TEST(speed->high == std::hypot(3.0, 3.0));
  for (const std::string colour : {"", "speed", "height"})
    BOOST_TEST(experiments::draw_state(stored, scene, {.colour = colour, .width = 200}).rgb.size() > 0U);
  for (const std::string colour : {"material", "case"})
    BOOST_CHECK_EXCEPTION(
        experiments::draw_state(stored, scene, {.colour = colour}), BadInput, [](const BadInput& error) {
          return std::string(error.what()).find("coloured by speed, height") != std::string::npos;
        });
}

BOOST_AUTO_TEST_SUITE_END()
