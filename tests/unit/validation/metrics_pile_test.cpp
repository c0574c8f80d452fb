#include "validation/metrics/pile.h"
#include "validation/metrics/profile.h"
#include "validation/metrics/statistics.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <stdexcept>

using namespace repose;
using namespace repose::metrics;

namespace {

constexpr double radius = 0.05;  // of the piles' feet [m]
constexpr double h = 0.002;      // [m]

struct Cloud {
  std::vector<Point> x;
  std::vector<double> volume;
};

/// Uniform random points under a surface of revolution about the y axis: more noise than any seeding of a
/// run.
Cloud pile(const std::function<double(double)>& surface, double top, double per_cubic_metre,
           std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  const double box = 4.0 * radius * radius * top;
  const auto tries = static_cast<std::int64_t>(box * per_cubic_metre);
  Cloud cloud;
  for (std::int64_t i = 0; i < tries; ++i) {
    const double x = (2.0 * uniform() - 1.0) * radius;
    const double y = uniform() * top;
    const double z = (2.0 * uniform() - 1.0) * radius;
    if (y >= surface(std::hypot(x, z))) continue;
    cloud.x.emplace_back(x, y, z);
    cloud.volume.push_back(1.0 / per_cubic_metre);
  }
  return cloud;
}

Cloud cone(double angle, double per_cubic_metre, std::uint64_t seed) {
  const double slope = std::tan(angle);
  return pile([=](double r) { return (radius - r) * slope; }, radius * slope, per_cubic_metre, seed);
}

const double eight_per_cell = 8.0 / (h * h * h);
const Axis axis;
const Bins bins{.ring_width = h, .layer_height = 0.5 * h};

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_pile)

/// The surface of a ring is found from some 2πr h · h/2 · 8/h³ ≥ 94 particles per layer for r ≥ 0.15 · 25 h,
/// so its noise is at most 0.1 layers, 0.05 h; over 17 rings across 17 h that is 0.05 / (17 · 5) · 180/π ≈
/// 0.03° times a few. The cells' own bias cancels along a straight flank. 0.3° leaves a factor of about four
/// on what is seen.
BOOST_AUTO_TEST_CASE(flank_of_a_noisy_cone_is_its_angle) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    const double angle = (18.0 + 7.0 * static_cast<double>(seed % 4)) * degree;
    const Cloud sand = cone(angle, eight_per_cell, seed);
    const Flank fitted = flank(profile(sand.x, sand.volume, axis, bins), radius);
    BOOST_TEST_REQUIRE(fitted.rings >= 17U);
    BOOST_TEST(std::abs(fitted.angle - angle) / degree < 0.3);
    BOOST_TEST(fitted.standard_error / degree < 0.3);
    BOOST_TEST(fitted.standard_error > 0.0);  // noise is there, so an error of zero would be a fault
  }
}

BOOST_AUTO_TEST_CASE(one_degree_is_told_apart_in_both_directions) {
  const auto fitted = [](double degrees) {
    const Cloud sand = cone(degrees * degree, eight_per_cell, 11);
    return flank(profile(sand.x, sand.volume, axis, bins), radius).angle / degree;
  };
  const double below = fitted(29.0);
  const double at = fitted(30.0);
  const double above = fitted(31.0);
  BOOST_TEST((at - below > 0.5 && at - below < 1.5));
  BOOST_TEST((above - at > 0.5 && above - at < 1.5));
}

/// A dome's flank is steeper outside than inside, so limits of the fit matter: 0 to 100 % must differ from 15
/// to 85 %.
BOOST_AUTO_TEST_CASE(fit_uses_the_stated_part_of_the_base) {
  const auto kinked = [](double r) {  // 20° between 15 % and 85 % of the base, level inside, a cliff outside
    const double inner = 0.15 * radius;
    return 0.03 - std::tan(20.0 * degree) * (std::clamp(r, inner, 0.85 * radius) - inner);
  };
  const Cloud sand = pile(kinked, 0.03, eight_per_cell, 5);
  const Profile shape = profile(sand.x, sand.volume, axis, bins);
  BOOST_TEST(std::abs(flank(shape, radius).angle / degree - 20.0) < 0.3);
  BOOST_TEST(std::abs(flank(shape, radius, 0.0, 1.0).angle / degree - 20.0) > 1.0);
}

