#include "experiments/picture/canvas.h"
#include "experiments/picture/label.h"
#include "experiments/picture/picture.h"
#include "tests/unit/experiments/plane_scene.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace repose;
using namespace repose::experiments;
using test::pixel;

namespace {

/// A camera ten metres away that looks along −z at the origin; one metre is a fifth of the width.
View front_view() {
  View view;
  view.width = 100;
  view.height = 60;
  view.samples = 2;
  view.eye = Point(0.0, 0.0, 10.0);
  view.field_of_view = 2.0 * std::atan(0.25);
  view.floor = -100.0;
  view.to_light = Point(0.0, 0.0, 1.0);
  return view;
}

Ball ball(float x, float y, float z, float radius, const Colour& colour) {
  return {.centre = Eigen::Vector3f(x, y, z), .radius = radius, .colour = colour};
}

Image white_image() { return plain_image(120, 120, {1.0F, 1.0F, 1.0F}); }

/// Borders of what is dark in a picture.
struct Ink {
  float left = 1e3F, right = 0.0F, top = 1e3F, bottom = 0.0F;
};

Ink ink_of(const Image& image) {
  Ink ink;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      if (pixel(image, column, row)[0] > 128) continue;
      const auto x = static_cast<float>(column);
      const auto y = static_cast<float>(row);
      ink = {std::min(ink.left, x), std::max(ink.right, x + 1.0F), std::min(ink.top, y),
             std::max(ink.bottom, y + 1.0F)};
    }
  return ink;
}

const Colour red{0.8F, 0.1F, 0.1F};
const Colour green{0.1F, 0.8F, 0.1F};

}  // namespace

BOOST_AUTO_TEST_SUITE(picture_draw)

BOOST_AUTO_TEST_CASE(the_nearer_ball_hides_the_farther_in_either_order) {
  const Ball near = ball(0.0F, 0.0F, 1.0F, 0.5F, red);
  const Ball far = ball(0.0F, 0.0F, -1.0F, 0.5F, green);
  for (const auto& balls : {std::vector<Ball>{near, far}, std::vector<Ball>{far, near}}) {
    const auto middle = pixel(draw(balls, {}, front_view()), 50, 30);
    BOOST_TEST(middle[0] > 2 * middle[1]);
  }
}

/// A ball of radius 1 m at the origin, 100 pixels for 5 m there: its outline is 20 pixels from the middle,
/// times 1/√(1 − 0.1²) = 1.005 for the perspective.
BOOST_AUTO_TEST_CASE(a_ball_is_as_large_as_perspective_makes_it) {
  const Image image = draw(std::vector<Ball>{ball(0.0F, 0.0F, 0.0F, 1.0F, red)}, {}, front_view());
  const auto is_red = [&](int column) {
    const auto p = pixel(image, column, 30);
    return p[0] > p[1] + 20;
  };
  BOOST_TEST(is_red(50 + 18));
  BOOST_TEST(is_red(50 - 19));
  BOOST_TEST(!is_red(50 + 21));
  BOOST_TEST(!is_red(50 - 22));
}

BOOST_AUTO_TEST_CASE(up_is_up_and_right_is_right) {
  const Image image = draw(std::vector<Ball>{ball(1.0F, 0.6F, 0.0F, 0.3F, red)}, {}, front_view());
  const auto there = pixel(image, 70, 30 - 12);
  const auto mirrored = pixel(image, 30, 30 + 12);
  BOOST_TEST(there[0] > there[1] + 50);
  BOOST_TEST(mirrored[0] < mirrored[1] + 20);
}

/// Light from the left at 45° on a heap of grains 1 m wide and 1 m high: its shadow covers the floor from its right
/// side, x = 0.5 m, to x = 1.5 m. Shadows blur over five grain radii, 0.25 m, so their middle is dark.
BOOST_AUTO_TEST_CASE(a_heap_throws_its_shadow_away_from_the_light_and_as_far_as_it_is_high) {
  View view = front_view();
  view.eye = Point(0.0, 10.0, 0.5);
  view.floor = 0.0;
  view.to_light = Point(-1.0, 1.0, 0.0);
  std::vector<Ball> heap;
  for (int i = 0; i < 1000; ++i) {
    const auto along = [](int cells) { return 0.05F + 0.1F * static_cast<float>(cells); };
    heap.push_back(ball(along(i % 10) - 0.5F, along(i / 10 % 10), along(i / 100) - 0.5F, 0.05F, red));
  }
  const Image image = draw(heap, {}, view);
  const auto floor_at = [&](double x) {
    return pixel(image, 50 + static_cast<int>(std::lround(20.0 * x)), 30)[1];
  };
  BOOST_TEST(floor_at(1.0) + 40 < floor_at(-1.0));
  BOOST_TEST(std::abs(floor_at(2.0) - floor_at(-2.0)) < 10);
}

