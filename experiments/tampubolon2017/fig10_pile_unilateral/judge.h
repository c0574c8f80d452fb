#pragma once

#include "experiments/tampubolon2017/fig10_pile_unilateral/collapse.h"

#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments::tampubolon2017 {

/// What Figure 10 runs: explicit steps, of as many seeds as the preset has, with Hencky's energy and one with the unilateral one;
/// then one run each of the semi-implicit ones, also with the unilateral energy at a tenth of the paper's step; then those of the
/// caption with the density that Table 2 prints, beside the claim  [ERRATA T35].
std::vector<CollapseCase> cohesion_cases(Preset preset);
CollapseSetup cohesion_setup(Preset preset);

/// What a lone grain says of a way of stepping.
struct LoneGrain {
  CollapseCase chosen;
  double courant = 0.0;  ///< c Δt/h
  double taken = 0.0;    ///< parting_speed_taken()
  double lagged = 0.0;   ///< lagged_share()
};
/// Of the largest Δt of each run of the first seed.
std::vector<LoneGrain> lone_grains(const std::vector<CollapseRun>& runs, const FigureRequest& request);

/// What cohesion takes of a pile's width, more than half a cell if its steps cohere: semi-implicit ones with Hencky's energy. What
/// spreads further than another run has no cohesion, however far it is from it.
/// @param than what the note calls the other
Number spread_lost(const CollapseRun& run, const CollapseRun& other, std::string_view than, Kind kind,
                   std::string source);

/// Runs that no step could be found for, of those with the density that Table 2 prints, or of all others.
Number runs_ended_early(const std::vector<CollapseRun>& runs, bool dense);

std::vector<Number> judge_cohesion(const std::vector<CollapseRun>& runs, const std::vector<LoneGrain>& lone,
                                   Preset preset);

}  // namespace repose::experiments::tampubolon2017
