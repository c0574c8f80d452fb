#pragma once

#include "experiments/picture/picture.h"

#include <string>
#include <string_view>

namespace repose::experiments {

/// Paints dark text, its middle at a place [pixels] and its digits `size` pixels high.
/// @throws std::invalid_argument for a character it has no strokes for (picture_glyphs.h)
void paint_text(Image& image, std::string_view text, const Eigen::Vector2f& middle, float size);

/// Length of a text as paint_text() paints it [pixels]. @throws std::invalid_argument likewise
float text_length(std::string_view text, float size);

/// The text with '?' in place of every character that cannot be painted, and its end replaced by "..." where it is
/// longer than allowed [pixels]: for names that come from a user.
std::string paintable(std::string_view text, float size, float longest);

}  // namespace repose::experiments
