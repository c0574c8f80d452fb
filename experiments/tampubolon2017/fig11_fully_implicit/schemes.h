#pragma once

#include "experiments/tampubolon2017/fig10_pile_unilateral/collapse.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What Figure 11 runs: fully implicit steps with the unilateral energy, of three seeds; then one run each of semi-implicit steps
/// with both energies and of explicit ones with both.
std::vector<CollapseCase> scheme_cases();
CollapseSetup scheme_setup(Preset preset);

std::vector<Number> judge_schemes(const std::vector<CollapseRun>& runs, Preset preset);

}  // namespace repose::experiments::tampubolon2017
