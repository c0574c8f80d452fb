#pragma once

#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace repose::experiments::klar2016 {

/// Whether the piles do what the caption says, and how they stand to closed forms and to real sand.
void judge_claims(std::vector<Number>& numbers, const Series& series);

/// Whether the runs deserve trust: balances, rest, step, the other solver.
void judge_trust(std::vector<Number>& numbers, const Series& series);

inline Verdict pass_if(bool holds) { return holds ? Verdict::pass : Verdict::fail; }

inline std::string angle_name(const Collapse& run) { return fmt::format("{:g}", run.friction_angle_deg); }

}  // namespace repose::experiments::klar2016
