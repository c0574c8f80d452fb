#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 10: artificial cohesion of semi-implicit steps with Hencky's and with the unilateral energy.
Figure pile_unilateral();

}  // namespace repose::experiments::tampubolon2017
