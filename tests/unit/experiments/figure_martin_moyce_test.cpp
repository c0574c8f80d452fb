#include "experiments/measured/martin_moyce/collapse.h"
#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numbers>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::measured {

namespace {

/// A collapse that goes exactly as measured: points of the front where T is a measured time, of the height where τ is one.
/// @param late by how much the water was let go after T = 0
/// @param longer factor of Z  @param higher added to the height over 2a
CollapseRun as_measured(double late, double longer = 1.0, double higher = 0.0) {
  const Reference measured = reference();
  CollapseRun run;
  run.cells = 80.0;
  const auto at = [](const std::vector<double>& x, const std::vector<double>& y, double where) {
    std::size_t n = 1;
    while (n + 1 < x.size() && x[n] < where) ++n;
    return y[n - 1] + (where - x[n - 1]) / (x[n] - x[n - 1]) * (y[n] - y[n - 1]);
  };
  for (double T = 0.0; T < 11.0; T += 0.01)
    run.extents.push_back({T, longer * at(measured.T, measured.Z, T + late),
                           higher + at(measured.tau, measured.H, (T + late) / std::numbers::sqrt2)});
  run.extents.front() = {0.0, 1.0, 1.0};
  return run;
}

void must_give(const char* name, Verdict verdict, const CollapseRun& other) {
  const Reference measured = reference();
  const CollapseRun good = as_measured(0.1);
  demand(judge({good, good}, measured, Preset::desk), name, Verdict::pass);
  demand(judge({good, other}, measured, Preset::desk), name, verdict);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_martin_moyce)

/// T 1.19 and 1.22 in both; the second reading at T 1.19 is 1.217 + .257 (1.19 − .832)/(1.219 − .832).
BOOST_AUTO_TEST_CASE(two_readings_of_the_front_give_a_mean_and_a_band_where_both_have_it) {
  const Reference measured = reference();
  BOOST_TEST_REQUIRE(measured.T.size() == 14U);
  BOOST_TEST(measured.T.front() == 0.84);
  BOOST_TEST(measured.T.back() == 3.33);
  const double other = 1.217 + 0.257 * (1.19 - 0.832) / (1.219 - 0.832);
  BOOST_TEST(std::abs(measured.Z[1] - 0.5 * (1.44 + other)) < 1e-12);
  BOOST_TEST(measured.band > 0.026);
  BOOST_TEST(measured.band < 0.029);
  BOOST_TEST(measured.tau.size() == 17U);
}

BOOST_AUTO_TEST_CASE(the_front_is_that_of_the_water_that_hangs_together_and_the_height_that_at_the_wall) {
  std::vector<Point> at;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 4; ++j) at.emplace_back(0.25 + 0.5 * i, 0.25 + 0.5 * j, 0.0);
  const Extent whole = extent_of(at, 1.0, 3.0, 1.0, 0.25);
  BOOST_TEST(whole.front == 6.0 / 3.0);
  BOOST_TEST(whole.height == 2.0 / 6.0);
  at.emplace_back(7.5, 0.5, 0.0);   // beyond an empty column
  at.emplace_back(0.5, 3.5, 0.0);   // above an empty row
  at.emplace_back(5.75, 2.5, 0.0);  // a bump that is not at the wall
  const Extent drops = extent_of(at, 1.0, 3.0, 1.0, 0.25);
  BOOST_TEST(drops.front == whole.front);
  BOOST_TEST(drops.height == whole.height);
  at.emplace_back(6.5, 0.5, 0.0);  // closes the gap
  BOOST_TEST(extent_of(at, 1.0, 3.0, 1.0, 0.25).front == 7.75 / 3.0);
}

BOOST_AUTO_TEST_CASE(a_delay_is_found_and_no_wrong_speed_passes_for_one) {
  const Reference measured = reference();
  BOOST_TEST(std::abs(fitted_release(as_measured(0.2).extents, measured) - 0.2) < 0.002);
  BOOST_TEST(front_misfit(as_measured(0.2).extents, measured, 0.2) < 1e-3);
  BOOST_TEST(front_misfit(as_measured(0.2).extents, measured, 0.0) > 0.08);
  BOOST_TEST(height_misfit(as_measured(0.2).extents, measured, 0.2) < 1e-3);
}

BOOST_AUTO_TEST_CASE(each_fault_of_a_collapse_fails_its_own_number) {
  must_give("front_fitted_release", Verdict::fail, as_measured(0.1, 1.15));
  must_give("height_fitted_release", Verdict::fail, as_measured(0.1, 1.0, 0.03));
  must_give("height_fitted_release", Verdict::pass, as_measured(0.1, 1.0, 0.025));
  must_give("front_at_twice_the_spacing", Verdict::fail, as_measured(0.1, 1.03));
  must_give("front_at_twice_the_spacing", Verdict::pass, as_measured(0.1, 1.02));
  must_give("fitted_release", Verdict::fail, as_measured(0.0));
  CollapseRun moved = as_measured(0.1);
  moved.extents.front().front = 1.00001;
  must_give("column_at_the_start", Verdict::fail, moved);
  CollapseRun brief = as_measured(0.1);
  brief.extents.resize(300);
  must_give("front_fitted_release", Verdict::undecided, brief);
}

BOOST_AUTO_TEST_CASE(by_the_clock_of_the_print_a_late_release_shows) {
  const Reference measured = reference();
  const CollapseRun late = as_measured(0.2), now = as_measured(0.0);
  for (const char* name : {"front_printed_release", "height_printed_release"}) {
    demand(judge({now, now}, measured, Preset::desk), name, Verdict::pass);
    demand(judge({late, late}, measured, Preset::desk), name, Verdict::fail);
  }
}

BOOST_AUTO_TEST_CASE(smoke_decides_nothing_of_a_collapse) {
  const CollapseRun run = as_measured(0.1);
  for (const Number& number : judge({run, run}, reference(), Preset::smoke))
    if (number.decides_claim()) BOOST_TEST(!number.open_because.empty(), number.name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::measured
