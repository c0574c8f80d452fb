#include "reference/interface/scene_file/scene_text.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace repose {

namespace {

namespace fs = std::filesystem;

std::string_view kind_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::directory:
      return "a folder";
    case fs::file_type::fifo:
      return "a pipe";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    default:
      return "no regular file";
  }
}

/// Walks over TOML outside of strings and comments and counts what is inside what.
class DepthScan {
 public:
  DepthScan(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        skip_comment();
        continue;
      }
      count(c);
      ++at_;
    }
  }

 private:
  void count(char c) {
    if (c == '\n') ++line_;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
    if (c == '.') {
      ++dots_;
    } else if (!belongs_to_key(c)) {
      dots_ = 0;
    }
    if (dots_ >= deepest_scene_text) refuse(fmt::format("a key of more than {} parts", deepest_scene_text));
    if (brackets_ > deepest_scene_text) refuse(fmt::format("brackets more than {} deep", deepest_scene_text));
  }

  static bool belongs_to_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == ' ' || c == '\t';
  }

  bool continues_with(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  /// A string may be a part of a key: it does not end one.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = continues_with(three);
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!is_long) return;  // no TOML; the line's end is counted outside
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++line_;
      } else if (is_long ? continues_with(three) : c == quote) {
        at_ += is_long ? 3 : 1;
        return;
      }
    }
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw BadInput(fmt::format("{}:{}: {}: scenes need no more than three",
                               in_one_line(source_, longest_path), line_, what));
  }

  std::string_view text_, source_;
  std::size_t at_ = 0;
  int line_ = 1;
  int brackets_ = 0;
  int dots_ = 0;  ///< of the key in progress
};

}  // namespace

std::string read_scene_text(const fs::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("{}: {}", in_one_line(file.string(), longest_path), why));
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found)
    error = std::make_error_code(std::errc::no_such_file_or_directory);
  if (error) refuse(fmt::format("cannot be read: {}", error.message()));
  if (!fs::is_regular_file(status))
    refuse(fmt::format("is {}: must be a scene file", kind_of(status.type())));
  // Records of a run name its scene, and their formats know UTF-8 alone.
  if (!is_utf8(file.filename().string())) refuse("its name is not UTF-8: rename it");

  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text(largest_scene_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    refuse(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > largest_scene_file) {
    refuse(fmt::format("is larger than {} MiB: must be a scene file", largest_scene_file >> 20));
  }
  return text;
}

void require_shallow(std::string_view text, std::string_view source) { DepthScan(text, source).run(); }

}  // namespace repose
