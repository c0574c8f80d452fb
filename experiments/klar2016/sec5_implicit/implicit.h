#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::klar2016 {

/// "These systems usually converge sufficiently in three or fewer iterations of GMRES, rarely (< 1%) taking more than
/// four iterations." [Klar16 §5.6] "Explicit time stepping was often faster than implicit time stepping." [Klar16 §11]
Figure implicit_steps();

}  // namespace repose::experiments::klar2016