/// Residuals (a, −2a, a) one apart give the slope −1 an error of √3 a, and 45° half of that: d atan(s) =
/// ds/(1 + s²).
BOOST_AUTO_TEST_CASE(error_of_the_angle_is_that_of_the_slope_through_the_arc_tangent) {
  const double a = 0.01;
  const Profile three{.radius = {1.0, 2.0, 3.0}, .surface = {3.0 + a, 2.0 - 2.0 * a, 1.0 + a}, .packed = {}};
  const Flank fitted = flank(three, 4.0);
  BOOST_TEST(std::abs(fitted.angle - 45.0 * degree) < 1e-14);
  BOOST_TEST(std::abs(fitted.standard_error - 0.5 * std::sqrt(3.0) * a) < 1e-14);
}

BOOST_AUTO_TEST_CASE(too_few_rings_give_no_angle) {
  const Cloud sand = cone(30.0 * degree, eight_per_cell, 1);
  const Profile coarse = profile(sand.x, sand.volume, axis, {.ring_width = 0.02, .layer_height = h});
  BOOST_TEST(flank(coarse, radius).rings < 3U);
  BOOST_TEST(std::isnan(flank(coarse, radius).angle));
}

/// Cone: share of the volume beyond x R is 1 − 3x² + 2x³, so 98 % lie within 0.9161 R. 1.6·10⁵ points: the
/// percentile's noise is √(0.02 · 0.98/n) over the density there, 0.459/R: 8·10⁻⁴ R; five of those.
BOOST_AUTO_TEST_CASE(runout_of_a_cone_is_its_98th_percentile_and_its_rim) {
  const Cloud sand = cone(30.0 * degree, eight_per_cell, 3);
  BOOST_TEST_REQUIRE(sand.x.size() > 70000U);
  const double density = 6.0 * 0.9161 - 6.0 * 0.9161 * 0.9161;
  const double noise = std::sqrt(0.02 * 0.98 / static_cast<double>(sand.x.size())) / density * radius;
  const Runout found = runout(sand.x, axis);
  BOOST_TEST(std::abs(found.percentile_98 - 0.9161 * radius) < 5.0 * noise);
  BOOST_TEST(found.front <= radius);
  BOOST_TEST(found.front > 0.97 * radius);
}

BOOST_AUTO_TEST_CASE(a_flying_grain_moves_front_and_top_but_neither_percentile_nor_surface) {
  Cloud sand = cone(30.0 * degree, eight_per_cell, 3);
  const Runout before = runout(sand.x, axis);
  const Height high_before = height(sand.x, axis, 2.0 * h);
  const Profile shape_before = profile(sand.x, sand.volume, axis, bins);
  sand.x.emplace_back(0.15, 0.2, 0.0);
  sand.volume.push_back(sand.volume.front());
  const Runout after = runout(sand.x, axis);
  const Profile shape = profile(sand.x, sand.volume, axis, bins);
  BOOST_TEST(after.front == 0.15);
  // One more particle in 7·10⁴ moves the percentile's rank by one: 1/(7·10⁴ · 0.459) R on average; three of
  // those.
  BOOST_TEST(std::abs(after.percentile_98 - before.percentile_98) < 1e-4 * radius);
  BOOST_TEST(height(sand.x, axis, 2.0 * h).highest == 0.2);
  BOOST_TEST(height(sand.x, axis, 2.0 * h).percentile_98 == high_before.percentile_98);
  for (std::size_t ring = 0; ring < shape.surface.size(); ++ring) {
    BOOST_TEST(shape.surface[ring] ==
               (ring < shape_before.surface.size() ? shape_before.surface[ring] : 0.0));
  }
}

/// Level sand to any height between two layers: the stated bound of 0.09 layers, and it is reached.
BOOST_AUTO_TEST_CASE(surface_of_level_sand_is_within_a_tenth_of_a_layer) {
  double worst = 0.0;
  for (int step = 0; step <= 20; ++step) {
    const double top = h * (4.0 + 0.025 * step);
    Cloud sand;  // a regular lattice, 32 points per layer, so that a bin's fill is exact to 1/32 of a layer
    const double spacing = 0.5 * h / 32.0;
    for (double y = 0.5 * spacing; y < top; y += spacing) {
      sand.x.emplace_back(0.5 * h, y, 0.0);
      sand.volume.push_back(std::numbers::pi * h * h * spacing);
    }
    const double error = profile(sand.x, sand.volume, axis, bins).surface.front() - top;
    worst = std::max(worst, std::abs(error) / (0.5 * h));
  }
  BOOST_TEST(worst < 0.09 + 1.0 / 32.0);
  BOOST_TEST(worst > 0.05);
}

