#pragma once

#include "experiments/tampubolon2017/dam/dam.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What a preset of Figure 4 runs: at each spacing without the term, with both of its shares, without it from another seed and,
/// where there is time, with the printed drag.
struct ReversibleSetup {
  DamSetup dam;
  std::vector<double> spacings;  ///< h, coarse first [m]
  bool printed_drag = false;
};
ReversibleSetup reversible_setup(Preset preset);
std::vector<DamCase> reversible_cases(const ReversibleSetup& setup);

std::vector<Number> judge_reversible(const ReversibleSetup& setup, const std::vector<DamRun>& runs,
                                     Preset preset);

}  // namespace repose::experiments::tampubolon2017
