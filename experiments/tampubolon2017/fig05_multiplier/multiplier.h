#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 5: where the multiplier of the unilateral energy is 1, falls and is 0, beside the yield cone.
Figure multiplier_regions();

}  // namespace repose::experiments::tampubolon2017
