#pragma once

#include "reference/interface/scene/integrator.h"
#include "reference/interface/scene/materials.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace repose::experiments {

/// A row of a table of times that a paper prints, with its materials: [Klar16 Table 2] or [Tam17 Table 2].
struct Table2Row {
  std::string name;  ///< no other row of its table has it
  int dim = 3;
  Integrator integrator = Integrator::explicit_;
  double frame_rate = 0.0;         ///< [1/s]
  double seconds_per_frame = 0.0;  ///< wall time, printed
  double dt = 0.0;                 ///< largest Δt allowed, printed [s]
  double particles = 0.0;          ///< of all phases
  double h = 0.0;                  ///< [m]
  double particles_per_cell = 0.0;
  Material sand;
  std::optional<Material> water{};  ///< the other phase of a mixture
  int threads = 0;                  ///< 0 where the paper names no machine; so the next two
  std::string cpu{};
  double clock_ghz = 0.0;
  std::array<int, 3> cells{0, 0, 0};  ///< of the grid; 0 where none is printed
};

/// Steps of a frame at a given Δt.
double steps_per_frame(const Table2Row& row, double dt);

/// c Δt/h of the printed Δt, c the speed of waves in the sand.
double printed_courant(const Table2Row& row);

/// The paper's wall time of a step if every step had the printed Δt [s]. More steps may have been taken: then
/// this is too large.
double paper_seconds_per_step(const Table2Row& row);
/// The same per particle, of the paper's whole machine [ns].
double paper_ns_per_particle_step(const Table2Row& row);
/// The same per particle and thread [ns]. Of rows that print their threads.
double paper_ns_per_particle_step_core(const Table2Row& row);

}  // namespace repose::experiments

namespace repose::experiments::klar2016 {

/// Table 2 with the materials of Table 3, as data/papers/klar2016.toml has them: of a list of angles the middle one, of other
/// lists the last, where E is largest. @throws BadInput if the file is gone or lacks something
std::span<const Table2Row> table2_rows();

}  // namespace repose::experiments::klar2016

namespace repose::experiments::tampubolon2017 {

/// What Table 2 does not print and its rows need, chosen here.
inline constexpr double frames_per_second = 24.0;   ///< [1/s]
inline constexpr double friction_angle_deg = 30.0;  ///< φ of the sand, without hardening
inline constexpr double tip_of_wet_sand = 0.005;    ///< e_c where sand is wet, by which c_C follows [-]
constexpr double particles_per_cell(int dim) { return dim == 3 ? 8.0 : 4.0; }

/// Table 2 as data/papers/tampubolon2017.toml has it, which prints no units, frames per second or machine:
///   - lengths in metres, times in seconds, ρ in Mg/m³, E and k in kPa                                     [ERRATA T34]
///   - a = −3.0, which is no strain, is −3·10⁻³; a = −0.1 is meant in per cent, all others are plain  [ERRATA T16, T37]
///   - b = "100 c_C" is that in per cent of c_C as a strain along each axis, e_c/d; then s_C = 0           [ERRATA T18]
///   - ρ and Δt are those of the table where captions have others                                     [ERRATA T30, T35]
/// Rows of one name are told apart by their scheme, or as the fine and the coarse one.
/// @throws BadInput if the file is gone or lacks something
std::span<const Table2Row> table2_rows();
/// The same from a file.
std::vector<Table2Row> read_table2(const std::filesystem::path& file);

}  // namespace repose::experiments::tampubolon2017
