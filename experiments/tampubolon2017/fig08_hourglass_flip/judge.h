#pragma once

#include "experiments/tampubolon2017/fig08_hourglass_flip/flips.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const GlassSetup& setup, const std::vector<GlassRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
