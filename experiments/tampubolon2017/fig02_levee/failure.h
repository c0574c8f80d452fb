#pragma once

#include "experiments/tampubolon2017/dam/dam.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// Both drags with both cohesions, the larger ones first; of two seeds where there is time.
std::vector<DamCase> levee_cases(Preset preset);

std::vector<Number> judge_levees(const std::vector<DamRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
