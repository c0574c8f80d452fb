#pragma once

#include "validation/crosscheck/judge.h"
#include "validation/crosscheck/method_cases.h"
#include "validation/faults/model.h"

/// What the judging side asks of the added method.
namespace repose::flight {

const crosscheck::Judge& judge();
const crosscheck::MethodCases& cases();
const faults::Model& model();

/// Counter of Lockstep: landings that rounding decides.
inline constexpr std::string_view undecided = "undecided landing";

}  // namespace repose::flight
