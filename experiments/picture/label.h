#pragma once

#include "experiments/picture/picture.h"

#include <string>
#include <string_view>

namespace repose::experiments {

/// Whether this build can write words into pictures. Where it cannot, no function here paints anything and every text has
/// length 0.
bool can_label();

/// Paints dark text in UTF-8, in the machine's sans-serif font, its middle at a place [pixels] and its digits `size`
/// pixels high. Characters that the font lacks show as the font's box for that; paintable() leaves none.
/// @throws std::invalid_argument for text that is not UTF-8
void paint_text(Image& image, std::string_view text, const Eigen::Vector2f& middle, float size);

/// Length of a text as paint_text() paints it [pixels]. @throws std::invalid_argument likewise
float text_length(std::string_view text, float size);

/// The text with '?' in place of every character that cannot be painted, and its end replaced by "..." where it is
/// longer than allowed [pixels]: for names that come from a user.
std::string paintable(std::string_view text, float size, float longest);

}  // namespace repose::experiments
