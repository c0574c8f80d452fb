#include "experiments/picture/state_picture.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "tests/unit/experiments/plane_scene.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

using namespace repose;
using namespace repose::experiments;
using test::pixel;
using test::Plane;
namespace data = boost::unit_test::data;

namespace {

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
  int drawn = 0, of_others = 0;
  for (const std::string& name : colour_names()) {
    try {
      BOOST_TEST(plane.draw({.colour = name}).rgb.size() > 0U);
      ++drawn;
    } catch (const BadInput& refusal) {
      BOOST_TEST(std::string_view(refusal.what()).starts_with("--colour " + name + ": what steps by mpm"));
      ++of_others;
    }
  }
  BOOST_TEST((drawn >= 6 && of_others >= 2));
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

/// Particles in the domain's corners, with up along any axis, are all in the picture and none is cut by its border; and
/// together they fill most of it. A wide field of view makes near corners large.
BOOST_DATA_TEST_CASE(the_whole_domain_is_in_view, data::make({0, 1, 2}), up) {
  Plane plane(3);
  plane.scene.gravity = -9.81 * Point::Unit(up);
  const Point low = plane.scene.grid.domain_min;
  const Point high = plane.scene.grid.domain_max();
  int first = 400;
  int last = 0;
  int top = 400;
  int bottom = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const auto at = [&](int axis) { return (corner >> axis & 1) != 0 ? high[axis] : low[axis]; };
    plane.place({Point(at(0), at(1), at(2))});
    const Image image = plane.draw({.field_of_view = 1.2});
    const int rows = static_cast<int>(std::lround(0.62 * 400));
    BOOST_TEST(count_rubber(image, rows) > 10);
    int border = 0;
    for (int column = 0; column < 400; ++column)
      border += is_rubber(pixel(image, column, 0)) || is_rubber(pixel(image, column, rows - 1)) ? 1 : 0;
    for (int row = 0; row < rows; ++row)
      border += is_rubber(pixel(image, 0, row)) || is_rubber(pixel(image, 399, row)) ? 1 : 0;
    BOOST_TEST(border == 0);
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < 400; ++column) {
        if (!is_rubber(pixel(image, column, row))) continue;
        first = std::min(first, column);
        last = std::max(last, column);
        top = std::min(top, row);
        bottom = std::max(bottom, row);
      }
    }
  }
  BOOST_TEST(std::max((last - first) / 400.0, (bottom - top) / 248.0) >
             0.6);  // perspective sets its middle aside
}

/// A particle 0.8 m above another place is seen higher there, whatever axis is up.
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

BOOST_AUTO_TEST_CASE(a_state_without_the_field_is_refused) {
  Plane plane;
  plane.place({Point(0.2, 0.2, 0.0)});
  plane.snapshot.erase(field::v);
  BOOST_CHECK_THROW(plane.draw({.colour = "speed"}), BadInput);
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
  const StoredState state = test::stored(sample(scene));
  const StatePictureOptions options{.colour = "height", .width = 300};
  BOOST_TEST(draw_state(state, scene, options).rgb == draw_state(state, scene, options).rgb);
}

/// With a scale the legend takes another line, and what it says does not touch the picture above.
BOOST_AUTO_TEST_CASE(the_legend_stands_below_the_picture) {
  Plane plane;
  plane.place({Point(0.5, 0.5, 0.0), Point(1.5, 0.5, 0.0)});
  const Image words = plane.draw();
  const Image scale = plane.draw({.colour = "height"});
  BOOST_TEST(words.height > 200);
  int dark = 0;
  for (int row = 200; row < words.height; ++row)
    for (int column = 0; column < words.width; ++column) dark += pixel(words, column, row)[1] < 120 ? 1 : 0;
  BOOST_TEST(dark > 300);
  // The scale ends in the colours that the particles have at its ends.
  for (const double share : {0.0, 1.0}) {
    const Colour end = scale_colour(share);
    int found = 0;
    for (int row = 200; row < scale.height; ++row) {
      for (int column = 0; column < scale.width; ++column) {
        const auto p = pixel(scale, column, row);
        bool same = true;
        for (std::size_t c = 0; c < 3; ++c)
          same = same && std::abs(255.0F * end[c] - static_cast<float>(p[c])) < 1.0F;
        found += same ? 1 : 0;
      }
    }
    BOOST_TEST(found >= 7);  // as high as the text, but for its blended rims
  }
  BOOST_TEST(std::equal(words.rgb.begin(), words.rgb.begin() + 3 * 400 * 30, scale.rgb.begin()));
}

BOOST_AUTO_TEST_SUITE_END()
