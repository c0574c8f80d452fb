#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace repose {

/// Longest message [characters]: two or three lines of a terminal.
inline constexpr std::size_t longest_message = 240;
/// Longest piece of a user's text inside a message: a value or a key; the path of a file [characters].
inline constexpr std::size_t longest_quote = 60;
inline constexpr std::size_t longest_path = 120;

/// Text of unknown origin as a message may show it. A terminal obeys escape codes, and a message of several lines
/// breaks what reads messages by lines: control characters, line separators, marks that turn the direction of writing
/// and bytes that are not UTF-8 appear as \n, \t, \u001b or \xff. What is longer than `most` characters loses its
/// middle, so that both a place in front and a demand at the end remain. Text that needs none of this stays as it is,
/// also what this function has returned before.
std::string in_one_line(std::string_view text, std::size_t most = longest_message);

/// Whether every byte belongs to well-formed UTF-8.
bool is_utf8(std::string_view text);

}  // namespace repose
