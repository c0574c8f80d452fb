#include "experiments/klar2016/table2_performance/rows.h"

#include <cmath>

namespace repose::experiments::klar2016 {

namespace {

constexpr FrictionLaw hardening(double h0, double h1, double h2, double h3) {
  return {.h0 = h0 * degree, .h1 = h1 * degree, .h2 = h2, .h3 = h3 * degree};
}
constexpr FrictionLaw constant(double angle) { return {.h0 = angle * degree}; }

constexpr std::string_view x5650 = "Intel Xeon X5650";
constexpr std::string_view w3680 = "Intel Xeon W3680";
constexpr std::string_view e5_v2 = "Intel Xeon E5-2690 v2";
constexpr std::string_view e5 = "Intel Xeon E5-2690";
constexpr std::string_view x5690 = "Intel Xeon X5690";

constexpr FrictionLaw zen = hardening(35, 9, 0.2, 10);

// Columns as in Table 2: frame rate, minutes per frame, scheme, Δt, particles, threads, processor, clock, h, grid,
// particles per cell; then Table 3: density, E, friction.
constexpr std::array<Table2Row, 11> rows{{
    {"castle", 3, 72, 6.80, true, 1e-3, 795e3, 4, x5650, 2.67, 0.01, {300, 140, 200}, 8, 2200, 3.537e5, hardening(35, 0, 0.2, 10)},
    {"friction angle", 3, 120, 4.10, false, 1e-4, 1.2e6, 4, w3680, 3.33, 0.001, {432, 144, 432}, 32, 2200, 3.537e5, constant(30)},
    {"hourglass", 3, 48, 2.00, false, 1e-4, 460e3, 12, e5_v2, 3.00, 0.0025, {160, 360, 160}, 8, 2200, 3.537e5, hardening(35, 9, 0.3, 10)},
    {"butterfly", 3, 24, 10.31, false, 2.5e-4, 3.84e6, 10, e5_v2, 3.00, 0.0045, {220, 55, 220}, 8, 2200, 3.537e5, zen},
    {"butterfly close", 3, 48, 21.23, false, 1e-4, 4.1e6, 8, e5_v2, 3.00, 0.0014, {280, 140, 210}, 2, 2200, 3.537e5, zen},
    {"raking", 3, 24, 9.78, false, 2.5e-4, 3.84e6, 10, e5_v2, 3.00, 0.0045, {220, 55, 220}, 8, 2200, 3.537e5, zen},
    {"raking close", 3, 24, 32.84, false, 1e-4, 4.3e6, 8, e5, 2.90, 0.0021, {336, 96, 288}, 2, 2200, 3.537e5, zen},
    {"pile from spout", 3, 120, 4.34, true, 1.5e-4, 994e3, 8, x5650, 2.67, 0.00083, {240, 96, 240}, 32, 2200, 3.537e5, constant(30)},
    {"splash", 3, 240, 9.27, false, 5e-5, 6.6e6, 8, x5690, 3.47, 0.0078, {256, 256, 256}, 9, 1582, 3.537e6, constant(22)},
    {"shovel", 3, 24, 24.84, false, 1e-4, 1.96e6, 4, x5690, 3.47, 0.005, {160, 100, 100}, 8, 2200, 3.537e5, zen},
    {"young's modulus", 2, 24, 49e-4, true, 7.5e-4, 745, 1, x5650, 2.67, 0.016, {256, 64, 1}, 4, 2200, 1e6, hardening(35, 9, 0.3, 10)},
}};

}  // namespace

std::span<const Table2Row> table2_rows() { return rows; }

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
