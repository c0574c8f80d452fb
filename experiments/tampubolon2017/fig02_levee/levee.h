#pragma once

#include "experiments/figures/figure.h"

namespace repose::experiments::tampubolon2017 {

/// Tampubolon 2017, Figure 2: a levee fails more easily with less drag and less cohesion.
Figure levee();

}  // namespace repose::experiments::tampubolon2017
