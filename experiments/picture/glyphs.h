#pragma once

#include <Eigen/Core>

#include <string_view>
#include <vector>

namespace repose::experiments {

using Stroke = std::vector<Eigen::Vector2f>;  ///< points of a line

/// A character in lines of its own, y down: capitals from 0 to 1, most of them 0.6 wide.
struct Glyph {
  std::vector<Stroke> strokes;
  float advance = 0.8F;  ///< to the next character
};

/// Of one character in UTF-8; nullptr where there is none: it knows ASCII and φ ° · ² ³ – only.
const Glyph* find_glyph(std::string_view character);

/// Characters of a text in UTF-8, each as its bytes. A byte that begins no character stands for itself.
std::vector<std::string_view> characters(std::string_view text);

}  // namespace repose::experiments
