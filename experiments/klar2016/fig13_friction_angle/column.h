#pragma once

#include "experiments/figures/figure.h"
#include "experiments/run/provenance.h"
#include "experiments/run/simulation.h"
#include "validation/metrics/motion.h"
#include "validation/metrics/pile.h"
#include "validation/metrics/profile.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// What a preset changes in the scene file.
struct Setup {
  double spacing = 0.0;  ///< h [m]
  double particles_per_cell = 0.0;
  std::int64_t reference_frames = 0;  ///< of the middle angle, run with the readable solver too; 0: none
  /// c Δt/h at which the middle angle runs again, each half of the one before.
  std::vector<double> courants{};
  double outermost_courant = 0.0;  ///< c Δt/h at which the first and the last angle run again; 0: they do not
};
Setup setup(Preset preset);

/// The scene of one column: the file beside this source with spacing, particles per cell, angle and seed
/// replaced.
Scene column_scene(const Setup& setup, double friction_angle_deg, std::uint64_t seed);

/// Axis of the column and its start shape [m].
struct Column {
  metrics::Axis axis;
  double radius = 0.0;
  double height = 0.0;
};
Column column_of(const Scene& scene);

/// Kinetic energy at rest, as a share of the energy the column had to fall: a speed of 1.9 mm/s.
inline constexpr double column_rest_share = 1e-5;

/// A pile as it looks at the end of a frame.
struct PileShape {
  metrics::Runout runout;
  metrics::Height height;
  metrics::Motion motion;
};

/// One collapse from start to rest.
struct Collapse {
  double friction_angle_deg = 0.0;
  std::uint64_t seed = 0;
  std::string solver;
  Scene scene;
  RunSummary summary;
  Provenance provenance;
  std::vector<double> frame_time;  ///< [s]
  std::vector<PileShape> frames;   ///< frame 0 is the start
  std::vector<Point> grains;       ///< at the end [m]
  std::size_t grains_at_start = 0;
  metrics::Profile profile;  ///< at the end
  metrics::Flank flank;
  std::array<double, 4> sector_angle{};  ///< flank angle of each quarter [rad]
  double foot = 0.0;                     ///< radius at which the surface meets the ground [m]
  double start_volume = 0.0;             ///< Σ V⁰ [m³]
  double rest_time = -1.0;             ///< since when the sand is at rest [s]; −1 if it never came to rest
  double loosening = 0.0;              ///< density inside at the start over that at the end, less 1
  std::size_t grains_inside = 0;       ///< at the end within the column's radius less a cell, at any height
  double gap = 0.0;                    ///< of the lowest sand over the ground it spread to [m]
  double courant = 0.0;                ///< largest c Δt/h used
  std::optional<std::string> failure;  ///< what ended the run early, if something did

  const PileShape& end() const { return frames.back(); }
  double fall_energy() const;  ///< m g times the height of the centre of mass at the start [J]
};

/// How a column is run.
struct CollapseSettings {
  std::string solver;
  SolverOptions options;
  bool progress = false;
  std::string label{};
  bool keep_failure = false;  ///< record what ends the run early instead of throwing it
  std::int64_t frames = -1;   ///< run to the end of this frame; −1: until the sand is at rest
  /// Move every start position by one rounding of the solver's positions, up or down along each axis as this seed draws;
  /// 0: do not.
  std::uint64_t nudged_by_seed = 0;
};

/// Runs one column until it is at rest, or to the end of a frame.
/// @throws SimulationError unless it is to be kept
Collapse collapse(const Scene& scene, double friction_angle_deg, const CollapseSettings& settings);

}  // namespace repose::experiments::klar2016
