#pragma once

#include "validation/crosscheck/lockstep.h"

namespace repose::crosscheck {

/// Counters of the threads that took part in a stage: this and its name.
inline constexpr std::string_view threads_in = "threads in ";

/// Adds what a stage of the reference exercised.
void count(const Judge& judge, Counters& counters, const StepReport& report);

/// First field that one of two states alone has, else first number whose bits differ, fields in the order of the first.
/// nothing: all is equal.
std::optional<FieldResult> first_unequal(const Snapshot& a, const Snapshot& b);

/// What a difference says of the state it came from.
Divergence context_of(const Snapshot& state, Boundary from, double dt);

}  // namespace repose::crosscheck
