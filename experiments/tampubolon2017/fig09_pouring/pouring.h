#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 9: the volume of a poured pile with and without volume correction.
Figure pouring();

}  // namespace repose::experiments::tampubolon2017
