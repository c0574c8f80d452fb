// The closed form of settled water against printed numbers, and what its problem sees.
#include "validation/exact/mpm/water_column.h"

#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/report.h"
#include "validation/exact/exact.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace {

using namespace repose;
using namespace repose::exact;

WaterColumn column(double k, double gamma, double density, double g, double height) {
  WaterColumn c{.water = {}, .gravity = g, .height = height};
  c.water.kind = MaterialKind::water;
  c.water.density = density;
  c.water.water_stiffness = k;
  c.water.water_gamma = gamma;
  return c;
}

bool agrees(double value, double expected) {
  return std::abs(value - expected) <= 1e-11 * std::abs(expected);
}

crosscheck::CaseReport judged(std::string_view problem, const std::function<void(Scene&)>& change) {
  for (const crosscheck::CaseName& name : exact_names()) {
    if (name.scenario != problem) continue;
    return run_exact(name, [&](const Scene& scene, const SolverOptions& options) {
      Scene other = scene;
      change(other);
      return make_solver("optimized", other, options);
    });
  }
  throw std::logic_error("no such case");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_water)

BOOST_AUTO_TEST_CASE(settled_water_has_the_known_heights_and_volumes) {
  const WaterColumn soft = column(50.0, 3.0, 2.0, 9.81, 1.0);
  BOOST_TEST(agrees(soft.y(1.0), .943928632283));
  BOOST_TEST(agrees(soft.y(0.5), .458997375619));
  BOOST_TEST(agrees(soft.J(0.0), .895526953609));
  BOOST_TEST(agrees(soft.J(0.5), .942031446868));
  BOOST_TEST(agrees(soft.pressure(0.0), 19.62));
  BOOST_TEST(soft.y(0.0) == 0.0);
  const WaterColumn stiff = column(100.0, 7.0, 2.0, 9.81, 1.0);
  BOOST_TEST(agrees(stiff.y(1.0), .986935054579));
  BOOST_TEST(agrees(stiff.y(0.5), .490314176071));
  BOOST_TEST(agrees(stiff.J(0.0), .974731882658));
  BOOST_TEST(agrees(stiff.J(0.5), .986720191783));
  const WaterColumn shallow = column(1000.0, 7.0, 1000.0, 9.81, 0.1);
  BOOST_TEST(agrees(shallow.y(0.1), .0947470010688));
  BOOST_TEST(agrees(shallow.J(0.0), .906959579066));
  BOOST_TEST(agrees(shallow.pressure(0.0), 981.0));
}

/// 3000 particles of volume 1 between walls 192 apart. If k were the bulk modulus, as print has it, a third of γk, the water would
/// sink under its weight three times as far.
BOOST_AUTO_TEST_CASE(water_at_rest_in_lius_figure_1_has_a_height_and_a_pressure) {
  const WaterColumn c = column(50.0, 3.0, 0.001, 10.0, 3000.0 / 192.0);
  BOOST_TEST(agrees(c.pressure(0.0), 0.15625));
  BOOST_TEST(agrees(c.y(c.height), 15.6168732614));
  BOOST_TEST(std::abs(c.J(0.0) - 0.998960498) < 1e-9);
  const WaterColumn printed = column(50.0, 1.0, 0.001, 10.0, 3000.0 / 192.0);
  BOOST_TEST(std::abs((c.height - printed.y(c.height)) / (c.height - c.y(c.height)) - 3.0) < 0.01);
}

/// γ = 1 is the limit of γ → 1, and dy/dY = J.
BOOST_AUTO_TEST_CASE(the_closed_form_is_one_of_its_own_differences) {
  const WaterColumn one = column(50.0, 1.0, 2.0, 9.81, 1.0), close = column(50.0, 1.0 + 1e-7, 2.0, 9.81, 1.0);
  for (const double Y : {0.1, 0.5, 0.9}) {
    BOOST_TEST(std::abs(one.y(Y) - close.y(Y)) < 1e-6);
    for (const WaterColumn& c : {one, column(50.0, 3.0, 2.0, 9.81, 1.0)})
      BOOST_TEST(std::abs((c.y(Y + 1e-4) - c.y(Y - 1e-4)) / 2e-4 - c.J(Y)) < 1e-7);
  }
}

/// A tenth more weight moves heights and volumes by a tenth of (1 − J₀), more than the grid's own error.
BOOST_AUTO_TEST_CASE(water_a_little_too_heavy_does_not_settle_where_it_should) {
  BOOST_TEST(crosscheck::name_of(judged("settled_water", [](Scene&) {}).verdict) == "pass");
  const auto heavy = judged("settled_water", [](Scene& scene) { scene.gravity *= 1.1; });
  BOOST_TEST(crosscheck::name_of(heavy.verdict) == "differs", crosscheck::row(heavy));
}

BOOST_AUTO_TEST_CASE(sound_is_not_that_of_another_exponent) {
  BOOST_TEST(crosscheck::name_of(judged("wave_of_sound", [](Scene&) {}).verdict) == "pass");
  const auto other = judged("wave_of_sound", [](Scene& scene) { scene.materials[0].water_gamma *= 1.01; });
  BOOST_TEST(crosscheck::name_of(other.verdict) == "differs", crosscheck::row(other));
}

/// PIC's period is of second order, what it leaves of the wave of first; a speed that is off stays off at any spacing.
BOOST_AUTO_TEST_CASE(sound_that_is_damped_or_too_fast_is_not_of_second_order) {
  BOOST_TEST(crosscheck::name_of(judged("order_of_sound", [](Scene&) {}).verdict) == "pass");
  const auto damped =
      judged("order_of_sound", [](Scene& scene) { mpm_options(scene).transfer = Transfer::pic; });
  BOOST_TEST_REQUIRE(crosscheck::name_of(damped.verdict) == "differs", crosscheck::row(damped));
  const auto& wrong = damped.lockstep.divergence->others;
  BOOST_TEST(std::count(wrong.begin(), wrong.end(), "order of the error of places, from 32 to 64 cells") ==
             1);
  const auto fast =
      judged("order_of_sound", [](Scene& scene) { scene.materials[0].water_stiffness *= 1.002; });
  BOOST_TEST_REQUIRE(crosscheck::name_of(fast.verdict) == "differs", crosscheck::row(fast));
  BOOST_TEST(fast.lockstep.divergence->field.field ==
             "order of the error of the period, from 16 to 32 cells");
}

BOOST_AUTO_TEST_SUITE_END()
