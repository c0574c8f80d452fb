#include "experiments/common/state_picture.h"
#include "experiments/common/elastic_state.h"
#include "experiments/common/picture_glyphs.h"
#include "experiments/common/picture_label.h"
#include "reference/interface/error.h"
#include "reference/interface/sampling.h"
#include "tests/unit/experiments/state_snapshots.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>

using namespace repose;
using namespace repose::experiments;
namespace data = boost::unit_test::data;

namespace {

StoredState stored(Snapshot snapshot) {
  return {.snapshot = std::move(snapshot), .origin = test::some_origin(), .scene = {}};
}

/// A plane 2 m wide and 1 m high without bodies; particles of 0.1 m.
struct Plane {
  Scene scene;
  Snapshot snapshot;

  explicit Plane(int dim = 2) : scene(test::small_scene(dim)) {
    scene.colliders.clear();
    scene.grid.cells = {20, 10, dim == 3 ? 10 : 1};
  }

  void set(std::string_view name, int components, std::vector<double> values) {
    snapshot.set({.name = std::string(name),
                  .unit = {},
                  .place = Place::particle,
                  .components = components,
                  .value = std::move(values)});
  }

  /// Sand at the given places; at rest, not deformed.
  void place(const std::vector<Point>& at) {
    const auto d = static_cast<std::size_t>(scene.dim());
    std::vector<double> x;
    std::vector<double> F;
    for (const Point& p : at) {
      for (std::size_t a = 0; a < d; ++a) x.push_back(p[static_cast<Eigen::Index>(a)]);
      for (std::size_t k = 0; k < d * d; ++k) F.push_back(k % (d + 1) == 0 ? 1.0 : 0.0);
    }
    set(field::mass, 1, std::vector<double>(at.size(), 1.0));
    set(field::volume, 1, std::vector<double>(at.size(), std::pow(0.1, scene.dim())));
    set(field::material, 1, std::vector<double>(at.size(), 1.0));
    set(field::q, 1, std::vector<double>(at.size(), 0.0));
    set(field::v, scene.dim(), std::vector<double>(x.size(), 0.0));
    set(field::x, scene.dim(), x);
    set(field::F, scene.dim() * scene.dim(), F);
  }

