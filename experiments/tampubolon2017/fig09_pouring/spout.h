#pragma once

#include "experiments/figures/figure.h"
#include "experiments/figures/scene_run.h"
#include "validation/metrics/occupied.h"

#include <cstdint>
#include <string>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What one poured pile has that others have not.
struct PourCase {
  bool corrects = false;  ///< volume correction
  double spacing = 0.0;   ///< h [m]
  std::uint64_t seed = 1;
  bool loose = false;  ///< leaves the spout at half its density, and takes twice as long
};

struct PourSetup {
  std::vector<double> spacings;  ///< h, coarse first [m]
  std::vector<std::uint64_t> seeds;
};
PourSetup pour_setup(Preset preset);

Scene pour_scene(const PourCase& chosen);

/// The sand at the end of a frame.
struct PourFrame {
  double time = 0.0;           ///< [s]
  double poured = 0.0;         ///< Σ V⁰ [m²]
  metrics::Occupied occupied;  ///< [m²]
  double moving = 0.0;         ///< share of particles faster than a fall of one cell makes them [-]
  double held = 0.0;           ///< share of particles with v_c > 0 [-]
};

struct PourGrain {
  Point at = Point::Zero();  ///< [m]
  double v_c = 0.0;          ///< [-]
};

struct PourRun : SceneRun {
  PourCase chosen;
  std::vector<PourFrame> frames;  ///< from the first with sand in it
  std::vector<PourGrain> grains;  ///< at the end
  double surface = 0.0;  ///< length of floor that the pile covers at the end, by columns of cells [m]
};

PourRun pour(const PourCase& chosen, const FigureRequest& request, const std::string& label);

std::vector<Number> judge(const PourSetup& setup, const std::vector<PourRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
