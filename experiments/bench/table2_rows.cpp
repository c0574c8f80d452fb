#include "experiments/bench/table2_rows.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <vector>

namespace repose::experiments::klar2016 {

namespace {

constexpr const char* file = REPOSE_SOURCE_DIR "/data/papers/klar2016.toml";

[[noreturn]] void lacks(std::string_view what) { throw BadInput(fmt::format("{}: no {}", file, what)); }

const toml::array& rows_of(const toml::table& paper, std::string_view id) {
  if (const toml::array* tables = paper["table"].as_array())
    for (const toml::node& one : *tables) {
      const toml::table* table = one.as_table();
      if (table == nullptr || (*table)["id"].value_or(std::string_view()) != id) continue;
      if (const toml::array* rows = (*table)["rows"].as_array()) return *rows;
    }
  lacks(id);
}

template <class T>
T value(const toml::table& row, std::string_view key) {
  const auto found = row[key].value<T>();
  if (!found) lacks(key);
  return *found;
}

/// A number, or of a list the chosen one.
double number(const toml::table& row, std::string_view key, std::size_t (*choose)(std::size_t count)) {
  const toml::array* list = row[key].as_array();
  if (list == nullptr) return value<double>(row, key);
  if (list->empty()) lacks(key);
  return (*list)[choose(list->size())].value_or(0.0);
}
std::size_t last(std::size_t count) { return count - 1; }
std::size_t middle(std::size_t count) { return count / 2; }

FrictionLaw friction_of(const toml::table& material) {
  const toml::array* h = material["hardening"].as_array();
  if (h == nullptr) return {.h0 = number(material, "friction_angle_deg", middle) * degree};
  if (h->size() != 4) lacks("hardening of four numbers");
  const auto at = [&](std::size_t k) { return (*h)[k].value_or(0.0); };
  return {.h0 = at(0) * degree, .h1 = at(1) * degree, .h2 = at(2), .h3 = at(3) * degree};
}

/// Where the scene has variants, the last one: E is largest there.
Table2Row row_of(const toml::table& printed, const toml::table& material) {
  Table2Row row;
  row.name = value<std::string>(printed, "name");
  if (row.name != value<std::string>(material, "name")) lacks("row of Table 3 for " + row.name);
  row.frame_rate = value<double>(printed, "frame_rate");
  row.minutes_per_frame = value<double>(printed, "min_per_frame");
  row.implicit = value<std::string>(printed, "scheme") == "implicit";
  row.dt = value<double>(printed, "dt_s");
  row.particles = number(printed, "particles", last);
  row.threads = value<int>(printed, "threads");
  row.cpu = value<std::string>(printed, "cpu");
  row.clock_ghz = value<double>(printed, "clock_ghz");
  row.h = value<double>(printed, "dx_m");
  const toml::array* grid = printed["grid"].as_array();
  if (grid == nullptr || grid->size() < 2 || grid->size() > 3) lacks("grid of two or three numbers");
  row.dim = static_cast<int>(grid->size());
  for (std::size_t a = 0; a < grid->size(); ++a) row.cells[a] = (*grid)[a].value_or(0);
  row.particles_per_cell = value<double>(printed, "particles_per_cell");
  row.density = value<double>(material, "density");
  row.youngs_modulus = number(material, "youngs_modulus", last);
  row.friction = friction_of(material);
  return row;
}

std::vector<Table2Row> read_rows() {
  toml::table paper;
  try {
    paper = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}: {}", file, error.description()));
  }
  const toml::array& printed = rows_of(paper, "table2");
  const toml::array& materials = rows_of(paper, "table3");
  if (printed.size() != materials.size()) lacks("row of Table 3 for each of Table 2");
  std::vector<Table2Row> rows;
  for (std::size_t k = 0; k < printed.size(); ++k)
    rows.push_back(row_of(*printed[k].as_table(), *materials[k].as_table()));
  return rows;
}

}  // namespace

std::span<const Table2Row> table2_rows() {
  static const std::vector<Table2Row> rows = read_rows();
  return rows;
}

double steps_per_frame(const Table2Row& row, double dt) {
  // A frame that is a whole number of steps but for rounding has no further step.
  return std::ceil(1.0 / (row.frame_rate * dt) * (1.0 - 1e-9));
}

double paper_seconds_per_step(const Table2Row& row) {
  return 60.0 * row.minutes_per_frame / steps_per_frame(row, row.dt);
}

double paper_ns_per_particle_step_core(const Table2Row& row) {
  return 1e9 * paper_seconds_per_step(row) * row.threads / row.particles;
}

}  // namespace repose::experiments::klar2016
