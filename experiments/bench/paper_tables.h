#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace repose::experiments {

/// A file of data/papers, read row by row. What it lacks is told with the file's name.
class PaperTables {
 public:
  /// @throws BadInput if the file is gone or is no TOML
  explicit PaperTables(const std::filesystem::path& file);

  /// @throws BadInput where no table has this id
  const toml::array& rows(std::string_view id) const;

  /// @throws BadInput where the row has no such value of this type
  template <class T>
  T value(const toml::table& row, std::string_view key) const {
    const auto found = row[key].value<T>();
    if (!found) lacks(key);
    return *found;
  }

  [[noreturn]] void lacks(std::string_view what) const;

 private:
  std::string file_;
  toml::table paper_;
};

/// A file that comes with the source: data/papers/<name>.
std::filesystem::path paper_file(std::string_view name);

}  // namespace repose::experiments
