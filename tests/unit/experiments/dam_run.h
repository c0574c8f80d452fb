#pragma once

#include "experiments/tampubolon2017/dam/dam.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// A run of two frames beside the start: fronts, mixing, cohesion and columns are those of the claims.
inline DamRun dam_run(const DamSetup& setup, const DamCase& one) {
  DamRun run;
  run.chosen = one;
  run.scene = dam_scene(setup, one);
  for (const double time : {0.0, 1.0, 2.0}) {
    DamFrame frame{
        .time = time, .front = {2.4, 1.8}, .mixed = 0.2, .cohesion = 1.0 - 0.1 * time, .crest = 1.0};
    frame.columns = {std::vector<double>{1.0, 0.0}, std::vector<double>{1.0, 0.0}};
    run.frames.push_back(frame);
  }
  run.frames.back().front = {3.4, 2.8};
  run.balances = {{.drag_given = 1.0,
                   .reversible_given = one.reversible == ReversibleTerm::none ? 0.0 : 1.0,
                   .reach = 3.0}};
  return run;
}

}  // namespace repose::experiments::tampubolon2017
