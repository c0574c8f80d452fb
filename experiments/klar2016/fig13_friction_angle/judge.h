#pragma once

#include "experiments/figures/scatter.h"
#include "experiments/klar2016/fig13_friction_angle/column.h"

#include <functional>
#include <vector>

namespace repose::experiments::klar2016 {

/// All runs of the figure.
struct Series {
  std::vector<Collapse> angles;       ///< one per friction angle, rising
  std::vector<Collapse> repeats;      ///< the middle angle again with other seeds
  std::optional<Collapse> reference;  ///< the middle angle with the readable solver
  std::vector<Collapse> nudged;       ///< the middle angle, start moved by one rounding; as long as reference
  std::vector<Collapse> steps;        ///< the middle angle with smaller and smaller steps
  std::vector<Collapse> outermost;    ///< the first and the last angle with a smaller step
  std::optional<Collapse> printed_dt;  ///< the middle angle with the paper's c Δt/h
};

const Collapse& middle(const Series& series);

/// Scatter of a quantity over the middle angle and its repeats.
using Quantity = std::function<double(const Collapse&)>;
Noise noise_of(const Series& series, const Quantity& quantity);

double height_mm(const Collapse& run);
double runout_mm(const Collapse& run);
double flank_deg(const Collapse& run);

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const Series& series);

}  // namespace repose::experiments::klar2016
