#include "experiments/run/sums_table.h"

#include "reference/interface/base/error.h"
#include "validation/methods.h"
#include "validation/metrics/phase_sums.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>

namespace repose::experiments {

namespace {

constexpr std::string_view sums_header =
    "step,time_s,phase,particles,mass_kg,momentum_x_kg_m_per_s,momentum_y_kg_m_per_s,momentum_z_kg_m_per_s,"
    "kinetic_energy_J,stored_energy_J,potential_energy_J\n";

struct Kept {
  std::uintmax_t bytes = 0;   ///< of the header and the rows of states up to some step; 0 for a new table
  std::int64_t written = -1;  ///< steps of the last of these states
};

Kept rows_up_to(const std::filesystem::path& file, std::int64_t steps) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (steps == 0 || !in) return {};
  const auto refuse = [&] {
    throw BadInput(
        fmt::format("{}: not the table of sums of this run, so the run cannot be continued", file.string()));
  };
  if (!std::getline(in, line) || line + '\n' != sums_header) refuse();
  Kept kept{.bytes = sums_header.size()};
  // A row without its line end was cut off.
  while (std::getline(in, line) && !in.eof()) {
    std::int64_t step = -1;
    if (std::from_chars(line.data(), line.data() + line.size(), step).ptr == line.data()) refuse();
    if (step > steps) break;
    kept.bytes += line.size() + 1;
    kept.written = step;
  }
  return kept;
}

}  // namespace

SumsTable::SumsTable(const std::filesystem::path& file, const Scene& scene, KeepSums keep, std::int64_t steps)
    : scene_(scene), keep_(judged(scene.scheme.method()).sums == nullptr ? KeepSums::none : keep) {
  if (keep_ == KeepSums::none) return;
  const Kept kept = rows_up_to(file, steps);
  written_ = kept.written;
  out_ = std::make_unique<OutputFile>(file, kept.bytes);
  if (kept.bytes == 0) out_->append(sums_header);
}

SumsTable::~SumsTable() = default;

void SumsTable::step(const Solver& solver) {
  if (keep_ == KeepSums::step) append(solver);
}

void SumsTable::frame(const Solver& solver) {
  if (keep_ != KeepSums::none) append(solver);
}

void SumsTable::append(const Solver& solver) {
  if (solver.steps() == written_) return;
  written_ = solver.steps();
  const Snapshot state = solver.save(boundary::step_start, false);
  for (const metrics::PhaseSums& of : judged(scene_.scheme.method()).sums(state, scene_)) {
    const Point& momentum = of.motion.momentum;
    out_->append(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", written_, solver.time(), of.phase,
                             of.particles, of.motion.mass, momentum.x(), momentum.y(), momentum.z(),
                             of.motion.kinetic_energy, of.stored_energy, of.potential_energy));
  }
}

void SumsTable::sync() {
  if (out_) out_->sync();
}

}  // namespace repose::experiments
