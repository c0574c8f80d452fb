#include "experiments/picture/state_colours.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/plane_scene.h"
#include "validation/metrics/elastic_state.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>

using namespace repose;
using namespace repose::experiments;
using test::Plane;

BOOST_AUTO_TEST_SUITE(state_colours)

BOOST_AUTO_TEST_CASE(scales_span_their_values_and_grow_lighter) {
  Plane plane;
  plane.place({Point(0.5, 0.2, 0.0), Point(0.5, 0.8, 0.0), Point(0.5, 0.6, 0.0)});
  plane.snapshot.get(field::v).value = {0.0, 0.0, 3.0, -4.0, 1.0, 0.0};
  const auto speed = colour_range(plane.snapshot, plane.scene, "speed");
  BOOST_TEST_REQUIRE(speed.has_value());
  BOOST_TEST(speed->low == 0.0);
  BOOST_TEST(speed->high == 5.0);
  const auto height = colour_range(plane.snapshot, plane.scene, "height");
  BOOST_TEST_REQUIRE(height.has_value());
  BOOST_TEST(std::abs(height->low - 0.2) < 1e-15);
  BOOST_TEST(std::abs(height->high - 0.8) < 1e-15);
  BOOST_TEST(!colour_range(plane.snapshot, plane.scene, "material").has_value());
  const auto shades = colours(plane.snapshot, plane.scene, "speed", speed);
  BOOST_TEST(
      (shades[0] == scale_colour(0.0) && shades[1] == scale_colour(1.0) && shades[2] == scale_colour(0.2)));
  double last = -1.0;
  for (int k = 0; k <= 100; ++k) {
    const Colour c = scale_colour(0.01 * k);
    const double light = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    BOOST_TEST(light > last);
    last = light;
  }
}

/// Uniaxial compression lies within the cone of 35° − 10° while a shear far beyond it lies outside, and none at the tip.
BOOST_AUTO_TEST_CASE(cases_tell_where_the_stress_lies) {
  Plane plane;
  plane.place({Point(0.2, 0.2, 0.0), Point(0.4, 0.2, 0.0), Point(0.6, 0.2, 0.0), Point(0.8, 0.2, 0.0)});
  plane.snapshot.get(field::material).value = {0.0, 0.0, 0.0, 1.0};
  const Material& sand = plane.scene.materials[0];
  const double alpha = cone_slope(hardened_angle(sand.friction, 0.0));
  const Lame moduli = lame(sand);
  // On the cone: ‖ε̂‖ = −(dλ + 2μ)/2μ tr(ε) α with tr(ε) = −0.01.
  const double deviator = (2.0 * moduli.lambda + 2.0 * moduli.mu) / (2.0 * moduli.mu) * 0.01 * alpha;
  auto& F = plane.snapshot.get(field::F).value;
  const auto strain = [&](std::size_t p, double mean, double norm) {
    F[4 * p] = std::exp(mean + norm / std::sqrt(2.0));
    F[4 * p + 3] = std::exp(mean - norm / std::sqrt(2.0));
  };
  strain(1, -0.005, 0.99 * deviator);
  strain(2, -0.005, deviator);
  const auto shades = colours(plane.snapshot, plane.scene, "case", std::nullopt);
  const auto words = legend(plane.scene, "case", std::nullopt).entries;
  const auto text = [&](std::size_t p) {
    for (const auto& entry : words)
      if (entry.colour == shades[p]) return entry.text;
    return std::string("none");
  };
  BOOST_TEST(text(0).starts_with("at the tip"));
  BOOST_TEST(text(1).starts_with("inside"));
  BOOST_TEST(text(2).starts_with("on the cone"));
  BOOST_TEST(text(3).starts_with("elastic"));
}

BOOST_AUTO_TEST_CASE(pressure_is_that_of_the_stress) {
  Plane plane;
  plane.place({Point(0.2, 0.2, 0.0)});
  auto& F = plane.snapshot.get(field::F).value;
  F[0] = F[3] = std::exp(-0.01);
  const Lame moduli = lame(plane.scene.materials[1]);
  const auto range = colour_range(plane.snapshot, plane.scene, "pressure");
  const double expected =
      1e-3 * 0.02 * (moduli.mu + moduli.lambda);  // τ = 2μ ε + λ tr ε, along both axes [kPa]
  BOOST_TEST(std::abs(range->low - expected) < 1e-12);
  F[0] = F[3] = 0.0;
  BOOST_CHECK_THROW(colour_range(plane.snapshot, plane.scene, "pressure"), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
