#pragma once

#include "experiments/klar2016/fig13_friction_angle/column.h"
#include "experiments/klar2016/fig13_friction_angle/judge.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/number_search.h"

#include <numbers>
#include <string>

namespace repose::test {

using namespace experiments;
using namespace experiments::klar2016;

/// A run that ended in a pile of given height and run-out, as if simulated.
inline Collapse pile(double angle, double height_in_mm, double runout_in_mm) {
  Collapse run;
  run.friction_angle_deg = angle;
  run.solver = "optimized";
  run.scene = column_scene(setup(Preset::smoke), angle, 1);
  run.grains.assign(10, Point::Zero());
  run.grains_at_start = 10;
  run.start_volume = 1e-5;
  run.profile = {.radius = {0.005}, .surface = {0.1 / std::numbers::pi}, .packed = {0.0}, .ring_width = 0.01};
  run.flank = {.angle = 0.01 * height_in_mm, .standard_error = 0.001, .residual = 0.0, .rings = 5};
  run.foot = 0.054;
  run.loosening = 0.01;
  run.gap = 0.5 * run.scene.grid.h;
  run.rest_time = 0.3;
  run.courant = 0.6;
  run.grains_inside = 2000;
  run.summary.steps = 100;
  run.summary.total.counts[counter::inside] = 70;
  run.summary.total.counts[counter::tip] = 10;
  run.summary.total.counts[counter::surface] = 20;
  PileShape shape;
  shape.height.percentile_98 = 1e-3 * height_in_mm;
  shape.runout.percentile_98 = 1e-3 * runout_in_mm;
  shape.motion.mass = 0.0825;
  run.frames.assign(5, shape);
  run.frame_time = {0.0, 0.1, 0.2, 0.3, 0.5};
  return run;
}

/// Piles with heights 10, 12, 14, 16, 18 mm and run-outs 60 … 52 mm; seeds scatter by 0.1 mm.
inline Series claimed_piles() {
  Series series;
  for (int k = 0; k < 5; ++k) series.angles.push_back(pile(20.0 + 5.0 * k, 10.0 + 2.0 * k, 60.0 - 2.0 * k));
  series.repeats = {pile(30.0, 14.1, 56.1), pile(30.0, 13.9, 55.9)};
  return series;
}

inline Verdict verdict(const Series& series, const std::string& name) {
  return number(judge(series), name).verdict;
}

}  // namespace repose::test
