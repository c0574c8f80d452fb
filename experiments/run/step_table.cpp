#include "experiments/run/step_table.h"

#include "reference/interface/base/error.h"

#include <fmt/format.h>

#include <fstream>

namespace repose::experiments {

namespace {

std::string header(const method::Method& method) {
  std::string text = "step,time_s,dt_s,limited_by,max_speed_m_per_s,particles";
  for (const method::CounterRow& row : method.counters) text += fmt::format(",{}", row.column);
  return text + ",inside_solids,deepest_inside_solids_m\n";
}

/// Bytes of the header and the rows of the first `steps` steps; 0 for a new table.
std::uintmax_t bytes_to_keep(const std::filesystem::path& file, const std::string& header,
                             std::int64_t steps) {
  if (steps == 0) return 0;
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!in || !std::getline(in, line) || line + '\n' != header) {
    throw BadInput(
        fmt::format("{}: not the table of steps of this run, so the run cannot be continued", file.string()));
  }
  std::uintmax_t bytes = header.size();
  for (std::int64_t step = 0; step < steps; ++step) {
    // A row without its line end was cut off.
    if (!std::getline(in, line) || in.eof() || !line.starts_with(fmt::format("{},", step))) {
      throw BadInput(
          fmt::format("{}: the row of step {} is missing, so the run cannot be continued from step {}",
                      file.string(), step, steps));
    }
    bytes += line.size() + 1;
  }
  return bytes;
}

}  // namespace

StepTable::StepTable(const std::filesystem::path& file, const method::Method& method, std::int64_t steps)
    : rows_(method.counters.size()), out_(file, bytes_to_keep(file, header(method), steps)) {
  if (steps == 0) out_.append(header(method));
}

void StepTable::append(const StepRecord& record) {
  const StepReport& r = record.report;
  const std::string solids =
      record.solids ? fmt::format("{},{}", record.solids->particles, record.solids->deepest) : ",";
  std::string counts;
  for (std::size_t row = 0; row < rows_; ++row) counts += fmt::format(",{}", r.counts[row]);
  out_.append(fmt::format("{},{},{},{},{},{}{},{}\n", record.step, record.time, r.dt, record.limited_by,
                          r.max_speed, r.particles, counts, solids));
}

}  // namespace repose::experiments
