#include "experiments/liu2021/fig01_water/judge.h"

#include "tests/unit/experiments/number_search.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace repose;
using namespace repose::experiments;
using namespace repose::experiments::liu2021;
using test::number;

/// Water that lies at rest from 25 to 30 s, as it should but for what is asked.
SplashRun rested(bool tension, const SplashFrame& off) {
  SplashRun run;
  run.chosen.tension = tension;
  run.run.scene = splash_scene(run.chosen);
  const exact::WaterColumn column = water_column_of(run.run.scene);
  for (int frame = 0; frame <= 1500; ++frame) {
    const double time = frame / 50.0;
    // Before it has come to rest nothing is asked of it but its room as poured.
    if (time < 24.0) {
      run.frames.push_back({.time = time,
                            .particles = 1.0,
                            .centre = 100.0,
                            .motion = 1e3,
                            .volume = 2.0,
                            .room = time < 1.5625 ? 9.0
                                    : time > 1.6  ? 0.0
                                                  : 2.0 * (1.0 + off.room),
                            .pressure = 5.0});
      continue;
    }
    run.frames.push_back({.time = time,
                          .particles = 3000.0 + off.particles,
                          .centre = water_centre_of(column) + off.centre,
                          .motion = off.motion,
                          .volume = column.y(column.height) / column.height + off.volume,
                          .room = column.y(column.height) / column.height + off.volume + off.room,
                          .pressure = 0.5 * column.pressure(0.0) + off.pressure});
  }
  return run;
}

std::vector<Number> judged_water(const SplashFrame& off) {
  return judge({rested(true, off), rested(false, off)}, Preset::desk);
}

Verdict verdict_of_water(const SplashFrame& off, const std::string& name) {
  return number(judged_water(off), name).verdict;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figure_water)

BOOST_AUTO_TEST_CASE(the_scene_holds_what_the_report_prints) {
  const Scene scene = splash_scene({});
  BOOST_TEST((scene.grid.nodes(0) - 2 * Grid::margin == 101 || scene.grid.cells[0] == 100));
  const exact::WaterColumn column = water_column_of(scene);
  BOOST_TEST(std::abs(column.height - 15.625) < 1e-12);
  BOOST_TEST(std::abs(wave_speed(scene.materials[0]) * scene.step.max_dt / scene.grid.h - 0.504) < 1e-3);
  // The centre of what is hardly compressed lies at half its height.
  BOOST_TEST((water_centre_of(column) > 0.4999 * column.y(column.height) &&
              water_centre_of(column) < 0.5001 * column.height));
  BOOST_TEST(!splash_scene({.tension = false}).materials[0].water_tension);
}

BOOST_AUTO_TEST_CASE(water_as_it_should_be_passes_in_every_number) {
  for (const Number& one : judged_water({})) BOOST_TEST((one.verdict == Verdict::pass), one.name);
  BOOST_TEST(number(judged_water({}), "pressure_at_the_bottom_with_tension").decides_claim());
  BOOST_TEST(!number(judged_water({}), "pressure_at_the_bottom_without_tension").decides_claim());
}

BOOST_AUTO_TEST_CASE(a_particle_that_is_gone_is_lost) {
  BOOST_TEST((verdict_of_water({.particles = -1.0}, "particles_lost") == Verdict::fail));
  BOOST_TEST(number(judged_water({.particles = -1.0}), "particles_lost").value == 1.0);
}

/// Half a cell is 1 of 15.6; the cells at the floor may hide .75 h/H of the bottom's pressure.
BOOST_AUTO_TEST_CASE(heights_volumes_and_pressures_count_from_their_bounds_on) {
  const double bottom = 0.15625, allowed = 0.75 * 2.0 / 15.625 * bottom;
  for (const double over : {0.99, 1.01}) {
    const Verdict due = over < 1.0 ? Verdict::pass : Verdict::fail;
    for (const double sign : {-1.0, 1.0}) {
      const double off = sign * over;
      BOOST_TEST((
          verdict_of_water({.pressure = 0.5 * off * allowed}, "pressure_at_the_bottom_with_tension") == due));
      BOOST_TEST((verdict_of_water({.centre = 0.5 * off}, "settled_height_with_tension") == due));
      BOOST_TEST((verdict_of_water({.volume = off / 15.625}, "volume_told_by_J_without_tension") == due));
      // J tells 15.6168732614/15.625 of it.
      BOOST_TEST((verdict_of_water({.room = off / 15.625 * 0.99948},
                                   "room_over_volume_told_by_J_with_tension") == due));
      BOOST_TEST((verdict_of_water({.room = off / 15.625},
                                   "room_over_volume_told_by_J_as_poured_without_tension") == due));
    }
    BOOST_TEST((verdict_of_water({.motion = over * 0.01 * 10.0 * 15.625}, "motion_at_rest") == due));
  }
}

BOOST_AUTO_TEST_CASE(smoke_decides_of_water_only_that_none_is_lost) {
  const auto numbers = judge({rested(true, {}), rested(false, {})}, Preset::smoke);
  for (const Number& one : numbers)
    BOOST_TEST((one.verdict == Verdict::undecided) == (one.kind == Kind::closed_form), one.name);
  BOOST_TEST(!number(numbers, "settled_height_with_tension").open_because.empty());
}

BOOST_AUTO_TEST_SUITE_END()
