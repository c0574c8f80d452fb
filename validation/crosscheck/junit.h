#pragma once

#include "validation/crosscheck/run_case.h"

namespace repose::crosscheck {

/// Reports as JUnit's XML, which CI servers show: a suite for each of "lockstep", "bits" and "invariants", a test case per case. What
/// differs is a failure, with the text of explain(); what is mistrusted or was refused is an error.
std::string to_junit(const std::vector<CaseReport>& reports);

}  // namespace repose::crosscheck
