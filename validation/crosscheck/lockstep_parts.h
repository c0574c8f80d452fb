#pragma once

#include "validation/crosscheck/lockstep.h"

namespace repose::crosscheck {

// Names of what is compared of an implicit solve besides fields of snapshots.
inline constexpr std::string_view impulse_field = "impulse";  ///< Δt f(v) [kg m/s]
/// Its derivative along dv [kg m/s]
inline constexpr std::string_view impulse_change_field = "impulse_change";
inline constexpr std::string_view residual_field = "residual";  ///< ‖R_i‖, contacts included [kg m/s]

/// Counters of the threads that took part in a stage: this and its name.
inline constexpr std::string_view threads_in = "threads in ";

/// Adds what a step of the reference exercised.
void count(Counters& counters, const StepReport& report);

/// Adds what a later stage of the same step counted.
void add_counts(StepReport& sum, const StepReport& stage);

/// First field that one of two states alone has, else first number whose bits differ, fields in the order of the first.
/// nothing: all is equal.
std::optional<FieldResult> first_unequal(const Snapshot& a, const Snapshot& b);

/// What a difference says of the state it came from.
Divergence context_of(const Snapshot& state, Boundary from, double dt);

}  // namespace repose::crosscheck
