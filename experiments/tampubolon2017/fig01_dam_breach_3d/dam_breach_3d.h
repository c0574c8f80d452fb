#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 1: water erodes a dam until it breaks.
Figure dam_breach_3d();

}  // namespace repose::experiments::tampubolon2017
