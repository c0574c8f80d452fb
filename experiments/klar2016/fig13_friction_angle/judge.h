#pragma once

#include "experiments/klar2016/fig13_friction_angle/column.h"

#include <functional>
#include <vector>

namespace repose::experiments::klar2016 {

/// Scatter of a measured quantity over seeds of equal scenes, and how sure it is.
struct Noise {
  double deviation = 0.0;  ///< sample standard deviation, same unit as the quantity
  std::size_t seeds = 0;
};

/// All runs of the figure.
struct Series {
  std::vector<Collapse> angles;        ///< one per friction angle, rising
  std::vector<Collapse> repeats;       ///< the middle angle again with other seeds
  std::optional<Collapse> reference;   ///< the middle angle with the readable solver
  std::optional<Collapse> printed_dt;  ///< the middle angle with the paper's c Δt/h
};

const Collapse& middle(const Series& series);

/// Scatter of a quantity over the middle angle and its repeats.
using Quantity = std::function<double(const Collapse&)>;
Noise noise_of(const Series& series, const Quantity& quantity);

/// Least difference between two runs that is not the seeds' luck, at 95 % confidence: Student's t for the
/// number of seeds, times √2 since both runs scatter. @param two_sided for differences that may have either
/// sign
double noise_floor(const Noise& noise, bool two_sided);

double height_mm(const Collapse& run);
double runout_mm(const Collapse& run);
double flank_deg(const Collapse& run);

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const Series& series);

}  // namespace repose::experiments::klar2016
