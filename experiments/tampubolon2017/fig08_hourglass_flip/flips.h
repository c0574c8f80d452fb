#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "validation/metrics/occupied.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What one hourglass has that others have not.
struct GlassCase {
  bool corrects = false;   ///< volume correction
  double spacing = 0.0;    ///< h [m]
  std::uint64_t seed = 1;  ///< counted from that of the scene file
};

struct GlassSetup {
  std::vector<double> spacings;  ///< h, coarse first [m]
  std::vector<std::uint64_t> seeds;
  double between_turns = 5.0;  ///< [s]
  int turns = 2;
};
GlassSetup glass_setup(Preset preset);

Scene glass_scene(const GlassSetup& setup, const GlassCase& chosen);

/// The sand at the end of a frame.
struct GlassFrame {
  double time = 0.0;           ///< since the start, turns included [s]
  metrics::Occupied occupied;  ///< [m²]
  double moving = 0.0;         ///< share of particles faster than a fall of one cell makes them [-]
  double held = 0.0;           ///< share of particles with v_c > 0 [-]
};

struct GlassGrain {
  Point at = Point::Zero();  ///< [m]
  double v_c = 0.0;          ///< [-]
};

struct GlassRun {
  GlassCase chosen;
  std::vector<SceneRun> legs;                   ///< from turn to turn
  std::vector<GlassFrame> frames;               ///< of all legs; the start is the first
  std::vector<GlassFrame> rests;                ///< at the end of each leg
  std::vector<std::vector<GlassGrain>> grains;  ///< at the end of each leg
  double volume = 0.0;                          ///< Σ V⁰ [m²]

  bool interrupted() const { return legs.back().summary.interrupted; }
};

/// Lets the sand run, turns the glass, and so on.
GlassRun turn_glass(const GlassSetup& setup, const GlassCase& chosen, const FigureRequest& request,
                    const std::string& label);

}  // namespace repose::experiments::tampubolon2017
