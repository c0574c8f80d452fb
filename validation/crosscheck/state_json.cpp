#include "validation/crosscheck/state_json.h"

#include "reference/interface/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>

namespace repose::crosscheck {

namespace {

constexpr std::array<Boundary, 8> boundaries{boundary::step_start, boundary::p2g,       boundary::forces,
                                             boundary::collisions, boundary::friction,  boundary::g2p,
                                             boundary::update,     boundary::plasticity};

Boundary boundary_named(std::string_view name) {
  for (const Boundary one : boundaries)
    if (one == name) return one;
  throw BadInput(fmt::format("unknown boundary '{}'; there are {}", name, fmt::join(boundaries, ", ")));
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
  if (!out) throw BadInput(fmt::format("{}: cannot be written", file.string()));
  std::filesystem::rename(temporary, file);
}

Snapshot read_state(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw BadInput(fmt::format("{}: cannot be read", file.string()));
  try {
    const nlohmann::json json = nlohmann::json::parse(in);
    Snapshot state;
    state.at = boundary_named(json.at("at").get<std::string>());
    state.time = json.at("time");
    state.dt = json.at("dt");
    state.step = json.at("step");
    state.node = json.at("node").get<std::vector<std::int64_t>>();
    for (const nlohmann::json& field : json.at("fields")) {
      const std::string place = field.at("place");
      state.fields.push_back({field.at("name"), field.at("unit"),
                              place == "particle" ? Place::particle
                              : place == "node"   ? Place::node
                                                  : Place::global,
                              field.at("components"), field.at("value").get<std::vector<double>>()});
    }
    return state;
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(fmt::format("{}: not a state: {}", file.string(), error.what()));
  }
}

}  // namespace repose::crosscheck
