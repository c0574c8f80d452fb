#pragma once

#include <string>
#include <vector>

namespace repose {

/// A row of a table of SCENES.md.
struct KeyRow {
  std::string key;
  std::string unit;
  std::string otherwise;  ///< what holds where the key is missing
  std::string allowed;
  std::string meaning;
  bool is_required = false;
};

/// A table of SCENES.md: the keys of one table of scene files.
struct KeyTable {
  std::string name;  ///< `scene` for the keys in front of all tables, that of a shape for its keys
  std::vector<KeyRow> rows;
};

}  // namespace repose