  Image draw(StatePictureOptions options = {}) const {
    options.width = options.width == 1200 ? 400 : options.width;
    return draw_state(stored(snapshot), scene, options);
  }
};

std::array<int, 3> pixel(const Image& image, int column, int row) {
  const auto at = 3U * static_cast<std::size_t>(row * image.width + column);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

/// The colour of the second material, a blue, which nothing else in these pictures has.
bool is_rubber(const std::array<int, 3>& p) { return p[2] > p[0] + 60; }

int count_rubber(const Image& image, int rows) {
  int count = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < image.width; ++column)
      count += is_rubber(pixel(image, column, row)) ? 1 : 0;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_picture_test)

BOOST_AUTO_TEST_CASE(every_printable_letter_has_strokes_of_its_own) {
  std::vector<std::vector<Stroke>> seen;
  for (char c = '!'; c <= '~'; ++c) {
    const Glyph* glyph = find_glyph(std::string(1, c));
    BOOST_REQUIRE_MESSAGE(glyph != nullptr, c);
    BOOST_TEST(!glyph->strokes.empty());
    BOOST_TEST(glyph->advance > 0.2F);
    for (const Stroke& stroke : glyph->strokes) {
      BOOST_TEST(stroke.size() >= 2U, c);
      for (const auto& p : stroke)
        BOOST_TEST((p.x() > -0.2F && p.x() < 1.1F && p.y() > -0.1F && p.y() < 1.3F), c);
    }
    BOOST_TEST((std::find(seen.begin(), seen.end(), glyph->strokes) == seen.end()), c);
    seen.push_back(glyph->strokes);
  }
}

BOOST_AUTO_TEST_CASE(a_users_name_is_made_paintable) {
  BOOST_TEST(paintable("sand", 10.0F, 1000.0F) == "sand");
  BOOST_TEST(paintable("s\u4e2dnd\n", 10.0F, 1000.0F) == "s?nd?");
  BOOST_TEST(paintable("\xff\xc3", 10.0F, 1000.0F) == "??");
  const std::string cut = paintable(std::string(100000, 'w'), 10.0F, 200.0F);
  BOOST_TEST(cut.ends_with("w..."));
  BOOST_TEST(text_length(cut, 10.0F) <= 200.0F);
  BOOST_TEST(text_length(cut, 10.0F) > 180.0F);
  Image image{.width = 8, .height = 8, .rgb = std::vector<std::uint8_t>(192, 255)};
  paint_text(image, cut, {4.0F, 4.0F}, 10.0F);
}

/// 400 pixels for 2 m; y is up. A particle of 0.1 m is a disk of 22 pixels.
BOOST_AUTO_TEST_CASE(a_particle_is_where_it_is_and_as_large_as_it_is) {
  Plane plane;
  plane.place({Point(0.5, 0.75, 0.0)});
  const Image image = plane.draw();
  BOOST_TEST(image.width == 400);
  BOOST_TEST(image.height > 200);
  for (const int away : {-9, 0, 9}) {
    BOOST_TEST(is_rubber(pixel(image, 100 + away, 50)));
    BOOST_TEST(is_rubber(pixel(image, 100, 50 + away)));
  }
  for (const int away : {-14, 14}) {
    BOOST_TEST(!is_rubber(pixel(image, 100 + away, 50)));
    BOOST_TEST(!is_rubber(pixel(image, 100, 50 + away)));
  }
}

BOOST_AUTO_TEST_CASE(a_window_shows_a_part) {
  Plane plane;
  plane.place({Point(0.5, 0.75, 0.0)});
  const Image image = plane.draw({.window = Window{.x_min = 0.4, .y_min = 0.7, .x_max = 0.8, .y_max = 0.9}});
  BOOST_TEST(is_rubber(pixel(image, 100 - 45, 150)));
  BOOST_TEST(is_rubber(pixel(image, 100 + 45, 150)));
  BOOST_TEST(!is_rubber(pixel(image, 170, 150)));
}

/// A body is filled where its distance is negative at the time of the state.
BOOST_AUTO_TEST_CASE(bodies_are_drawn_where_they_are_at_that_time) {
  Plane plane;
  plane.place({});
  Collider disk;
  disk.shape = Sphere{.centre = Point(0.5, 0.5, 0.0), .radius = 0.2};
  disk.velocity = Point(1.0, 0.0, 0.0);
  plane.scene.colliders.push_back(disk);
  plane.snapshot.time = 1.0;
  const Image image = plane.draw();
  BOOST_TEST(pixel(image, 300, 100)[0] < 190);
  BOOST_TEST(pixel(image, 300 + 33, 100)[0] < 190);
  BOOST_TEST(pixel(image, 300 + 45, 100)[0] > 230);
  BOOST_TEST(pixel(image, 100, 100)[0] > 230);
}

BOOST_DATA_TEST_CASE(a_state_without_particles_is_drawn, data::make({2, 3}), dim) {
  Plane plane(dim);
  plane.place({});
  BOOST_TEST(count_rubber(plane.draw(), 200) == 0);
  plane.snapshot = Snapshot{};  // not even fields
  for (const std::string& name : colour_names())
    BOOST_TEST(plane.draw({.colour = colour_from(name)}).rgb.size() > 0U);
}

BOOST_DATA_TEST_CASE(particles_that_are_nowhere_are_left_out, data::make({2, 3}), dim) {
  Plane plane(dim);
  plane.place({Point(0.5, 0.5, 0.5), Point(1.0, 0.5, 0.5)});
  const int both = count_rubber(plane.draw(), 200);
  plane.snapshot.get(field::x).value[0] = std::numeric_limits<double>::quiet_NaN();
  const int one = count_rubber(plane.draw(), 200);
  BOOST_TEST(one > 0);
  BOOST_TEST(one < 2 * both / 3);
  plane.snapshot.get(field::x).value[0] = 1e300;
  BOOST_TEST(plane.draw().width == 400);
}

/// Particles in the domain's corners, with up along any axis, are all in the picture and none is cut by its border.
BOOST_DATA_TEST_CASE(the_whole_domain_is_in_view, data::make({0, 1, 2}), up) {
  Plane plane(3);
  plane.scene.gravity = -9.81 * Point::Unit(up);
  const Point low = plane.scene.grid.domain_min;
  const Point high = plane.scene.grid.domain_max();
  for (int corner = 0; corner < 8; ++corner) {
    const auto at = [&](int axis) { return (corner >> axis & 1) != 0 ? high[axis] : low[axis]; };
    plane.place({Point(at(0), at(1), at(2))});
    const Image image = plane.draw();
    const int rows = static_cast<int>(std::lround(0.62 * 400));
    BOOST_TEST(count_rubber(image, rows) > 10);
    int border = 0;
    for (int column = 0; column < 400; ++column)
      border += is_rubber(pixel(image, column, 0)) || is_rubber(pixel(image, column, rows - 1)) ? 1 : 0;
    for (int row = 0; row < rows; ++row)
      border += is_rubber(pixel(image, 0, row)) || is_rubber(pixel(image, 399, row)) ? 1 : 0;
    BOOST_TEST(border == 0);
  }
}

/// Two particles, the second 1 m above the first: it is seen higher, whatever axis is up.
BOOST_DATA_TEST_CASE(what_is_higher_is_seen_higher, data::make({0, 1, 2}) * data::make({-1.0, 1.0}), axis,
                     sign) {
  Plane plane(3);
  const Point up = sign * Point::Unit(axis);
  plane.scene.gravity = -9.81 * up;
  const auto mean_row = [&](double height) {
    plane.place({Point(1.0, 0.5, 0.5) + height * up});
    const Image image = plane.draw();
    double sum = 0.0;
    int count = 0;
    for (int row = 0; row < 248; ++row) {
      for (int column = 0; column < 400; ++column) {
        if (!is_rubber(pixel(image, column, row))) continue;
        sum += row;
        ++count;
      }
    }
    BOOST_TEST_REQUIRE(count > 0);
    return sum / count;
  };
  BOOST_TEST(mean_row(0.4) + 20.0 < mean_row(-0.4));
}

BOOST_AUTO_TEST_CASE(a_camera_sees_what_it_is_turned_to) {
  Plane plane(3);
  plane.place({Point(1.0, 0.5, 0.5)});
  const StatePictureOptions at_it{.eye = Point(1.0, 0.5, 4.0), .target = Point(1.0, 0.5, 0.5)};
  BOOST_TEST(is_rubber(pixel(plane.draw(at_it), 200, 124)));
  const StatePictureOptions beside{.eye = Point(1.0, 0.5, 4.0), .target = Point(3.0, 0.5, 0.5)};
  BOOST_TEST(count_rubber(plane.draw(beside), 248) == 0);
}

BOOST_AUTO_TEST_CASE(scales_span_their_values_and_grow_lighter) {
  Plane plane;
  plane.place({Point(0.5, 0.2, 0.0), Point(0.5, 0.8, 0.0), Point(0.5, 0.6, 0.0)});
  plane.snapshot.get(field::v).value = {0.0, 0.0, 3.0, -4.0, 1.0, 0.0};
  const auto speed = colour_range(plane.snapshot, plane.scene, ColourBy::speed);
  BOOST_TEST_REQUIRE(speed.has_value());
  BOOST_TEST(speed->low == 0.0);
  BOOST_TEST(speed->high == 5.0);
  const auto height = colour_range(plane.snapshot, plane.scene, ColourBy::height);
  BOOST_TEST_REQUIRE(height.has_value());
  BOOST_TEST(std::abs(height->low - 0.2) < 1e-15);
  BOOST_TEST(std::abs(height->high - 0.8) < 1e-15);
  BOOST_TEST(!colour_range(plane.snapshot, plane.scene, ColourBy::material).has_value());
  const auto shades = colours(plane.snapshot, plane.scene, ColourBy::speed, speed);
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
  const auto shades = colours(plane.snapshot, plane.scene, ColourBy::plastic_case, std::nullopt);
  const auto words = legend(plane.scene, ColourBy::plastic_case, std::nullopt).entries;
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
  const auto range = colour_range(plane.snapshot, plane.scene, ColourBy::pressure);
  const double expected =
      1e-3 * 0.02 * (moduli.mu + moduli.lambda);  // τ = 2μ ε + λ tr ε, along both axes [kPa]
  BOOST_TEST(std::abs(range->low - expected) < 1e-12);
  F[0] = F[3] = 0.0;
  BOOST_CHECK_THROW(colour_range(plane.snapshot, plane.scene, ColourBy::pressure), BadInput);
}

BOOST_AUTO_TEST_CASE(a_state_without_the_field_is_refused) {
  Plane plane;
  plane.place({Point(0.2, 0.2, 0.0)});
  plane.snapshot.erase(field::v);
  BOOST_CHECK_THROW(plane.draw({.colour = ColourBy::speed}), BadInput);
  BOOST_TEST(plane.draw().width == 400);
  plane.snapshot.get(field::material).value[0] = 2.0;
  BOOST_CHECK_THROW(plane.draw(), BadInput);
  plane.snapshot.get(field::material).value[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(plane.draw(), BadInput);
  plane.snapshot.get(field::material).value[0] = 1.0;
  BOOST_CHECK_THROW(plane.draw({.height = 40}), BadInput);
}

BOOST_DATA_TEST_CASE(equal_states_give_equal_pictures, data::make({2, 3}), dim) {
  const Scene scene = test::small_scene(dim);
  const StoredState state = stored(sample(scene));
  const StatePictureOptions options{.colour = ColourBy::height, .width = 300};
  BOOST_TEST(draw_state(state, scene, options).rgb == draw_state(state, scene, options).rgb);
}

/// With a scale the legend takes another line, and what it says does not touch the picture above.
BOOST_AUTO_TEST_CASE(the_legend_stands_below_the_picture) {
  Plane plane;
  plane.place({Point(0.5, 0.5, 0.0), Point(1.5, 0.5, 0.0)});
  const Image words = plane.draw();
  const Image scale = plane.draw({.colour = ColourBy::height});
  BOOST_TEST(words.height > 200);
  int dark = 0;
  for (int row = 200; row < words.height; ++row)
    for (int column = 0; column < words.width; ++column) dark += pixel(words, column, row)[1] < 120 ? 1 : 0;
  BOOST_TEST(dark > 300);
  BOOST_TEST(std::equal(words.rgb.begin(), words.rgb.begin() + 3 * 400 * 30, scale.rgb.begin()));
}

BOOST_AUTO_TEST_SUITE_END()