BOOST_AUTO_TEST_CASE(equal_input_gives_equal_pictures) {
  const std::vector<Ball> balls{ball(0.0F, 0.0F, 0.0F, 1.0F, red), ball(0.5F, 0.5F, 0.5F, 0.4F, green)};
  const std::vector<Label> labels{{.text = "φ = 30°", .at = Point::Zero()}};
  BOOST_TEST(draw(balls, labels, front_view()).rgb == draw(balls, labels, front_view()).rgb);
}

BOOST_AUTO_TEST_CASE(a_label_darkens_its_place_alone) {
  if (!can_label()) return;
  const std::vector<Label> labels{{.text = "φ = 30°", .at = Point::Zero()}};
  View view = front_view();
  view.height = 200;
  view.width = 300;
  const Image without = draw({}, {}, view);
  const Image with = draw({}, labels, view);
  std::size_t changed_near = 0;
  std::size_t changed_far = 0;
  for (int row = 0; row < view.height; ++row) {
    for (int column = 0; column < view.width; ++column) {
      if (pixel(with, column, row) == pixel(without, column, row)) continue;
      ++(std::abs(column - 150) < 40 && std::abs(row - 100) < 10 ? changed_near : changed_far);
    }
  }
  BOOST_TEST(changed_near > 30U);
  BOOST_TEST(changed_far == 0U);
}

BOOST_AUTO_TEST_CASE(a_label_refuses_what_is_no_text) {
  if (!can_label()) return;
  Image image{.width = 4, .height = 4, .rgb = std::vector<std::uint8_t>(48, 255)};
  BOOST_CHECK_THROW(paint_text(image, "\xff", {2.0F, 2.0F}, 2.0F), std::invalid_argument);
  BOOST_CHECK_THROW(text_length("\xff", 2.0F), std::invalid_argument);
  BOOST_TEST(text_length("and goes on", 2.0F) > 0.0F);
}

