#include "validation/json_file.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace repose {

namespace {

/// Line and column, from 1, of the byte at which a text stops being JSON.
std::string place(std::string_view text, std::size_t byte) {
  if (byte >= text.size()) return "it ends too early";
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

/// An exception's text without the library's own number in front: "[json.exception.type_error.302] …".
std::string_view plain(std::string_view what) {
  const std::size_t end = what.starts_with('[') ? what.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

}  // namespace

nlohmann::json read_json(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("{}: {}", file.string(), why));
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) refuse("is not a file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& parse_error) {
    throw BadInput(fmt::format("{}: not JSON: {}", file.string(), place(text, parse_error.byte)));
  } catch (const nlohmann::json::exception& other) {  // a number beyond all doubles
    throw BadInput(fmt::format("{}: not JSON: {}", file.string(), plain(other.what())));
  }
}

void look_into(const std::filesystem::path& file, std::string_view kind, const std::function<void()>& look) {
  try {
    look();
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(fmt::format("{}: not {}: {}", file.string(), kind, plain(error.what())));
  }
}

}  // namespace repose
