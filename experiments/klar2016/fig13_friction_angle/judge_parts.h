#pragma once

#include "experiments/figures/judging.h"
#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// Whether the piles do what the caption says, and how they stand to closed forms and to real sand.
void judge_claims(std::vector<Number>& numbers, const Series& series);

/// How the piles depend on the step, and whether the claim does.
void judge_step_sizes(std::vector<Number>& numbers, const Series& series);

/// The same scene by both solvers, after as many frames as the readable one ran.
void judge_twins(std::vector<Number>& numbers, const Series& series);

/// Whether the runs deserve trust: balances, rest, step.
void judge_trust(std::vector<Number>& numbers, const Series& series);

inline std::string angle_name(const Collapse& run) { return fmt::format("{:g}", run.friction_angle_deg); }

/// What every run-out must say of its run: "c Δt/h 0.600 in 3021 steps".
inline std::string step_words(const Collapse& run) {
  return fmt::format("c Δt/h {:.3g} in {} steps", run.courant, run.summary.steps);
}

}  // namespace repose::experiments::klar2016
