#pragma once

#include "experiments/common/picture.h"

#include <string_view>

namespace repose::experiments {

/// Paints dark text, its middle at a place [pixels] and its digits `size` pixels high.
/// @throws std::invalid_argument for a character it has no strokes for
void paint_text(Image& image, std::string_view text, const Eigen::Vector2f& middle, float size);

}  // namespace repose::experiments
