#pragma once

#include "reference/interface/solver.h"
#include "reference/mpm/state.h"

#include <string_view>

namespace repose {

/// The table of sums.h for v, C, v_bar and grad_v (before: nodes complete), x and F_trial (before: v_bar and
/// grad_v known), F, q and v_c (before: F is the trial).
template <int d>
Sums sums_of_gathering(const State<d>& before, const StepContext& step, std::string_view field);
template <int d>
Sums sums_of_update(const State<d>& before, const StepContext& step, std::string_view field);
template <int d>
Sums sums_of_plasticity(const State<d>& before, const StepContext& step, std::string_view field);

}  // namespace repose