BOOST_AUTO_TEST_CASE(digits_are_as_high_as_asked_for_and_stand_in_the_middle) {
  if (!can_label()) return;
  for (const float size : {9.0F, 20.0F, 60.0F}) {
    Image image = white_image();
    paint_text(image, "1", {60.0F, 60.0F}, size);
    const Ink ink = ink_of(image);
    BOOST_TEST(std::abs(ink.top - (60.0F - 0.5F * size)) <= 1.0F);
    BOOST_TEST(std::abs(ink.bottom - (60.0F + 0.5F * size)) <= 1.0F);
    BOOST_TEST(ink.left >= 60.0F - 0.5F * text_length("1", size));
    BOOST_TEST(ink.right <= 60.0F + 0.5F * text_length("1", size));
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_as_long_as_its_letters_together) {
  if (!can_label()) return;
  BOOST_TEST(text_length("", 10.0F) == 0.0F);
  const float sum = text_length("time ", 10.0F) + text_length("0.4 s", 10.0F);
  BOOST_TEST(std::abs(text_length("time 0.4 s", 10.0F) - sum) < 1e-3F);
  BOOST_TEST(std::abs(text_length("time", 20.0F) - 2.0F * text_length("time", 10.0F)) < 1e-3F);
}

BOOST_AUTO_TEST_CASE(a_label_at_the_border_is_cut_and_one_outside_is_not_seen) {
  if (!can_label()) return;
  const auto dark_at = [](const Eigen::Vector2f& middle) {
    Image image = white_image();
    paint_text(image, "HHHHHHHH", middle, 10.0F);
    return std::count_if(image.rgb.begin(), image.rgb.end(), [](std::uint8_t byte) { return byte < 128; });
  };
  const auto whole = dark_at({60.0F, 60.0F});
  for (const Eigen::Vector2f& border : {Eigen::Vector2f(0.0F, 60.0F), Eigen::Vector2f(120.0F, 60.0F),
                                        Eigen::Vector2f(60.0F, 0.0F), Eigen::Vector2f(60.0F, 120.0F)}) {
    BOOST_TEST(dark_at(border) > whole / 4);
    BOOST_TEST(dark_at(border) < 3 * whole / 4);
    BOOST_TEST(dark_at(Eigen::Vector2f(60.0F, 60.0F) + 10.0F * (border - Eigen::Vector2f(60.0F, 60.0F))) ==
               0);
    BOOST_TEST(dark_at(1e30F * (border - Eigen::Vector2f(60.0F, 60.0F))) == 0);
  }
}

BOOST_AUTO_TEST_CASE(every_printable_letter_has_a_shape_of_its_own) {
  if (!can_label()) return;
  std::vector<std::vector<std::uint8_t>> seen{white_image().rgb};
  for (char c = '!'; c <= '~'; ++c) {
    Image image = white_image();
    paint_text(image, std::string(1, c), {60.0F, 60.0F}, 20.0F);
    BOOST_TEST((std::find(seen.begin(), seen.end(), image.rgb) == seen.end()), c);
    seen.push_back(image.rgb);
  }
}

BOOST_AUTO_TEST_CASE(a_users_name_is_made_paintable) {
  if (!can_label()) return;
  BOOST_TEST(paintable("sand", 10.0F, 1000.0F) == "sand");
  BOOST_TEST(paintable("s\U0010fffdnd\n", 10.0F, 1000.0F) == "s?nd?");  // a character of no font
  BOOST_TEST(paintable("\xff\xc3", 10.0F, 1000.0F) == "??");
  BOOST_TEST(paintable("\xed\xa0\x80\xef\xbf\xbe\x7f", 10.0F, 1000.0F) == "???");  // of no text
  const std::string cut = paintable(std::string(100000, 'w'), 10.0F, 200.0F);
  BOOST_TEST(cut.ends_with("w..."));
  BOOST_TEST(text_length(cut, 10.0F) <= 200.0F);
  BOOST_TEST(text_length(cut, 10.0F) > 180.0F);
  Image image{.width = 8, .height = 8, .rgb = std::vector<std::uint8_t>(192, 255)};
  paint_text(image, cut, {4.0F, 4.0F}, 10.0F);
}

BOOST_AUTO_TEST_CASE(a_build_without_fonts_paints_nothing_and_changes_no_text) {
  if (can_label()) return;
  Image image = white_image();
  paint_text(image, "1", {60.0F, 60.0F}, 20.0F);
  BOOST_TEST(image.rgb == white_image().rgb);
  BOOST_TEST(text_length("1", 20.0F) == 0.0F);
  BOOST_TEST(paintable("sand", 20.0F, 1.0F) == "sand");
}

/// Shares 0.85, 0.10, 0.05 of 200 000 draws scatter by √(p q/n) ≤ 0.0008; five of those.
BOOST_AUTO_TEST_CASE(grains_have_the_three_colours_in_their_shares) {
  double yellow = 0.0;
  double brown = 0.0;
  double white = 0.0;
  const int grains = 200000;
  for (int id = 0; id < grains; ++id) {
    const Colour colour = grain_colour(static_cast<std::uint64_t>(id));
    if (std::abs(colour[0] * 255.0F - 225.0F) < 0.5F) yellow += 1.0 / grains;
    if (std::abs(colour[0] * 255.0F - 107.0F) < 0.5F) brown += 1.0 / grains;
    if (colour[0] == 1.0F) white += 1.0 / grains;
  }
  BOOST_TEST(std::abs(yellow - 0.85) < 0.004);
  BOOST_TEST(std::abs(brown - 0.10) < 0.004);
  BOOST_TEST(std::abs(white - 0.05) < 0.004);
}

BOOST_AUTO_TEST_CASE(a_png_file_begins_with_its_signature_and_size) {
  if (!can_write_png()) return;
  const auto file = std::filesystem::temp_directory_path() / "repose_picture_test.png";
  write_png(Image{.width = 3, .height = 2, .rgb = std::vector<std::uint8_t>(18, 100)}, file);
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 24> head{};
  stream.read(head.data(), head.size());
  BOOST_TEST(std::string(head.data() + 1, 3) == "PNG");
  BOOST_TEST(head[19] == 3);
  BOOST_TEST(head[23] == 2);
  std::filesystem::remove(file);
  BOOST_CHECK_THROW(write_png(Image{.width = 1, .height = 1, .rgb = {1, 2, 3}}, "/nowhere/at/all.png"),
                    std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
