#include "validation/states/state_json.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/all.h"
#include "validation/json_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <limits>

namespace repose::crosscheck {

namespace {

std::string boundary_named(const std::string& name, const std::filesystem::path& file) {
  if (!method::is_boundary(name))
    throw BadInput(fmt::format("{}: unknown boundary '{}'; there are {}", file.string(), name,
                               fmt::join(method::boundaries_of_all(), ", ")));
  return name;
}

/// A whole number. The library would round others, and those beyond its type without any meaning.
template <class Integer>
Integer whole(const nlohmann::json& number, std::string_view name, const std::filesystem::path& file) {
  const bool fits = number.is_number_integer() &&
                    number.get<std::int64_t>() >= std::int64_t{std::numeric_limits<Integer>::min()} &&
                    number.get<std::int64_t>() <= std::int64_t{std::numeric_limits<Integer>::max()};
  if (!fits) throw BadInput(fmt::format("{}: {} is not a whole number", file.string(), name));
  return number.get<Integer>();
}

Snapshot snapshot_of(const nlohmann::json& json, const std::filesystem::path& file) {
  Snapshot state;
  state.at = boundary_named(json.at("at").get<std::string>(), file);
  state.time = json.at("time");
  state.dt = json.at("dt");
  state.step = whole<std::int64_t>(json.at("step"), "step", file);
  for (const nlohmann::json& id : json.at("node"))
    state.node.push_back(whole<std::int64_t>(id, "a node", file));
  for (const nlohmann::json& field : json.at("fields")) {
    const std::string place = field.at("place");
    state.fields.push_back({field.at("name"), field.at("unit"),
                            place == "particle" ? Place::particle
                            : place == "node"   ? Place::node
                                                : Place::global,
                            whole<int>(field.at("components"), "components", file),
                            field.at("value").get<std::vector<double>>()});
  }
  return state;
}

}  // namespace

void write_state(const Snapshot& state, const std::filesystem::path& file) {
  nlohmann::json fields = nlohmann::json::array();
  for (const Field& field : state.fields)
    fields.push_back({{"name", field.name},
                      {"unit", field.unit},
                      {"place", field.place == Place::particle ? "particle"
                                : field.place == Place::node   ? "node"
                                                               : "global"},
                      {"components", field.components},
                      {"value", field.value}});
  const nlohmann::json json = {{"at", state.at},     {"time", state.time}, {"dt", state.dt},
                               {"step", state.step}, {"node", state.node}, {"fields", fields}};
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  std::filesystem::path temporary = file;
  temporary += ".part";
  std::ofstream out(temporary);
  out << json.dump(1) << '\n';
  out.close();
  if (!out) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw BadInput(fmt::format("{}: cannot be written", file.string()));
  }
  std::filesystem::rename(temporary, file);
}

Snapshot read_state(const std::filesystem::path& file) {
  const nlohmann::json json = read_json(file);
  Snapshot state;
  look_into(file, "a state", [&] { state = snapshot_of(json, file); });
  return state;
}

}  // namespace repose::crosscheck
