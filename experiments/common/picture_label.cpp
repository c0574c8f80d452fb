#include "experiments/common/picture_label.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

namespace repose::experiments {

namespace {

using Eigen::Vector2f;
using Stroke = std::vector<Vector2f>;

/// Strokes in a box 0.6 wide and 1 high, y down; and how far to the next character.
struct Glyph {
  std::vector<Stroke> strokes;
  float advance = 0.8F;
};

/// Part of an ellipse; angles in quarter turns from +x, clockwise on the screen.
Stroke arc(Vector2f middle, float rx, float ry, float from, float to) {
  Stroke stroke;
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const float quarter = from + (to - from) * static_cast<float>(i) / static_cast<float>(pieces);
    const float angle = 0.5F * std::numbers::pi_v<float> * quarter;
    stroke.emplace_back(middle.x() + rx * std::cos(angle), middle.y() + ry * std::sin(angle));
  }
  return stroke;
}

Stroke polyline(std::initializer_list<Vector2f> points) { return {points}; }

const std::map<std::string, Glyph, std::less<>>& glyphs() {
  static const std::map<std::string, Glyph, std::less<>> all{
      {"0", {{arc({0.3F, 0.5F}, 0.27F, 0.48F, 0.0F, 4.0F)}}},
      {"1", {{polyline({{0.1F, 0.2F}, {0.33F, 0.02F}, {0.33F, 0.98F}})}}},
      {"2",
       {{arc({0.3F, 0.29F}, 0.26F, 0.27F, -2.2F, 0.45F),
         polyline({{0.5F, 0.47F}, {0.04F, 0.98F}, {0.57F, 0.98F}})}}},
      {"3",
       {{arc({0.28F, 0.26F}, 0.24F, 0.24F, -2.3F, 1.0F), arc({0.28F, 0.74F}, 0.28F, 0.24F, -1.0F, 2.3F)}}},
      {"4", {{polyline({{0.44F, 0.98F}, {0.44F, 0.02F}, {0.02F, 0.7F}, {0.6F, 0.7F}})}}},
      {"5",
       {{polyline({{0.52F, 0.02F}, {0.12F, 0.02F}, {0.08F, 0.45F}}),
         arc({0.28F, 0.67F}, 0.29F, 0.31F, -2.4F, 2.4F)}}},
      {"6",
       {{arc({0.3F, 0.68F}, 0.26F, 0.3F, 0.0F, 4.0F),
         polyline({{0.46F, 0.02F}, {0.2F, 0.3F}, {0.05F, 0.6F}})}}},
      {"7", {{polyline({{0.04F, 0.02F}, {0.56F, 0.02F}, {0.2F, 0.98F}})}}},
      {"8", {{arc({0.3F, 0.25F}, 0.22F, 0.23F, 0.0F, 4.0F), arc({0.3F, 0.73F}, 0.27F, 0.25F, 0.0F, 4.0F)}}},
      {"9",
       {{arc({0.3F, 0.32F}, 0.26F, 0.3F, 0.0F, 4.0F),
         polyline({{0.14F, 0.98F}, {0.4F, 0.7F}, {0.55F, 0.4F}})}}},
      {".", {{polyline({{0.1F, 0.96F}, {0.1F, 0.97F}})}, 0.3F}},
      {"=", {{polyline({{0.04F, 0.42F}, {0.56F, 0.42F}}), polyline({{0.04F, 0.68F}, {0.56F, 0.68F}})}}},
      {"φ",
       {{arc({0.32F, 0.65F}, 0.3F, 0.32F, 0.0F, 4.0F), polyline({{0.36F, 0.08F}, {0.28F, 1.22F}})}, 0.85F}},
      {"°", {{arc({0.2F, 0.14F}, 0.14F, 0.14F, 0.0F, 4.0F)}, 0.45F}},
      {" ", {{}, 0.35F}}};
  return all;
}

std::vector<const Glyph*> spell(std::string_view text) {
  std::vector<const Glyph*> word;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                                             : 4;  // of a UTF-8 character
    const auto found = glyphs().find(text.substr(i, length));
    if (found == glyphs().end())
      throw std::invalid_argument("a label has no strokes for one of its characters");
    word.push_back(&found->second);
    i += length;
  }
  return word;
}

float distance(const Vector2f& p, const Vector2f& a, const Vector2f& b) {
  const Vector2f along = b - a;
  const float share = along.squaredNorm() > 0.0F ? (p - a).dot(along) / along.squaredNorm() : 0.0F;
  return (p - a - std::clamp(share, 0.0F, 1.0F) * along).norm();
}

/// A line with round ends, edges blended over one pixel.
void paint_segment(std::vector<float>& cover, const Image& image, const Vector2f& a, const Vector2f& b,
                   float half) {
  const Vector2f low = a.cwiseMin(b) - Vector2f::Constant(half + 1.0F);
  const Vector2f high = a.cwiseMax(b) + Vector2f::Constant(half + 1.0F);
  for (int row = std::max(0, static_cast<int>(low.y()));
       row <= std::min(image.height - 1, static_cast<int>(high.y())); ++row) {
    for (int column = std::max(0, static_cast<int>(low.x()));
         column <= std::min(image.width - 1, static_cast<int>(high.x())); ++column) {
      const Vector2f middle(static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F);
      const float part = std::clamp(half + 0.5F - distance(middle, a, b), 0.0F, 1.0F);
      float& pixel = cover[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(column)];
      pixel = std::max(pixel, part);
    }
  }
}

}  // namespace

void paint_text(Image& image, std::string_view text, const Vector2f& middle, float size) {
  const auto word = spell(text);
  float length = 0.0F;
  for (const Glyph* glyph : word) length += glyph->advance;
  Vector2f corner = middle - 0.5F * size * Vector2f(length, 1.0F);
  std::vector<float> cover(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height),
                           0.0F);
  for (const Glyph* glyph : word) {
    for (const Stroke& stroke : glyph->strokes) {
      for (std::size_t i = 1; i < stroke.size(); ++i) {
        paint_segment(cover, image, corner + size * stroke[i - 1], corner + size * stroke[i], 0.05F * size);
      }
    }
    corner.x() += size * glyph->advance;
  }
  constexpr float ink = 45.0F;
  for (std::size_t pixel = 0; pixel < cover.size(); ++pixel) {
    if (cover[pixel] <= 0.0F) continue;
    for (std::size_t channel = 3 * pixel; channel < 3 * pixel + 3; ++channel) {
      const auto old = static_cast<float>(image.rgb[channel]);
      image.rgb[channel] = static_cast<std::uint8_t>(std::lround(old + (ink - old) * cover[pixel]));
    }
  }
}

}  // namespace repose::experiments
