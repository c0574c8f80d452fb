#include "reference/interface/base/one_line.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace repose {

namespace {

/// Bytes of the well-formed UTF-8 character at the front and its code point; 0 bytes where there is none.
struct Character {
  std::size_t bytes = 0;
  char32_t code = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  // Longer than needed, half of a surrogate pair, beyond Unicode.
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {bytes, code};
}

bool is_harmless(char32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;  // control characters
  if (c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
      (c >= 0x2066 && c <= 0x2069))
    return false;                                    // direction of writing
  return c != 0x2028 && c != 0x2029 && c != 0xfeff;  // line and paragraph separator, byte order mark
}

std::string escape(char byte) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte)); }

std::string escape(char32_t c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
}

/// The text with everything escaped, and where each of its characters begins.
struct Escaped {
  std::string text;
  std::vector<std::size_t> starts;
};

Escaped escaped(std::string_view text) {
  Escaped result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const bool is_kept = next.bytes > 0 && is_harmless(next.code);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    if (is_kept) {
      result.starts.push_back(result.text.size());
      result.text += text.substr(0, bytes);
    } else {
      for (const char letter : next.bytes == 0 ? escape(text.front()) : escape(next.code)) {
        result.starts.push_back(result.text.size());
        result.text += letter;
      }
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string in_one_line(std::string_view text, std::size_t most) {
  Escaped line = escaped(text);
  const std::size_t length = line.starts.size();
  if (length <= most) return std::move(line.text);
  constexpr std::string_view gap = " … ";
  constexpr std::size_t gap_length = 3;
  const std::size_t kept = most > gap_length ? most - gap_length : 0;
  const std::size_t tail = kept / 3;
  return line.text.substr(0, line.starts[kept - tail]).append(gap) +
         (tail == 0 ? "" : line.text.substr(line.starts[length - tail]));
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace repose
