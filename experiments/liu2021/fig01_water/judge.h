#pragma once

#include "experiments/liu2021/fig01_water/splash.h"

#include <vector>

namespace repose::experiments::liu2021 {

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const std::vector<SplashRun>& runs, Preset preset);

}  // namespace repose::experiments::liu2021
