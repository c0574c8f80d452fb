#include "experiments/bench/paper_tables.h"
#include "experiments/bench/table2_rows.h"
#include "reference/interface/base/types.h"

#include <algorithm>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr double of_thousands = 1e3;  // Mg/m³ in kg/m³, kPa in Pa

double positive(const PaperTables& paper, const toml::table& printed, std::string_view key) {
  const auto value = paper.value<double>(printed, key);
  if (!(value > 0.0)) paper.lacks(std::string(key) + " > 0");
  return value;
}

Integrator integrator_of(const PaperTables& paper, const toml::table& printed) {
  const auto scheme = paper.value<std::string>(printed, "scheme");
  if (scheme == "explicit") return Integrator::explicit_;
  if (scheme != "semi-implicit") paper.lacks("scheme that is explicit or semi-implicit");
  return Integrator::semi_implicit;
}

std::optional<Unilateral> unilateral_of(const PaperTables& paper, const toml::table& printed, int dim) {
  if (!printed.contains("a")) return std::nullopt;
  constexpr double per_cent = 0.01;
  Unilateral u{.a = paper.value<double>(printed, "a"), .c0 = paper.value<double>(printed, "c0")};
  if (u.a == -3.0) u.a = -3e-3;
  if (u.a == -0.1) u.strain_unit = per_cent;
  if (!printed["b"].is_string()) {
    u.b = paper.value<double>(printed, "b");
    return u;
  }
  if (paper.value<std::string>(printed, "b") != "100 c_C") paper.lacks("b that is a number or 100 c_C");
  u.b = 100.0 * tip_of_wet_sand / dim * per_cent / u.strain_unit;
  u.s_C = 0.0;
  return u;
}

Material water_of(const PaperTables& paper, const toml::table& printed) {
  Material water;
  water.name = "water";
  water.kind = MaterialKind::water;
  water.density = of_thousands * positive(paper, printed, "water_density");
  water.water_stiffness = of_thousands * positive(paper, printed, "water_k");
  water.water_gamma = positive(paper, printed, "water_gamma");
  return water;
}

Table2Row row_of(const PaperTables& paper, const toml::table& printed) {
  Table2Row row;
  row.name = paper.value<std::string>(printed, "name");
  row.dim = paper.value<int>(printed, "dimensions");
  if (row.dim != 2 && row.dim != 3) paper.lacks("dimensions that are 2 or 3");
  row.integrator = integrator_of(paper, printed);
  row.frame_rate = frames_per_second;
  row.seconds_per_frame = positive(paper, printed, "s_per_frame");
  row.dt = positive(paper, printed, "dt");
  row.particles = positive(paper, printed, "particles");
  row.h = positive(paper, printed, "dx");
  row.particles_per_cell = particles_per_cell(row.dim);
  Material& sand = row.sand;
  sand.name = "sand";
  sand.density = of_thousands * positive(paper, printed, "density");
  sand.youngs_modulus = of_thousands * positive(paper, printed, "youngs_modulus");
  sand.poisson_ratio = paper.value<double>(printed, "poisson_ratio");
  sand.friction = {.h0 = friction_angle_deg * degree};
  sand.unilateral = unilateral_of(paper, printed, row.dim);
  // Semi-implicit steps with Hencky's energy know none.
  sand.volume_correction = !solves(row.integrator) || sand.unilateral.has_value();
  if (printed.contains("water_density")) row.water = water_of(paper, printed);
  if (row.water || row.name.starts_with("wet ")) {
    sand.cohesion = 1.0;  // the tip is proportional to it
    sand.cohesion = tip_of_wet_sand / tip_before_hardening(sand, row.dim)->trace;
  }
  return row;
}

void tell_apart(std::vector<Table2Row>& rows) {
  std::vector<std::string> names;
  for (const Table2Row& row : rows) {
    names.push_back(row.name);
    for (const Table2Row& other : rows) {
      if (&other == &row || other.name != row.name) continue;
      names.back() += other.integrator != row.integrator
                          ? (solves(row.integrator) ? " semi-implicit" : " explicit")
                      : row.h < other.h ? " fine"
                                        : " coarse";
      break;
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].name = names[k];
}

}  // namespace

std::vector<Table2Row> read_table2(const std::filesystem::path& file) {
  const PaperTables paper(file);
  std::vector<Table2Row> rows;
  for (const toml::node& printed : paper.rows("table2")) rows.push_back(row_of(paper, *printed.as_table()));
  tell_apart(rows);
  return rows;
}

std::span<const Table2Row> table2_rows() {
  static const std::vector<Table2Row> rows = read_table2(paper_file("tampubolon2017.toml"));
  return rows;
}

}  // namespace repose::experiments::tampubolon2017
