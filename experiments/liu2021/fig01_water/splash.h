#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "validation/exact/mpm/water_column.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose::experiments::liu2021 {

struct SplashCase {
  bool tension = true;     ///< as printed
  std::uint64_t seed = 1;  ///< of the emitter, counted from that of the scene file
  double duration = 30.0;  ///< of the run by APIC, as printed [s]
  double calming = 40.0;   ///< of that by PIC behind it [s]
};

/// What each preset pours.
std::vector<SplashCase> splash_cases(Preset preset);

Scene splash_scene(const SplashCase& chosen);

/// The water of a scene at rest in its room, as a column [ERRATA L14].
exact::WaterColumn water_column_of(const Scene& scene);
/// Height of its centre of mass above the floor [m].
double water_centre_of(const exact::WaterColumn& column);
/// The room's free width and its floor [m].
inline constexpr double width = 192.0, ground = 4.0;

/// The water at the end of a frame.
struct SplashFrame {
  double time = 0.0;  ///< [s]
  double particles = 0.0;
  double centre = 0.0;  ///< of mass, above the floor [m]
  double motion = 0.0;  ///< kinetic energy per mass [m²/s²]
  double volume = 0.0;  ///< Σ V⁰J/Σ V⁰ [-]
  double room =
      0.0;  ///< that the water takes, metrics::Occupied::by_density/Σ V⁰; 0 where it was not looked [-]
  double pressure = 0.0;  ///< mean over the particles [Pa]
};

struct Drop {
  double time = 0.0;  ///< [s]
  Point at = Point::Zero();
  double pressure = 0.0;  ///< [Pa]
};

/// Mean pressure of a row of cells, over the frames of the last seconds.
struct SplashRow {
  double height = 0.0;  ///< mean of its particles above the floor [m]
  double pressure = 0.0;
  double particles = 0.0;
};

struct SplashRun {
  SplashCase chosen;
  SceneRun run;                     ///< as printed
  SceneRun calm;                    ///< from its end on, by PIC, which takes the motion
  std::vector<SplashFrame> frames;  ///< of both
  std::vector<Drop> drops;          ///< at some times
  std::vector<SplashRow> rows;      ///< from the floor up
};

/// The frames of the last seconds, over which what lies at rest is averaged.
std::vector<SplashFrame> at_rest(const SplashRun& run);

/// Pours the water as printed, then lets PIC bring it to rest: APIC keeps it sloshing.
SplashRun splash(const SplashCase& chosen, const FigureRequest& request);

}  // namespace repose::experiments::liu2021
