#include "experiments/picture/label.h"

#include "experiments/picture/glyphs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace repose::experiments {

namespace {

using Eigen::Vector2f;

std::vector<const Glyph*> spell(std::string_view text) {
  std::vector<const Glyph*> word;
  for (const std::string_view character : characters(text)) {
    word.push_back(find_glyph(character));
    if (word.back() == nullptr)
      throw std::invalid_argument("a label has no strokes for one of its characters");
  }
  return word;
}

float distance(const Vector2f& p, const Vector2f& a, const Vector2f& b) {
  const Vector2f along = b - a;
  const float share = along.squaredNorm() > 0.0F ? (p - a).dot(along) / along.squaredNorm() : 0.0F;
  return (p - a - std::clamp(share, 0.0F, 1.0F) * along).norm();
}

/// Share of each pixel that ink covers, in the part of a picture where there may be some.
struct Ink {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  std::vector<float> cover;

  Ink(const Image& image, const Vector2f& low, const Vector2f& high)
      : left(std::clamp(static_cast<int>(low.x()), 0, image.width)),
        top(std::clamp(static_cast<int>(low.y()), 0, image.height)),
        width(std::clamp(static_cast<int>(high.x()) + 1, left, image.width) - left),
        height(std::clamp(static_cast<int>(high.y()) + 1, top, image.height) - top),
        cover(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.0F) {}

  /// A line with round ends, edges blended over one pixel.
  void add(const Vector2f& a, const Vector2f& b, float half) {
    const Vector2f low = a.cwiseMin(b) - Vector2f::Constant(half + 1.0F);
    const Vector2f high = a.cwiseMax(b) + Vector2f::Constant(half + 1.0F);
    const int last_row = std::min(top + height - 1, static_cast<int>(high.y()));
    const int last_column = std::min(left + width - 1, static_cast<int>(high.x()));
    for (int row = std::max(top, static_cast<int>(low.y())); row <= last_row; ++row) {
      for (int column = std::max(left, static_cast<int>(low.x())); column <= last_column; ++column) {
        const Vector2f middle(static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F);
        const float part = std::clamp(half + 0.5F - distance(middle, a, b), 0.0F, 1.0F);
        float& pixel = cover[static_cast<std::size_t>(row - top) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(column - left)];
        pixel = std::max(pixel, part);
      }
    }
  }

  void blend_into(Image& image) const {
    constexpr float dark = 45.0F;
    for (std::size_t i = 0; i < cover.size(); ++i) {
      if (cover[i] <= 0.0F) continue;
      const std::size_t row = static_cast<std::size_t>(top) + i / static_cast<std::size_t>(width);
      const std::size_t column = static_cast<std::size_t>(left) + i % static_cast<std::size_t>(width);
      const std::size_t pixel = 3 * (row * static_cast<std::size_t>(image.width) + column);
      for (std::size_t channel = pixel; channel < pixel + 3; ++channel) {
        const auto old = static_cast<float>(image.rgb[channel]);
        image.rgb[channel] = static_cast<std::uint8_t>(std::lround(old + (dark - old) * cover[i]));
      }
    }
  }
};

}  // namespace

float text_length(std::string_view text, float size) {
  float length = 0.0F;
  for (const Glyph* glyph : spell(text)) length += size * glyph->advance;
  return length;
}

std::string paintable(std::string_view text, float size, float longest) {
  const auto fits = [&](const std::string& word) { return text_length(word, size) <= longest; };
  std::string whole;
  std::string cut = "...";
  for (const std::string_view character : characters(text)) {
    const std::string painted = find_glyph(character) != nullptr ? std::string(character) : "?";
    if (fits(whole + painted + "...")) cut = whole + painted + "...";
    whole += painted;
    if (!fits(whole)) return cut;
  }
  return whole;
}

void paint_text(Image& image, std::string_view text, const Vector2f& middle, float size) {
  const auto word = spell(text);
  const Vector2f extent(text_length(text, size), size);
  Vector2f corner = middle - 0.5F * extent;
  const Vector2f around = Vector2f::Constant(0.4F * size + 2.0F);  // strokes below the line, and their width
  Ink ink(image, corner - around, corner + extent + around);
  const float half = std::max(0.05F * size, 0.6F);  // thinner strokes would fade
  for (const Glyph* glyph : word) {
    for (const Stroke& stroke : glyph->strokes) {
      for (std::size_t i = 1; i < stroke.size(); ++i) {
        ink.add(corner + size * stroke[i - 1], corner + size * stroke[i], half);
      }
    }
    corner.x() += size * glyph->advance;
  }
  ink.blend_into(image);
}

}  // namespace repose::experiments
