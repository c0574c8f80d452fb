#include "experiments/picture/glyphs.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <string>

namespace repose::experiments {

namespace {

using Eigen::Vector2f;

struct Drawing {
  std::string_view character;
  std::string_view strokes;  ///< joined by ';', in hundredths
  int advance = 80;
};

/// A stroke is "L x y x y …", a line through points, or "A x y rx ry from to", a part of an ellipse from one angle to
/// another in hundredths of a quarter turn: 0 is right, 100 is down.
constexpr std::array drawings{
    Drawing{"0", "A 30 50 27 48 0 400"},
    Drawing{"1", "L 10 20 33 2 33 98", 58},
    Drawing{"2", "A 30 29 26 27 -190 45;L 50 47 4 98 57 98"},
    Drawing{"3", "A 28 26 24 24 -170 80;A 28 74 27 24 -80 170;L 22 49 35 49"},
    Drawing{"4", "L 44 98 44 2 2 70 60 70"},
    Drawing{"5", "L 52 2 12 2 8 45;A 28 67 28 31 -145 165"},
    Drawing{"6", "A 30 68 26 30 0 400;L 46 2 20 30 5 60"},
    Drawing{"7", "L 4 2 56 2 20 98"},
    Drawing{"8", "A 30 25 22 23 0 400;A 30 73 27 25 0 400"},
    Drawing{"9", "A 30 32 26 30 0 400;L 14 98 40 70 55 40"},
    Drawing{".", "L 10 96 10 97", 30},
    Drawing{",", "L 12 94 5 114", 30},
    Drawing{":", "L 10 50 10 51;L 10 96 10 97", 30},
    Drawing{";", "L 12 50 12 51;L 12 94 5 114", 30},
    Drawing{"=", "L 4 42 56 42;L 4 68 56 68"},
    Drawing{"+", "L 4 58 56 58;L 30 32 30 84"},
    Drawing{"-", "L 6 58 44 58", 60},
    Drawing{"–", "L 4 58 56 58"},
    Drawing{"_", "L 0 110 60 110", 70},
    Drawing{"/", "L 4 110 46 -6", 60},
    Drawing{"\\", "L 4 -6 46 110", 60},
    Drawing{"|", "L 12 -6 12 118", 34},
    Drawing{"(", "A 40 52 34 66 130 270", 42},
    Drawing{")", "A -8 52 34 66 -70 70", 42},
    Drawing{"[", "L 32 -8 10 -8 10 114 32 114", 44},
    Drawing{"]", "L 4 -8 26 -8 26 114 4 114", 44},
    Drawing{"{", "L 36 -8 24 -4 22 44 8 53 22 62 24 110 36 114", 48},
    Drawing{"}", "L 6 -8 18 -4 20 44 34 53 20 62 18 110 6 114", 48},
    Drawing{"<", "L 54 34 6 60 54 86"},
    Drawing{">", "L 6 34 54 60 6 86"},
    Drawing{"*", "L 28 4 28 52;L 8 16 48 40;L 48 16 8 40", 66},
    Drawing{"'", "L 10 0 10 24", 30},
    Drawing{"`", "L 6 0 18 18", 36},
    Drawing{"\"", "L 8 0 8 24;L 26 0 26 24", 46},
    Drawing{"!", "L 12 0 12 70;L 12 96 12 97", 36},
    Drawing{"?", "A 27 26 23 24 -190 100;L 27 50 27 70;L 27 96 27 97", 66},
    Drawing{"%", "A 16 20 14 19 0 400;A 68 80 14 19 0 400;L 68 2 16 98", 102},
    Drawing{"#", "L 24 4 12 96;L 50 4 38 96;L 6 34 60 34;L 2 66 56 66", 78},
    Drawing{"&", "L 66 98 18 34;A 30 19 16 18 160 460;L 44 28 10 62;A 27 75 24 23 200 20;L 50 80 60 56", 84},
    Drawing{"$", "A 31 28 24 22 -35 -300;A 31 72 27 22 -100 165;L 31 -6 31 106"},
    Drawing{"@", "A 46 58 18 22 0 400;A 46 56 42 48 110 400;L 64 36 64 66;A 76 66 12 14 200 0", 106},
    Drawing{"^", "L 8 36 30 4 52 36"},
    Drawing{"~", "A 18 58 14 10 200 400;A 46 58 14 10 200 0", 80},
    Drawing{"φ", "A 32 65 30 32 0 400;L 36 8 28 122", 85},
    Drawing{"°", "A 20 14 14 14 0 400", 45},
    Drawing{"·", "L 10 58 10 59", 30},
    Drawing{"²", "A 18 12 14 14 -190 40;L 28 22 4 46 34 46", 50},
    Drawing{"³", "A 16 10 13 11 -170 80;A 16 34 15 12 -80 170", 46},
    Drawing{" ", "", 35},
    Drawing{"a", "A 29 67 25 31 0 400;L 54 36 54 98", 74},
    Drawing{"b", "A 31 67 25 31 0 400;L 6 0 6 98", 74},
    Drawing{"c", "A 31 67 26 31 60 340", 66},
    Drawing{"d", "A 29 67 25 31 0 400;L 54 0 54 98", 74},
    Drawing{"e", "A 30 67 26 31 55 400;L 4 67 56 67", 72},
    Drawing{"f", "A 38 20 18 20 200 340;L 20 20 20 98;L 2 38 40 38", 48},
    Drawing{"g", "A 29 67 25 31 0 400;L 54 36 54 104;A 29 104 25 20 0 170", 74},
    Drawing{"h", "L 6 0 6 98;A 30 62 24 26 200 400;L 54 62 54 98", 72},
    Drawing{"i", "L 10 36 10 98;L 10 12 10 13", 32},
    Drawing{"j", "L 16 36 16 108;A 0 108 16 16 0 110;L 16 12 16 13", 38},
    Drawing{"k", "L 6 0 6 98;L 50 36 6 74;L 23 60 54 98", 66},
    Drawing{"l", "L 10 0 10 98", 32},
    Drawing{"m", "L 6 36 6 98;A 24 58 18 22 200 400;L 42 58 42 98;A 60 58 18 22 200 400;L 78 58 78 98", 98},
    Drawing{"n", "L 6 36 6 98;A 30 62 24 26 200 400;L 54 62 54 98", 72},
    Drawing{"o", "A 30 67 26 31 0 400", 72},
    Drawing{"p", "A 31 67 25 31 0 400;L 6 36 6 126", 74},
    Drawing{"q", "A 29 67 25 31 0 400;L 54 36 54 126", 74},
    Drawing{"r", "L 6 36 6 98;A 30 62 24 26 200 330", 52},
    Drawing{"s", "A 27 52 21 16 -35 -300;A 27 83 23 15 -100 165", 64},
    Drawing{"t", "L 20 12 20 80;A 36 80 16 18 200 90;L 2 38 40 38", 54},
    Drawing{"u", "L 6 36 6 72;A 30 72 24 26 200 0;L 54 36 54 98", 72},
    Drawing{"v", "L 3 36 28 98 53 36", 66},
    Drawing{"w", "L 3 36 21 98 39 36 57 98 75 36", 90},
    Drawing{"x", "L 5 36 53 98;L 53 36 5 98", 68},
    Drawing{"y", "L 3 36 29 98;L 55 36 20 124", 68},
    Drawing{"z", "L 6 36 51 36 5 98 53 98", 68},
    Drawing{"A", "L 2 98 32 2 62 98;L 13 66 51 66", 80},
    Drawing{"B", "L 30 2 7 2 7 98 32 98;A 30 26 22 24 -100 100;L 30 50 7 50;A 32 74 25 24 -100 100", 78},
    Drawing{"C", "A 36 50 31 48 60 340", 82},
    Drawing{"D", "L 27 2 7 2 7 98 27 98;A 27 50 34 48 -100 100", 84},
    Drawing{"E", "L 55 2 7 2 7 98 57 98;L 7 48 48 48", 76},
    Drawing{"F", "L 55 2 7 2 7 98;L 7 48 46 48", 70},
    Drawing{"G", "A 36 50 31 48 10 340;L 42 56 67 56", 86},
    Drawing{"H", "L 7 2 7 98;L 58 2 58 98;L 7 48 58 48", 82},
    Drawing{"I", "L 10 2 10 98", 34},
    Drawing{"J", "L 44 2 44 74;A 24 74 20 24 0 190", 66},
    Drawing{"K", "L 7 2 7 98;L 57 2 7 60;L 25 42 60 98", 78},
    Drawing{"L", "L 7 2 7 98 54 98", 70},
    Drawing{"M", "L 7 98 7 2 37 70 67 2 67 98", 92},
    Drawing{"N", "L 7 98 7 2 58 98 58 2", 82},
    Drawing{"O", "A 36 50 32 48 0 400", 88},
    Drawing{"P", "L 7 98 7 2 30 2;A 30 28 25 26 -100 100;L 30 54 7 54", 76},
    Drawing{"Q", "A 36 50 32 48 0 400;L 44 76 68 104", 88},
    Drawing{"R", "L 7 98 7 2 30 2;A 30 28 25 26 -100 100;L 30 54 7 54;L 30 54 58 98", 78},
    Drawing{"S", "A 31 26 24 24 -35 -300;A 31 74 27 24 -100 165", 76},
    Drawing{"T", "L 2 2 60 2;L 31 2 31 98", 76},
    Drawing{"U", "L 7 2 7 70;A 33 70 26 28 200 0;L 59 70 59 2", 82},
    Drawing{"V", "L 3 2 31 98 59 2", 76},
    Drawing{"W", "L 3 2 23 98 43 2 63 98 83 2", 100},
    Drawing{"X", "L 5 2 58 98;L 58 2 5 98", 76},
    Drawing{"Y", "L 3 2 31 50 59 2;L 31 50 31 98", 76},
    Drawing{"Z", "L 6 2 56 2 5 98 58 98", 76},
};

/// Points on a part of an ellipse.
Stroke arc(const std::vector<float>& n) {
  Stroke stroke;
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const float quarters = n[4] + (n[5] - n[4]) * static_cast<float>(i) / static_cast<float>(pieces);
    const float angle = 0.5F * std::numbers::pi_v<float> * quarters;
    stroke.emplace_back(n[0] + n[2] * std::cos(angle), n[1] + n[3] * std::sin(angle));
  }
  return stroke;
}

Stroke stroke_from(const std::string& text) {
  std::istringstream in(text);
  char kind = 'L';
  in >> kind;
  std::vector<float> numbers;
  for (int hundredths = 0; in >> hundredths;) numbers.push_back(0.01F * static_cast<float>(hundredths));
  if (kind == 'A') return arc(numbers);
  Stroke stroke;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) stroke.emplace_back(numbers[i], numbers[i + 1]);
  return stroke;
}

std::map<std::string, Glyph, std::less<>> all_glyphs() {
  std::map<std::string, Glyph, std::less<>> all;
  for (const Drawing& drawing : drawings) {
    Glyph glyph{.strokes = {}, .advance = 0.01F * static_cast<float>(drawing.advance)};
    std::istringstream in{std::string(drawing.strokes)};
    for (std::string stroke; std::getline(in, stroke, ';');) glyph.strokes.push_back(stroke_from(stroke));
    all.emplace(drawing.character, std::move(glyph));
  }
  return all;
}

}  // namespace

const Glyph* find_glyph(std::string_view character) {
  static const std::map<std::string, Glyph, std::less<>> all = all_glyphs();
  const auto found = all.find(character);
  return found == all.end() ? nullptr : &found->second;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t most = lead < 0xc0 || lead >= 0xf8 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::size_t length = 1;
    while (length < most && i + length < text.size() &&
           (static_cast<unsigned char>(text[i + length]) & 0xc0U) == 0x80U)
      ++length;
    all.push_back(text.substr(i, length));
    i += length;
  }
  return all;
}

}  // namespace repose::experiments
