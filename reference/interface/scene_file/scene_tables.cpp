#include "reference/interface/scene_file/scene_tables.h"

#include "reference/interface/scene/body_keys.h"
#include "reference/interface/scene/material_keys.h"
#include "reference/interface/scene/scene_keys.h"

#include <fmt/format.h>

namespace repose {

std::vector<KeyTable> scene_tables(std::span<const method::Method* const> methods) {
  KeyRow method{.key = "method",
                .unit = {},
                .otherwise = {},
                .allowed = {},
                .meaning = "the way of stepping; its options stand in the table of that name",
                .is_required = true};
  for (const method::Method* one : methods)
    method.allowed += fmt::format("{}`\"{}\"`", method.allowed.empty() ? "" : ", ", one->name);
  std::vector<KeyTable> tables{{"scene", {method}},
                               {"material", rows_of(material_keys())},
                               {"material.unilateral", rows_of(unilateral_keys())},
                               {"seed", rows_of(seed_keys())},
                               {"emitter", rows_of(emitter_keys())},
                               {"collider", rows_of(collider_keys())},
                               {"box", rows_of(box_keys())},
                               {"sphere", rows_of(sphere_keys())},
                               {"cylinder", rows_of(cylinder_keys())},
                               {"half_space", rows_of(half_space_keys())},
                               {"wedge", rows_of(wedge_keys())},
                               {"room", rows_of(room_keys())}};
  const std::vector<KeyRow> whole = rows_of(scene_keys());
  tables.front().rows.insert(tables.front().rows.end(), whole.begin(), whole.end());
  for (const method::Method* one : methods)
    tables.insert(tables.end(), one->options().tables.begin(), one->options().tables.end());
  return tables;
}

std::string markdown(const KeyTable& table) {
  std::string text = "| key | unit | default | allowed | meaning |\n|---|---|---|---|---|\n";
  const auto cell = [](const std::string& value) { return value.empty() ? " |" : " " + value + " |"; };
  for (const KeyRow& row : table.rows) {
    const std::string key = row.is_required ? "**`" + row.key + "`**" : "`" + row.key + "`";
    text += "| " + key + " |" + cell(row.unit) + cell(row.otherwise) + cell(row.allowed) + cell(row.meaning) +
            "\n";
  }
  return text;
}

}  // namespace repose
