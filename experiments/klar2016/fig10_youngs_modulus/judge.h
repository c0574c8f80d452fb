#pragma once

#include "experiments/klar2016/fig10_youngs_modulus/stiffness.h"

#include <vector>

namespace repose::experiments::klar2016 {

/// All runs of the figure.
struct StiffnessSeries {
  std::vector<StiffnessRun> moduli;   ///< one per Young's modulus, rising
  std::vector<StiffnessRun> repeats;  ///< the stiffest again with other seeds
};

/// The numbers that decide whether the figure's claim holds, and those that say whether to trust them.
std::vector<Number> judge(const StiffnessSeries& series);

}  // namespace repose::experiments::klar2016
