#pragma once

#include "reference/interface/base/types.h"

#include <string>
#include <string_view>

namespace repose {

/// Writes one TOML table and the tables in it. What is written reads back bit for bit.
class TomlWriter {
 public:
  /// @param path of the table, such as "mpm.implicit"; empty for the keys in front of all tables
  explicit TomlWriter(std::string path = {}) : path_(std::move(path)) {}

  void line(std::string_view key, std::string_view value);
  /// A line for readers of the file.
  void comment(std::string_view text);
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, double value);
  /// In degrees where some number of degrees reads back as exactly this angle [rad], else in radians.
  void angle(std::string_view key, double rad);
  void vector(std::string_view key, const Point& value, int dim);

  /// A table inside this one; its keys come behind those of this one. @param write takes its TomlWriter
  template <class Write>
  void table(std::string_view key, const Write& write) {
    TomlWriter inner(path_.empty() ? std::string(key) : path_ + "." + std::string(key));
    write(inner);
    tables_ += "\n[" + inner.path_ + "]\n" + inner.take();
  }
  /// One more table of the list [[key]].
  template <class Write>
  void element(std::string_view key, const Write& write) {
    TomlWriter inner{std::string(key)};
    write(inner);
    tables_ += "\n[[" + std::string(key) + "]]\n" + inner.take();
  }

  std::string take() { return std::move(keys_) + std::move(tables_); }

 private:
  std::string path_;
  std::string keys_;
  std::string tables_;
};

/// The shortest text that reads back as the same double, always a TOML float (−0 as an integer would lose its sign).
std::string toml_number(double x);
/// A quoted TOML string with everything escaped that must be.
std::string toml_text(std::string_view text);
std::string toml_vector(const Point& x, int dim);

}  // namespace repose
