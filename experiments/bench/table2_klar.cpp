#include "experiments/bench/paper_tables.h"
#include "experiments/bench/table2_rows.h"
#include "reference/interface/base/types.h"

namespace repose::experiments::klar2016 {

namespace {

/// A number, or of a list the chosen one.
double number(const PaperTables& paper, const toml::table& row, std::string_view key,
              std::size_t (*choose)(std::size_t count)) {
  const toml::array* list = row[key].as_array();
  if (list == nullptr) return paper.value<double>(row, key);
  if (list->empty()) paper.lacks(key);
  return (*list)[choose(list->size())].value_or(0.0);
}
std::size_t last(std::size_t count) { return count - 1; }
std::size_t middle(std::size_t count) { return count / 2; }

FrictionLaw friction_of(const PaperTables& paper, const toml::table& material) {
  const toml::array* h = material["hardening"].as_array();
  if (h == nullptr) return {.h0 = number(paper, material, "friction_angle_deg", middle) * degree};
  if (h->size() != 4) paper.lacks("hardening of four numbers");
  const auto at = [&](std::size_t k) { return (*h)[k].value_or(0.0); };
  return {.h0 = at(0) * degree, .h1 = at(1) * degree, .h2 = at(2), .h3 = at(3) * degree};
}

Table2Row row_of(const PaperTables& paper, const toml::table& printed, const toml::table& material) {
  Table2Row row;
  row.name = paper.value<std::string>(printed, "name");
  if (row.name != paper.value<std::string>(material, "name")) paper.lacks("row of Table 3 for " + row.name);
  row.frame_rate = paper.value<double>(printed, "frame_rate");
  row.seconds_per_frame = 60.0 * paper.value<double>(printed, "min_per_frame");
  row.integrator = paper.value<std::string>(printed, "scheme") == "implicit" ? Integrator::implicit_
                                                                             : Integrator::explicit_;
  row.dt = paper.value<double>(printed, "dt_s");
  row.particles = number(paper, printed, "particles", last);
  row.threads = paper.value<int>(printed, "threads");
  row.cpu = paper.value<std::string>(printed, "cpu");
  row.clock_ghz = paper.value<double>(printed, "clock_ghz");
  row.h = paper.value<double>(printed, "dx_m");
  const toml::array* grid = printed["grid"].as_array();
  if (grid == nullptr || grid->size() < 2 || grid->size() > 3) paper.lacks("grid of two or three numbers");
  row.dim = static_cast<int>(grid->size());
  row.cells = {1, 1, 1};
  for (std::size_t a = 0; a < grid->size(); ++a) row.cells[a] = (*grid)[a].value_or(0);
  row.particles_per_cell = paper.value<double>(printed, "particles_per_cell");
  row.sand.name = "sand";
  row.sand.density = paper.value<double>(material, "density");
  row.sand.youngs_modulus = number(paper, material, "youngs_modulus", last);
  row.sand.poisson_ratio = 0.3;
  row.sand.friction = friction_of(paper, material);
  return row;
}

std::vector<Table2Row> read_rows() {
  const PaperTables paper(paper_file("klar2016.toml"));
  const toml::array& printed = paper.rows("table2");
  const toml::array& materials = paper.rows("table3");
  if (printed.size() != materials.size()) paper.lacks("row of Table 3 for each of Table 2");
  std::vector<Table2Row> rows;
  for (std::size_t k = 0; k < printed.size(); ++k)
    rows.push_back(row_of(paper, *printed[k].as_table(), *materials[k].as_table()));
  return rows;
}

}  // namespace

std::span<const Table2Row> table2_rows() {
  static const std::vector<Table2Row> rows = read_rows();
  return rows;
}

}  // namespace repose::experiments::klar2016
