#include "experiments/bench/table2_blocks.h"

#include "experiments/bench/disturbance.h"
#include "experiments/bench/room.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace repose::experiments {

namespace {

std::string_view scheme_of(const Table2Row& row) {
  if (row.integrator == Integrator::explicit_) return "explicit";
  return row.integrator == Integrator::semi_implicit ? "semi-implicit" : "implicit";
}

/// Nothing where a number is not printed or not known.
std::string or_empty(double value, bool known) { return known ? fmt::format("{}", value) : std::string(); }

}  // namespace

void add_table2_walls(Scene& scene) {
  const Grid& grid = scene.grid;
  const double low = grid.h * table2_margin;
  const auto high = [&](std::size_t a) {
    return grid.h * static_cast<double>(grid.cells[a] - table2_margin);
  };
  add_room(scene, Point(low, low, low), Point(high(0), 0.0, grid.dim == 3 ? high(2) : 0.0));
}

CountRange allowed_count(const Table2Row& row, const Scene& scene) {
  const double spacing = row.h / std::pow(row.particles_per_cell, 1.0 / row.dim);
  CountRange all;
  for (const Seed& seed : scene.seeds) {
    const Box& body = std::get<Box>(seed.shape);
    CountRange range;
    for (int axis = 0; axis < row.dim; ++axis) {
      const double along = (body.max[axis] - body.min[axis]) / spacing;
      range.least *= 1.0 - 0.5 / along;
      range.most *= 1.0 + 0.5 / along;
    }
    all.least = std::min(all.least, range.least);
    all.most = std::max(all.most, range.most);
  }
  return all;
}

Number judge_count(const std::vector<Table2Timing>& timings) {
  double worst = 0.0;
  std::string_view name;
  for (const Table2Timing& timing : timings) {
    const double excess = static_cast<double>(timing.particles) * timing.fewer / timing.row->particles - 1.0;
    const CountRange allowed = allowed_count(*timing.row, timing.scene);
    const double error = excess / ((excess < 0.0 ? allowed.least : allowed.most) - 1.0);
    if (error > worst) {
      worst = error;
      name = timing.row->name;
    }
  }
  return {
      .name = "particle_count_error",
      .value = worst,
      .unit = "1",
      .expected = "≤ 1",
      .kind = Kind::sanity,
      .source =
          "the blocks must have the rows' numbers of particles, divided by the preset's factor; error over "
          "half a particle per axis",
      .verdict = worst <= 1.0 ? Verdict::pass : Verdict::fail,
      .note = fmt::format(
          "largest over the rows, of {}; a block holds a whole number of particles along each axis", name)};
}

std::string row_word(const Table2Row& row) {
  std::string out = row.name;
  std::erase(out, '\'');
  std::replace(out.begin(), out.end(), ' ', '_');
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

void write_table2(const std::vector<Table2Timing>& timings, int threads,
                  const std::filesystem::path& folder) {
  std::string csv =
      "scene,dim,phases,paper_scheme,paper_particles,timed_particles,h_m,paper_dt_s,paper_courant,"
      "controller_dt_s,limited_by,threads,frames,steps_per_frame,step_s,step_q1_s,step_q3_s,"
      "ns_per_particle_step_core,processor_ns_per_particle_step,frame_s,processor_frame_s,frame_at_printed_"
      "dt_s,paper_frame_s,"
      "paper_threads,paper_cpu,paper_ns_per_particle_step,paper_ns_per_particle_step_core,yielding,"
      "disturbed_share,failure\n";
  for (const Table2Timing& t : timings) {
    replace_file(folder / ("scene_" + row_word(*t.row) + ".toml"), scene_to_toml(t.scene));
    const Table2Row& row = *t.row;
    const bool named = row.threads > 0;
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},", row.name, row.dim, row.water ? 2 : 1,
                       scheme_of(row), row.particles, t.particles, row.h, row.dt, printed_courant(row),
                       t.controller_dt, t.limited_by, threads, t.frame_steps.size());
    if (t.step_seconds.empty()) {
      csv += ",,,,,,,,";
    } else {
      const Extrapolated ours = extrapolate(t, threads);
      csv += fmt::format("{},{},{},{},{},{},{},{},{}", ours.steps_per_frame, ours.step.median,
                         ours.step.quartile_1, ours.step.quartile_3, ours.ns, ours.processor_ns, ours.frame,
                         ours.processor_frame, ours.frame_printed);
    }
    csv += fmt::format(",{},{},{},{},{},{},{},{}\n", row.seconds_per_frame, or_empty(row.threads, named),
                       row.cpu, paper_ns_per_particle_step(row),
                       or_empty(paper_ns_per_particle_step_core(row), named), t.yielding,
                       or_empty(t.disturbed, t.disturbed >= 0.0), t.failure.empty() ? "" : "failed");
  }
  replace_file(folder / "metrics.csv", csv);
}

}  // namespace repose::experiments