/// A cone that swelled to 80 % of its density: the surface shows it, the packed height does not.
BOOST_AUTO_TEST_CASE(swollen_sand_raises_the_surface_and_not_the_packed_height) {
  Cloud sand = cone(30.0 * degree, eight_per_cell, 8);
  const double exact = std::numbers::pi * std::pow(radius, 3) * std::tan(30.0 * degree) / 3.0;
  const double dense = volume_below(profile(sand.x, sand.volume, axis, bins), 3);
  for (double& v : sand.volume) v *= 0.8;
  const Profile loose = profile(sand.x, sand.volume, axis, bins);
  BOOST_TEST(std::abs(dense / exact - 1.0) < 0.03);
  // The level of half fill sits lower in a smeared surface of fill 0.8 than of 1: some 0.2 h, 2.5 % of the
  // volume.
  BOOST_TEST(std::abs(volume_below(loose, 3) / exact - 1.0) < 0.06);
  double packed = 0.0;
  for (std::size_t ring = 0; ring < loose.radius.size(); ++ring) {
    packed += loose.packed[ring] * 2.0 * std::numbers::pi * loose.radius[ring] * h;
  }
  BOOST_TEST(std::abs(packed / exact - 0.8) < 0.02);
}

BOOST_AUTO_TEST_CASE(sectors_see_a_tilted_pile_and_their_mean_does_not) {
  // y < (R − r) (1 + ¼ cos θ) tan 25°: a quarter steeper on the side of +x.
  std::mt19937_64 bits(4);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  Cloud sand;
  for (int i = 0; i < 600000; ++i) {
    const double x = (2.0 * uniform() - 1.0) * radius;
    const double y = uniform() * radius;
    const double z = (2.0 * uniform() - 1.0) * radius;
    const double r = std::hypot(x, z);
    if (y >= (radius - r) * (1.0 + 0.25 * x / r) * std::tan(25.0 * degree)) continue;
    sand.x.emplace_back(x, y, z);
    sand.volume.push_back(4.0 * std::pow(radius, 3) / 600000.0);
  }
  const auto slope = [&](int sectors, int sector) {
    Bins piece = bins;
    piece.sectors = sectors;
    piece.sector = sector;
    return std::tan(flank(profile(sand.x, sand.volume, axis, piece), radius).angle) / std::tan(25.0 * degree);
  };
  // Mean of cos θ over half a circle is ±2/π: slopes 1 ± 1/π. Sectors are counted from −x by azimuth: of
  // four, 0 and 3 look to −x. The azimuthal mean of a fill counts volume: linear in the height away from the
  // rim.
  const double left = 0.5 * (slope(4, 0) + slope(4, 3));
  const double right = 0.5 * (slope(4, 1) + slope(4, 2));
  BOOST_TEST(std::abs(left - (1.0 - 0.5 / std::numbers::pi)) < 0.05);
  BOOST_TEST(std::abs(right - (1.0 + 0.5 / std::numbers::pi)) < 0.05);
  BOOST_TEST(std::abs(slope(1, 0) - 1.0) < 0.05);
}

BOOST_AUTO_TEST_CASE(a_pile_in_two_dimensions_has_two_flanks) {
  std::mt19937_64 bits(4);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  Cloud sand;  // 20° on the left, 30° on the right
  for (int i = 0; i < 200000; ++i) {
    const double x = (2.0 * uniform() - 1.0) * radius;
    const double y = uniform() * radius;
    if (y >= (radius - std::abs(x)) * std::tan((x < 0.0 ? 20.0 : 30.0) * degree)) continue;
    sand.x.emplace_back(x, y, 0.0);
    sand.volume.push_back(2.0 * radius * radius / 200000.0);
  }
  const Axis plane{.dim = 2};
  double area = 0.0;
  for (const int side : {0, 1}) {
    const Bins half{.ring_width = h, .layer_height = 0.5 * h, .sectors = 2, .sector = side};
    const Profile shape = profile(sand.x, sand.volume, plane, half);
    area += 0.5 * volume_below(shape, 2);
    const double angle = flank(shape, radius).angle / degree;
    BOOST_TEST(std::abs(angle - (side == 0 ? 20.0 : 30.0)) < 0.3);
  }
  const double exact = 0.5 * radius * radius * (std::tan(20.0 * degree) + std::tan(30.0 * degree));
  BOOST_TEST(std::abs(area / exact - 1.0) < 0.02);
}

