#pragma once

#include "reference/interface/scene/scene.h"

#include <array>
#include <span>
#include <string>

namespace repose::experiments::klar2016 {

/// A row of [Klar16 Table 2] with its material of Table 3.
struct Table2Row {
  std::string name;
  int dim = 3;
  double frame_rate = 0.0;         ///< [1/s]
  double minutes_per_frame = 0.0;  ///< wall time, printed
  bool implicit = false;
  double dt = 0.0;  ///< largest Δt allowed, printed [s]
  double particles = 0.0;
  int threads = 1;
  std::string cpu;
  double clock_ghz = 0.0;
  double h = 0.0;  ///< [m]
  std::array<int, 3> cells{1, 1, 1};
  double particles_per_cell = 0.0;
  double density = 0.0;         ///< [kg/m³]
  double youngs_modulus = 0.0;  ///< [Pa]; the largest where Table 3 lists several
  FrictionLaw friction{};       ///< of Table 3; of a list of angles the middle one
};

/// As data/papers/klar2016.toml has them. @throws BadInput if the file is gone or lacks something
std::span<const Table2Row> table2_rows();

/// Steps of a frame at a given Δt.
double steps_per_frame(const Table2Row& row, double dt);

/// The paper's wall time of a step if every step had the printed Δt [s]. More steps may have been taken: then
/// this is too large.
double paper_seconds_per_step(const Table2Row& row);
/// The same per particle and thread [ns].
double paper_ns_per_particle_step_core(const Table2Row& row);

}  // namespace repose::experiments::klar2016
