#include "experiments/bench/table2_rows.h"

#include <cmath>

namespace repose::experiments {

double steps_per_frame(const Table2Row& row, double dt) {
  // A frame that is a whole number of steps but for rounding has no further step.
  return std::ceil(1.0 / (row.frame_rate * dt) * (1.0 - 1e-9));
}

double printed_courant(const Table2Row& row) { return wave_speed(row.sand) * row.dt / row.h; }

double paper_seconds_per_step(const Table2Row& row) {
  return row.seconds_per_frame / steps_per_frame(row, row.dt);
}

double paper_ns_per_particle_step(const Table2Row& row) {
  return 1e9 * paper_seconds_per_step(row) / row.particles;
}

double paper_ns_per_particle_step_core(const Table2Row& row) {
  return 1e9 * paper_seconds_per_step(row) * row.threads / row.particles;
}

}  // namespace repose::experiments
