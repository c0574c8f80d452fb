#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/part.h"
#include "reference/interface/scene/scene_rules.h"

#include <toml++/toml.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

/// Reads the keys of one TOML table and refuses what is not allowed with one line
///     file:line: key = value: what is allowed
/// Every key that is asked for becomes known; finish() refuses all others.
class TomlTable : public ScenePart {
 public:
  TomlTable(const toml::table& table, std::string_view source);

  bool has(std::string_view key) const { return table_.contains(key); }

  /// @param unit for messages; empty for numbers without one
  double number(std::string_view key, const Range& range, std::string_view unit);

  /// An angle from key_deg, or from key_rad where degrees cannot express a value exactly [rad].
  double angle(const std::string& key, const Range& range);
  /// Keys that are spelled correctly though they are not wanted here: not "unknown", and worth suggesting.
  void known(std::string_view key, std::string_view unit = "") { know(key, unit); }

  std::int64_t integer(std::string_view key, std::int64_t low, std::string_view allowed);
  bool boolean_or(bool otherwise, std::string_view key);
  std::string string(std::string_view key, std::string_view allowed);

  /// d finite numbers; z = 0 in 2D.
  Point vector(std::string_view key, int dim, std::string_view unit);
  /// A vector of length ≠ 0, normalized. One that has unit length to rounding keeps its bits.
  Point direction(std::string_view key, int dim);
  /// Angular velocity: a number about z in 2D, a vector in 3D [rad/s].
  Point spin(std::string_view key, int dim);

  std::vector<std::string> strings_or(const std::vector<std::string>& otherwise, std::string_view key,
                                      std::string_view allowed);

  /// One of the names in `values`, for instance {{"sticky", Contact::sticky}, …}.
  template <class T>
  T choice(std::string_view key, const std::vector<std::pair<std::string_view, T>>& values) {
    const std::string allowed = list(values);
    const std::string chosen = string(key, allowed);
    for (const auto& [name, value] : values) {
      if (name == chosen) return value;
    }
    refuse(key, allowed);
  }

  /// A sub-table that must be there.
  TomlTable table(std::string_view key);
  /// The same; an empty one where the key is missing.
  TomlTable table_or_empty(std::string_view key);
  /// The tables of [[key]], in the order of the file; none where the key is missing.
  std::vector<TomlTable> tables(std::string_view key);

  /// "file:line" of the table itself.
  std::string where() const;
  /// Refuses the value of a key, or its absence.
  [[noreturn]] void refuse(std::string_view key, std::string_view allowed) const;
  /// The same; the value is quoted as the file has it, and an angle's key named with its unit.
  [[noreturn]] void refuse_value(std::string_view key, const std::string& value,
                                 std::string_view allowed) const override;
  /// Refuses the first key, in the order of lines, that was never asked for; names the table to which it belongs, or the
  /// known key nearest to it.
  /// @param table_with the table that has a key, such as "[mpm]"; empty where there is none
  void finish(const std::function<std::string(std::string_view)>& table_with = {}) const;

  /// What choice() allows, for messages.
  template <class T>
  static std::string list(const std::vector<std::pair<std::string_view, T>>& values) {
    std::string text = "one of";
    for (const auto& [name, value] : values)
      text += (&name == &values.front().first ? " \"" : ", \"") + std::string(name) + "\"";
    return text;
  }

 private:
  void know(std::string_view key, std::string_view unit);
  /// Where a missing key has an unknown one that looks like it, that one is the mistake to name.
  void refuse_misspelling(std::string_view missing) const;
  [[noreturn]] void refuse_unknown(const toml::key& key, std::string_view meant) const;
  const toml::node* find(std::string_view key) const { return table_.get(key); }
  std::string where(const toml::node& node) const;

  const toml::table& table_;
  std::string source_;
  std::map<std::string, std::string, std::less<>> known_;  ///< key → unit
};

}  // namespace repose
