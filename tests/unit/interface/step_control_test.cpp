#include "reference/interface/scene/step_control.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace repose {
namespace {

/// h = 1/64 m, c = 16 m/s (E = 256 ρ, ν = 0), g = 10 m/s², frames of 1/32 s.
Scene scene() {
  Scene s;
  s.scheme = MpmOptions{.elastic_bound = 0.5};
  s.grid = {.dim = 2, .h = 0x1p-6, .cells = {64, 64, 1}};
  s.gravity = {0, -10, 0};
  s.materials = {{.name = "stiff", .density = 1000, .youngs_modulus = 256000, .poisson_ratio = 0},
                 {.name = "soft", .density = 1000, .youngs_modulus = 1000, .poisson_ratio = 0}};
  s.step = {.max_dt = 1e-4, .cfl = 1.0};
  s.frame_rate = 32;
  s.duration = 1;
  return s;
}

constexpr double far = 1e3;  // a frame end that limits nothing

BOOST_AUTO_TEST_SUITE(step_control_test)

BOOST_AUTO_TEST_CASE(each_bound_decides_in_turn) {
  Scene s = scene();
  BOOST_TEST(StepControl(s).next(0, 1, far).dt == 1e-4);
  BOOST_TEST(StepControl(s).next(0, 1, far).limited_by == "max_dt");

  s.step.max_dt = 1;
  const auto elastic = StepControl(s).next(0, 1, far);
  BOOST_TEST(elastic.limited_by == "elastic_bound");
  BOOST_TEST(elastic.dt == 0x1p-11);  // 0.5 h / c of the stiffer material, all powers of two

  const auto cfl = StepControl(s).next(0, 1000, far);
  BOOST_TEST(cfl.limited_by == "cfl");
  BOOST_TEST(cfl.dt == 0x1p-6 / 1000, boost::test_tools::tolerance(1e-5));  // gravity adds 10 Δt to 1000

  const auto frame = StepControl(s).next(0, 1, 1e-4);
  BOOST_TEST(frame.limited_by == "frame");
  BOOST_TEST(frame.dt == 1e-4);
}

BOOST_AUTO_TEST_CASE(of_bounds_that_are_equal_the_first_is_named) {
  Scene s = scene();
  s.gravity.setZero();
  s.step.max_dt = 0x1p-11;
  BOOST_TEST(StepControl(s).next(0, 0, far).limited_by == "max_dt");
  s.step.max_dt = std::nextafter(0x1p-11, 1.0);
  BOOST_TEST(StepControl(s).next(0, 0, far).limited_by == "elastic_bound");
  s.step.max_dt = 1.0;
  BOOST_TEST(StepControl(s).next(0, 32, far).dt == 0x1p-11);  // h / 32 of cfl, 0.5 h / 16 of elasticity
  BOOST_TEST(StepControl(s).next(0, 32, far).limited_by == "cfl");
}

/// The bound holds as computed, and a step of two more ulps would break it: both sides.
BOOST_AUTO_TEST_CASE(cfl_bound_is_met_to_the_last_bits) {
  Scene s = scene();
  s.step.max_dt = 1e9;
  mpm_options(s).elastic_bound = 1e12;
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const double g = i % 5 == 0 ? 0.0 : std::pow(10.0, random.between(-3, 3));
    const double speed = i % 7 == 0 && g > 0.0 ? 0.0 : std::pow(10.0, random.between(-6, 4));
    s.step.cfl = random.between(0.1, 1.0);
    s.gravity = {0, -g, 0};
    const double reach = s.step.cfl * s.grid.h;
    const auto choice = StepControl(s).bound(speed);
    BOOST_TEST(choice.limited_by == "cfl");
    BOOST_TEST((speed + g * choice.dt) * choice.dt <= reach);
    const double longer =
        choice.dt * (1.0 + 1e-15);  // 5 to 9 ulps: the root and the test have about as many roundings
    BOOST_TEST((speed + g * longer) * longer >= reach);
  }
}

BOOST_AUTO_TEST_CASE(nothing_that_moves_or_falls_is_not_limited_by_cfl) {
  Scene s = scene();
  s.gravity.setZero();
  BOOST_TEST(StepControl(s).next(0, 0, far).limited_by == "max_dt");
}

/// With speeds that vary at random, every frame's end is met bit for bit, no bound is broken and no step is shorter than
/// half of the bound in force when it was chosen.
BOOST_AUTO_TEST_CASE(frames_are_met_exactly_without_slivers) {
  Random random(2);
  int steps = 0;
  int halved = 0;
  for (const double rate : {24.0, 30.0, 50.0, 32.0, 59.94, 1.0 / 3.0}) {
    Scene s = scene();
    s.frame_rate = rate;
    s.step.max_dt = 0.07 / rate;
    mpm_options(s).elastic_bound = 1e12;
    const StepControl control(s);
    double time = 0.0;
    for (int frame = 1; frame <= 200; ++frame) {
      const double end = control.frame_time(frame);
      while (time < end) {
        const double speed = random.between(0.0, 40.0 * rate * s.grid.h);
        const double bound = control.bound(speed).dt;
        const auto choice = control.next(time, speed, end);
        BOOST_TEST(choice.dt <= bound);
        // Half the bound, or all that is left of the frame, which earlier steps kept at half of theirs.
        BOOST_TEST((choice.dt >= 0.499 * bound || time + choice.dt == end));
        BOOST_TEST(choice.dt > 0.0);
        halved += choice.limited_by == "frame" && time + choice.dt < end ? 1 : 0;
        time += choice.dt;
        ++steps;
        BOOST_TEST(time <= end);
      }
      BOOST_TEST(time == end);
    }
  }
  BOOST_TEST(steps > 10000);
  BOOST_TEST(halved > 100);
}

