#pragma once

#include "experiments/tampubolon2017/dam/dam.h"

#include <vector>

namespace repose::experiments::tampubolon2017 {

/// Below this part of its height the crest of a dam counts as fallen.
inline constexpr double fallen_crest = 0.75;

/// The set-up of Figures 1 and 2 at a preset.
DamSetup breach_setup(Preset preset);
/// The spacing at which a preset runs them, the coarser one where Figure 1 runs two [m].
double breach_spacing(Preset preset);

std::vector<DamCase> erosion_cases(Preset preset);

/// When the front of the water would pass DamSetup::past over a dry floor without a dam [s],
///     (past − x₀)/(2 √(g H)),   x₀ and H: end and depth of the reservoir                Ritter's front
double flood_time(const Scene& scene, double past);

std::vector<Number> judge_erosion(const std::vector<DamRun>& runs, double past, Preset preset);

}  // namespace repose::experiments::tampubolon2017
