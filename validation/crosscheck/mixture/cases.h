#pragma once

#include "validation/crosscheck/method_cases.h"

namespace repose::crosscheck {

/// What mixture is run in: two bodies that partly overlap, with all ways in which they can be coupled.
const MethodCases& mixture_cases();

}  // namespace repose::crosscheck