BOOST_AUTO_TEST_CASE(where_one_step_is_left_of_a_frame_one_is_taken) {
  Scene s = scene();
  s.gravity.setZero();
  s.step.max_dt = 0x1p-12;
  const auto last = StepControl(s).next(0.5, 0, 0.5 + 0x1p-12);
  BOOST_TEST((last.dt == 0x1p-12 && last.limited_by == "frame"));
  const auto one_of_two = StepControl(s).next(0.5, 0, 0.5 + 0x1p-12 + 0x1p-40);
  BOOST_TEST((one_of_two.dt < 0.51 * 0x1p-12 && one_of_two.limited_by == "frame"));
}

/// The same bound throughout: 10.3 bounds in a frame make 9 full steps and two equal ones of 0.65.
BOOST_AUTO_TEST_CASE(the_rest_of_a_frame_is_divided_equally) {
  Scene s = scene();
  s.gravity.setZero();
  s.step.max_dt = 1.0 / 32 / 10.3;
  mpm_options(s).elastic_bound = 1e12;
  const StepControl control(s);
  std::vector<double> dt;
  for (double time = 0; time < 1.0 / 32; time += dt.back()) dt.push_back(control.next(time, 0, 1.0 / 32).dt);
  BOOST_REQUIRE(dt.size() == 11U);
  for (std::size_t i = 0; i < 9; ++i) BOOST_TEST(dt[i] == s.step.max_dt);
  BOOST_TEST(dt[9] == 0.65 * s.step.max_dt, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(dt[10] == dt[9], boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(frames_cover_the_duration_and_no_more) {
  for (const double rate : {24.0, 30.0, 10.0, 48.0, 59.94}) {
    for (int n = 1; n < 500; ++n) {
      Scene s = scene();
      s.frame_rate = rate;
      s.duration = static_cast<double>(n) / rate;
      BOOST_TEST(StepControl(s).frames() == n);
      s.duration = std::nextafter(s.duration, 1e9);
      BOOST_TEST(StepControl(s).frames() == n + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_stepped_is_refused) {
  const StepControl control(scene());
  BOOST_CHECK_THROW(control.next(0, std::numeric_limits<double>::quiet_NaN(), 1), std::invalid_argument);
  BOOST_CHECK_THROW(control.next(0, std::numeric_limits<double>::infinity(), 1), std::invalid_argument);
  BOOST_CHECK_THROW(control.next(1, 0, 1), std::invalid_argument);
  BOOST_CHECK_THROW(control.next(1, 1e300, 2), std::runtime_error);
}

/// Just fewer than the most steps and just more, by frames, by speed and during a run.
BOOST_AUTO_TEST_CASE(runs_that_would_not_end_are_known_beforehand) {
  Scene s = scene();
  BOOST_TEST(!unending(s).has_value());
  s.duration = most_frames / s.frame_rate;
  BOOST_TEST(!unending(s).has_value());
  s.duration *= 1.001;
  BOOST_TEST(unending(s)->key == "duration");
  for (const auto& [rate, duration] : {std::pair{50.0, 1e300}, {1e300, 1.0}, {1e300, 1e300}}) {
    s.frame_rate = rate;
    s.duration = duration;
    BOOST_TEST(unending(s)->key == "duration");
  }

  s = scene();
  s.frame_rate = 1.0 / (0.999e9 * s.step.max_dt);
  s.duration = 1.0 / s.frame_rate;
  BOOST_TEST(!unending(s).has_value());
  s.frame_rate *= 0.99;
  BOOST_TEST(unending(s)->key == "frame_rate");
  BOOST_TEST(unending(s)->allowed.find("limited by max_dt") != std::string::npos);

  // As many as are allowed, to the bit.
  s = scene();
  s.frame_rate = s.duration = 1.0;
  s.step.max_dt = 1.0 / most_steps_of_a_frame;
  BOOST_TEST_REQUIRE(most_steps_of_a_frame * s.step.max_dt == 1.0);
  BOOST_TEST(!unending(s).has_value());

  s = scene();
  Seed body;
  body.shape = Box{.min = {0.2, 0.2, 0}, .max = {0.4, 0.4, 0}};
  s.seeds = {body};
  for (const double speed : {1.0, 1e6, 0x1p-6 * 32e9 * 0.99}) {  // 32e9 steps per second of 1/64 m each
    s.seeds[0].velocity = {speed, 0, 0};
    BOOST_TEST(!unending(s).has_value());
  }
  for (const double speed : {0x1p-6 * 32e9 * 1.01, 1e200, 1e308}) {
    s.seeds[0].velocity = {speed, speed, 0};
    BOOST_TEST(unending(s)->allowed.find("limited by cfl") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_speed_that_would_stop_a_frame_is_refused_with_its_cause) {
  const Scene s = scene();
  const StepControl control(s);
  const double frame = control.frame_time(1);
  const double fastest = 0x1p-6 / frame * most_steps_of_a_frame;  // h per step
  BOOST_TEST(control.next(0.0, 0.99 * fastest, frame).dt > 0.0);
  BOOST_CHECK_EXCEPTION(
      control.next(0.0, 1.01 * fastest, frame), std::runtime_error, [](const std::runtime_error& e) {
        return std::string(e.what()).find("limited by cfl at a speed of") != std::string::npos;
      });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