/// 1.5·10⁴ particles inside, scatter 1/√n: 0.8 %; five of those.
BOOST_AUTO_TEST_CASE(bulk_fill_is_the_density_inside_and_ignores_borders) {
  Cloud sand = cone(30.0 * degree, eight_per_cell, 8);
  const Profile shape = profile(sand.x, sand.volume, axis, bins);
  BOOST_TEST(std::abs(bulk_fill(sand.x, sand.volume, axis, shape, 2.0 * h, 0.5 * radius) - 1.0) < 0.04);
  for (std::size_t p = 0; p < sand.x.size(); ++p) {  // denser at the ground, where it must not count
    if (sand.x[p].y() < h) sand.volume[p] *= 3.0;
  }
  BOOST_TEST(std::abs(bulk_fill(sand.x, sand.volume, axis, shape, 2.0 * h, 0.5 * radius) - 1.0) < 0.04);
  for (double& v : sand.volume) v *= 0.8;
  BOOST_TEST(std::abs(bulk_fill(sand.x, sand.volume, axis, shape, 2.0 * h, 0.5 * radius) - 0.8) < 0.04);
  BOOST_TEST(std::isnan(bulk_fill(sand.x, sand.volume, axis, shape, radius, radius)));
}

/// Heights 0, 1, …, 100 mm beyond the radius: 2 mm. What lies inside does not count.
BOOST_AUTO_TEST_CASE(ground_gap_is_of_the_sand_that_spread) {
  std::vector<Point> x(1000, Point::Zero());
  for (int i = 0; i <= 100; ++i) x.emplace_back(0.03, 1e-3 * i, 0.0);
  BOOST_TEST(std::abs(ground_gap(x, axis, 0.02) - 2e-3) < 1e-15);
  BOOST_TEST(std::isnan(ground_gap(x, axis, 0.04)));
}

BOOST_AUTO_TEST_CASE(foot_is_the_outer_edge_of_the_surface_without_a_gap) {
  const Profile split{
      .radius = {0.5, 1.5, 2.5, 3.5}, .surface = {2.0, 1.0, 0.0, 1.0}, .packed = {}, .ring_width = 1.0};
  BOOST_TEST(foot_radius(split) == 2.0);
  BOOST_TEST(foot_radius(Profile{.radius = {0.5}, .surface = {0.0}, .packed = {}, .ring_width = 1.0}) == 0.0);
}

BOOST_AUTO_TEST_CASE(height_is_of_the_core) {
  const Cloud sand = cone(30.0 * degree, eight_per_cell, 3);
  const double apex = radius * std::tan(30.0 * degree);
  const Height found = height(sand.x, axis, 2.0 * h);
  BOOST_TEST_REQUIRE(found.core > 500U);
  // The core's surface falls by 2 h tan 30° to its rim; 98 % of its particles lie below some 0.95 of the
  // apex.
  BOOST_TEST(found.percentile_98 < apex);
  BOOST_TEST(found.percentile_98 > apex - 2.0 * h);
  BOOST_TEST(std::isnan(height(sand.x, Axis{.foot = Point(1.0, 0.0, 0.0)}, h).percentile_98));
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  const std::vector<Point> one{Point::Zero()};
  BOOST_CHECK_THROW(runout({}, axis), std::invalid_argument);
  BOOST_CHECK_THROW(height({}, axis, h), std::invalid_argument);
  BOOST_CHECK_THROW(profile(one, {}, axis, bins), std::invalid_argument);
  BOOST_CHECK_THROW(profile(one, {1.0}, axis, {}), std::invalid_argument);
  BOOST_CHECK_THROW(profile(one, {1.0}, Axis{.dim = 2}, {.ring_width = h, .layer_height = h, .sectors = 4}),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
