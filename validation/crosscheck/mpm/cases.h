#pragma once

#include "validation/crosscheck/method_cases.h"

namespace repose::crosscheck {

/// What mpm is run in: transfer × kernel, and the scenarios of scenarios_*.cpp.
const MethodCases& mpm_cases();

const std::vector<Scenario>& mpm_scenarios();

}  // namespace repose::crosscheck
