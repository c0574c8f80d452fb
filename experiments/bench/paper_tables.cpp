#include "experiments/bench/paper_tables.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

namespace repose::experiments {

PaperTables::PaperTables(const std::filesystem::path& file) : file_(file.string()) {
  try {
    paper_ = toml::parse_file(file_);
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}: {}", file_, error.description()));
  }
}

const toml::array& PaperTables::rows(std::string_view id) const {
  if (const toml::array* tables = paper_["table"].as_array())
    for (const toml::node& one : *tables) {
      const toml::table* table = one.as_table();
      if (table == nullptr || (*table)["id"].value_or(std::string_view()) != id) continue;
      const toml::array* rows = (*table)["rows"].as_array();
      if (rows != nullptr && rows->is_array_of_tables()) return *rows;
    }
  lacks(id);
}

void PaperTables::lacks(std::string_view what) const {
  throw BadInput(fmt::format("{}: no {}", file_, what));
}

std::filesystem::path paper_file(std::string_view name) {
  return std::filesystem::path(REPOSE_SOURCE_DIR) / "data" / "papers" / name;
}

}  // namespace repose::experiments
