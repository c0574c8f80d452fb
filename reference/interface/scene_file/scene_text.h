#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace repose {

/// A file that is larger holds no scene [B]. Thousands of bodies fit; what is checked body by body stays quick.
inline constexpr std::size_t largest_scene_file = std::size_t{1} << 20;
/// Parts of a dotted key, and brackets inside each other. Scenes need three; the parser needs stack for each.
inline constexpr int deepest_scene_text = 16;

/// The text of a scene file. Only regular files are opened: a pipe would make the program wait, a device never ends.
/// @throws BadInput one line
std::string read_scene_text(const std::filesystem::path& file);

/// Refuses text that nests deeper than the parser's stack is sure to bear. Needs no stack itself and no valid TOML.
/// @param source names the text in errors  @throws BadInput
void require_shallow(std::string_view text, std::string_view source);

}  // namespace repose
